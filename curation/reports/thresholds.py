"""At which cosine near-duplicate groups were mined and are shown, and why another one cannot be chosen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from curation.miners.documents import description
from curation.models import Corpus, Miner, MiningRun
from curation.reports.embeddings import current_documents_sha256

TIGHTENED_FROM, DOCUMENTS, THRESHOLD, TRUE_DUPLICATES = "tightened_from", "documents", "threshold", "true_duplicates"
"""What the params of a near-duplicate run hold: the run whose scores it was made of, the documents and cosine of it."""
VECTORS = "vectors"
"""There too: the hash of the vectors that were compared."""
DESCRIBED = "described"
"""There too: the hash of what was declared of the documents beside their texts."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """The cosine of the groups that are shown, that of the run whose scores they come from, and of what comes apart."""

    shown: float
    mined: float
    twins: tuple[tuple[str, ...], ...]


def newest_groups(corpus: Corpus) -> MiningRun | None:
    """The run whose groups are shown."""
    done = MiningRun.objects.filter(generation__index__corpus=corpus, miner=Miner.NEAR_DUPLICATE)
    return done.filter(state=MiningRun.State.DONE).select_related("generation__index__corpus").order_by("-pk").first()


def mined_for(run: MiningRun) -> MiningRun:
    """The run that searched the vectors for the groups of `run`: itself, or the one it tightened."""
    mined = run.params.get(TIGHTENED_FROM)
    return MiningRun.objects.select_related("generation__index__corpus").get(pk=mined) if mined else run


def corpus_described(corpus: Corpus) -> str:
    """The hash of what is declared of every document that is not gone: article, language, source and facts."""
    columns = ("external_id", "canonical_id", "language", "facts", "is_source")
    rows = corpus.documents.filter(gone_at=None).values_list(*columns)
    digest = hashlib.sha256()
    for name, *about, is_source in sorted(rows, key=lambda row: row[0]):
        digest.update(f"{name}\0{description(*about, is_source=is_source)}\n".encode())
    return digest.hexdigest()


def threshold_of(run: MiningRun | None) -> Threshold | None:
    """What a lead is shown of a run; None where it kept no scores, as those of older versions."""
    if run is None or DOCUMENTS not in run.params:
        return None
    mined = mined_for(run)
    twins = tuple(map(tuple, mined.params.get(TRUE_DUPLICATES, ())))
    return Threshold(run.params[THRESHOLD], mined.params[THRESHOLD], twins)


def why_not_kept(run: MiningRun) -> str:
    """Why the scores of a run cannot be grouped again, "" where they can."""
    corpus = run.generation.index.corpus
    if DOCUMENTS not in run.params:
        return "This run kept no scores, so it has one similarity; mine again to choose another."
    if run.params[DOCUMENTS] != current_documents_sha256(corpus):
        return f"The documents of {corpus.slug} changed after this run, so its scores are out of date; mine again."
    if DESCRIBED not in run.params:
        return "An older version of Hardset mined this and did not keep what was declared of the documents; mine again."
    if run.params[DESCRIBED] != corpus_described(corpus):
        return (
            f"What is declared of documents of {corpus.slug} (facts, article, language) changed after this run, so its "
            "groups are out of date; mine again."
        )
    if not corpus.embedding_spaces.filter(current=True, sha256=run.params[VECTORS]).exists():
        return f"{corpus.slug} has other vectors since this run, so its scores are out of date; mine again."
    return ""
