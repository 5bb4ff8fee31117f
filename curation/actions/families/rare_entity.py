"""Rare terms: names and codes that few articles hold, each with the chunk it was found in and a draft query."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from curation.actions.families.found import Found, documents_named, fingerprint
from curation.actions.refusal import Refused
from curation.miners.progress import Progress
from curation.miners.rare_entity import BELOW, MOST, PARTS, RareEntities, RareTerm, mine
from curation.models import MiningRun, Proposal
from curation.reports.embeddings import texts_to_encode
from curation.reports.gathered import documents_of
from curation.reports.source_ranks import Draft, SourceRank, source_ranks
from curation.retrieval.folding import fold
from curation.retrieval.tokens import SEGMENTER


def find(run: MiningRun, progress: Progress) -> Found:
    """Find the terms, those that look most worth a query first, and where exact search ranks what each came from.

    Raises:
        Refused: the corpus holds no document.
    """
    corpus, below = run.generation.index.corpus, run.params.get("below", BELOW)
    texts = texts_to_encode(corpus)
    if not texts:
        raise Refused(f"The corpus {corpus.slug} holds no document; import some first.")
    progress(0, 1)
    documents = documents_of(corpus, texts)
    mining, ranking = _shares(PARTS * len(documents), progress)
    mined = mine(documents, below=below, progress=mining)
    articles = dict(zip(documents.external_ids, documents.canonical_ids, strict=True))
    drafts = [Draft(term.query, articles[term.document]) for term in mined.terms]
    ranks = source_ranks(corpus, drafts, articles=articles, progress=ranking)
    keys = documents_named(corpus, (term.document for term in mined.terms))
    return Found(
        params={"below": below, "most": MOST, "segmenter": SEGMENTER},
        summary=figures(mined),
        proposals=[
            proposal(run, term, document=keys[term.document], rank=rank)
            for term, rank in zip(mined.terms, ranks, strict=True)
        ],
    )


def _shares(steps: int, progress: Progress) -> tuple[Progress, Progress]:
    """Progress of the mining, which takes `steps`, and of the ranking after it, in steps of both."""

    def mining(done: int, _steps: int) -> None:
        progress(done, steps + MOST)

    def ranking(done: int, drafts: int) -> None:
        progress(steps + MOST * done // drafts, steps + MOST)

    return mining, ranking


def proposal(run: MiningRun, term: RareTerm, *, document: int, rank: SourceRank | None) -> Proposal:
    """The drafted query as it waits for review; its source's rank stands beside it where exact search could tell."""
    told = {"exact": asdict(rank)} if rank else {}
    return Proposal(
        run=run,
        fingerprint=fingerprint(term.language, fold(term.term, term.language)),
        rank=term.rank,
        text=term.query,
        locale=term.language,
        document_id=document,
        evidence={"term": term.term, "df": term.df, "kind": term.kind, **told},
    )


def figures(mined: RareEntities) -> dict[str, Any]:
    """What the run tells about itself; the terms proposed are counted by what they look like, too."""
    kinds = Counter(term.kind for term in mined.terms)
    return {
        "found": mined.found,
        "proposed": len(mined.terms),
        "below": mined.below,
        "by_kind": dict(sorted(kinds.items())),
    }
