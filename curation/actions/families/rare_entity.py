"""Rare terms: names and codes that few articles hold, each with the chunk it was found in and a draft query."""

from __future__ import annotations

from curation.actions.families.found import Found, documents_named, fingerprint
from curation.actions.refusal import Refused
from curation.miners.progress import Progress
from curation.miners.rare_entity import BELOW, MOST, RareEntities, RareTerm, mine
from curation.models import MiningRun, Proposal
from curation.reports.embeddings import texts_to_encode
from curation.reports.gathered import documents_of
from curation.retrieval.folding import fold
from curation.retrieval.tokens import SEGMENTER


def find(run: MiningRun, progress: Progress) -> Found:
    """Find the terms, those that look most like names first.

    Raises:
        Refused: the corpus holds no document.
    """
    corpus = run.generation.index.corpus
    texts = texts_to_encode(corpus)
    if not texts:
        raise Refused(f"The corpus {corpus.slug} holds no document; import some first.")
    mined = mine(documents_of(corpus, texts), progress=progress)
    documents = documents_named(corpus, (term.document for term in mined.terms))
    return Found(
        params={"below": BELOW, "most": MOST, "segmenter": SEGMENTER},
        summary=figures(mined),
        proposals=[proposal(run, term, documents[term.document]) for term in mined.terms],
    )


def proposal(run: MiningRun, term: RareTerm, document: int) -> Proposal:
    """The drafted query as it waits for review."""
    return Proposal(
        run=run,
        fingerprint=fingerprint(term.language, fold(term.term, term.language)),
        rank=term.rank,
        text=term.query,
        locale=term.language,
        document_id=document,
        evidence={"term": term.term, "df": term.df, "kind": term.kind},
    )


def figures(mined: RareEntities) -> dict[str, int]:
    """What the run tells about itself."""
    return {"found": mined.found, "proposed": len(mined.terms), "below": mined.below}
