"""Ranked runs: stored under a name, and exact search measured for every query."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from curation.models import Corpus, EmbeddingSpace, Query, QueryScore, RankedRun, TargetIndex
from curation.reports.exact_search import current_space, exact_answers

from .measuring import canonical_ids, rank_of_gold
from .refusal import Refused

EXACT = "exact"
EXACT_DEPTH = 50


@dataclass(frozen=True, slots=True)
class RunFile:
    """What is told of a run besides its answers."""

    name: str
    k: int
    sha256: str = ""
    index: TargetIndex | None = None
    space: EmbeddingSpace | None = None


def store_run(
    *, corpus: Corpus, told: RunFile, answers: Iterable[tuple[int, Sequence[str]]], now: datetime
) -> RankedRun:
    """Store a run under its name, in the place of an earlier one.

    `answers` are (query pk, external ids best first), at most `told.k` ids each.
    """
    answered = {query: list(ids[: told.k]) for query, ids in answers}
    ranks = gold_ranks(corpus, answered)
    with transaction.atomic():
        run, _ = RankedRun.objects.update_or_create(
            corpus=corpus,
            name=told.name,
            defaults={
                "k": told.k,
                "sha256": told.sha256,
                "index": told.index,
                "embedding_space": told.space,
                "measured_at": now,
            },
        )
        run.scores.all().delete()
        scores = (
            QueryScore(run=run, query_id=query, k=told.k, hits=ids, gold_rank=ranks.get(query))
            for query, ids in answered.items()
        )
        QueryScore.objects.bulk_create(scores, batch_size=1000)
    return run


def gold_ranks(corpus: Corpus, answered: dict[int, list[str]]) -> dict[int, int | None]:
    """Where each query's gold stands among its documents, as far as the query has a gold."""
    golds = dict(
        Query.objects.filter(corpus=corpus).exclude(gold_canonical_id="").values_list("pk", "gold_canonical_id")
    )
    canonical = canonical_ids(corpus, {external_id for ids in answered.values() for external_id in ids})
    return {query: rank_of_gold(ids, golds.get(query, ""), canonical) for query, ids in answered.items()}


def run_named(corpus: Corpus, name: str, *, k: int, now: datetime) -> RankedRun:
    """The run called `name`; `exact` is measured now unless what it rests on is unchanged.

    Raises:
        Refused: no run has that name.
        VectorsRefused: the corpus has no vectors, or a query brought none.
    """
    if name == EXACT:
        return measure_exact(corpus=corpus, k=max(k, EXACT_DEPTH), now=now)
    run = RankedRun.objects.filter(corpus=corpus, name=name).first()
    if run is None:
        known = ", ".join(RankedRun.objects.filter(corpus=corpus).values_list("name", flat=True)) or "none yet"
        raise Refused(
            f"Corpus {corpus.slug} has no run called {name}. Its runs: {known}; 'exact' measures exact search."
        )
    return run


def measure_exact(*, corpus: Corpus, k: int, now: datetime) -> RankedRun:
    """Exact float32 search for every query that is not retired, `k` documents each."""
    space = current_space(corpus)
    queries = list(Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED).order_by("pk"))
    fingerprint = exact_fingerprint(space, queries)
    held = RankedRun.objects.filter(corpus=corpus, name=EXACT, sha256=fingerprint, k__gte=k).first()
    if held is not None:
        return held
    index, _ = TargetIndex.objects.get_or_create(corpus=corpus, name=EXACT, defaults={"kind": TargetIndex.Kind.EXACT})
    told = RunFile(name=EXACT, k=k, sha256=fingerprint, index=index, space=space)
    answers = ((a.query_pk, [external for external, _ in a.hits]) for a in exact_answers(space, queries, k=k))
    return store_run(corpus=corpus, told=told, answers=answers, now=now)


def exact_fingerprint(space: EmbeddingSpace, queries: Iterable[Query]) -> str:
    """SHA-256 over what an exact run rests on: the vectors, and each query's text."""
    digest = hashlib.sha256(space.sha256.encode())
    for query in queries:
        digest.update(f"\n{query.pk}\t{query.folded_hash}\t{query.text}".encode())
    return digest.hexdigest()
