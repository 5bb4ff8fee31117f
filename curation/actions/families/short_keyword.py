"""Short keyword queries of the imported log: those whose reader has to guess."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from curation.actions.families.found import Found, fingerprint
from curation.miners.progress import Progress
from curation.miners.short_keyword import FEWER_THAN, KeywordQuery, ShortKeywords, mine
from curation.models import MiningRun, Proposal
from curation.reports.embeddings import texts_to_encode
from curation.reports.gathered import documents_of, log_lines, words_of
from curation.reports.review_evidence import corpus_locales
from curation.retrieval.folding import fold
from curation.retrieval.language_guess import guesser
from curation.retrieval.locales import UNDETERMINED
from curation.retrieval.tokens import SEGMENTER


def find(run: MiningRun, progress: Progress) -> Found:
    """Gather the log's queries under six tokens, the most asked first; none where the corpus has no log."""
    corpus = run.generation.index.corpus
    documents = documents_of(corpus, texts_to_encode(corpus))
    known = words_of(documents, lambda done, total: progress(done, 2 * total))
    mined = mine(log_lines(corpus), known=known, progress=lambda done, total: progress(total + done, 2 * total))
    guess = guesser(corpus_locales(corpus))
    return Found(
        params={"fewer_than": FEWER_THAN, "segmenter": SEGMENTER},
        summary={"log_lines": corpus.log_queries.count(), **figures(mined)},
        proposals=[proposal(run, query, rank, guess=guess) for rank, query in enumerate(mined.queries, 1)],
    )


def proposal(run: MiningRun, query: KeywordQuery, rank: int, *, guess: Callable[[str], str]) -> Proposal:
    """The query as it waits for review, with a hint at its language where the log names none."""
    hint = {"hint": guess(query.text)} if query.locale == UNDETERMINED else {}
    told = {"count": query.count, "tokens": query.tokens, "script": query.script, "locales": query.locales}
    return Proposal(
        run=run,
        fingerprint=fingerprint(fold(query.text, query.locale)),
        rank=rank,
        text=query.text,
        locale=query.locale,
        evidence={**told, **hint},
    )


def figures(mined: ShortKeywords) -> dict[str, Any]:
    """What the run tells about itself."""
    return {
        "found": len(mined.queries),
        "proposed": len(mined.queries),
        "by_script": mined.by_script,
        "cut_off": len(mined.cut_off),
        "personal": sum(refusal.count for refusal in mined.refused),
        "long": mined.long,
    }
