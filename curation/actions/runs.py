"""Ranked runs: stored under a name, and exact search measured for every query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from curation.models import Corpus, EmbeddingSpace, Query, QueryScore, RankedRun, TargetIndex
from curation.models.measurements import DEEPEST
from curation.reports.exact_search import current_space, placed_answers
from curation.reports.gate_baseline import require_exact, require_same
from curation.reports.run_answers import no_run_called
from curation.reports.standing import articles_of, rank_of_gold

from .lookups import rows_in
from .many_rows import look_again
from .measuring import standing_among
from .qrels import hold
from .refusal import Refused

EXACT = "exact"
EXACT_DEPTH = 50
BATCH = 1000


@dataclass(frozen=True, slots=True)
class RunFile:
    """What is told of a run besides its answers; `provenance` where it is an exact one of an earlier day."""

    name: str
    k: int
    sha256: str = ""
    index: TargetIndex | None = None
    space: EmbeddingSpace | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)


def store_run(
    *, corpus: Corpus, told: RunFile, answers: Iterable[tuple[int, Sequence[str]]], now: datetime
) -> RankedRun:
    """Store a run under its name, in the place of an earlier one.

    `answers` are (query pk, external ids best first), at most `told.k` ids each.
    """
    answered = dict(answers)
    with transaction.atomic():
        hold(corpus=corpus, query_ids=answered)  # before the scores, as an import does it, or each waits for the other
        run, _ = RankedRun.objects.update_or_create(
            corpus=corpus,
            name=told.name,
            defaults={
                "k": told.k,
                "sha256": told.sha256,
                "index": told.index,
                "embedding_space": told.space,
                "provenance": dict(told.provenance),
                "measured_at": now,
            },
        )
        run.scores.all().delete()
        return add_answers(run=run, answers=answered, now=now)


@transaction.atomic
def add_answers(*, run: RankedRun, answers: Mapping[int, Sequence[str]], now: datetime) -> RankedRun:
    """Add the answers of queries that `run` does not answer yet: query pk → external ids best first."""
    answered = {query: list(ids[: run.k]) for query, ids in answers.items()}
    ranks = gold_ranks(run.corpus, answered)
    scores = (
        QueryScore(run=run, query_id=query, k=run.k, hits=ids, gold_rank=ranks.get(query))
        for query, ids in answered.items()
    )
    QueryScore.objects.bulk_create(scores, batch_size=BATCH, ignore_conflicts=True)
    look_again(len(answered), QueryScore)
    run.measured_at = now
    run.save(update_fields=["measured_at"])
    return run


def gold_ranks(corpus: Corpus, answered: Mapping[int, list[str]]) -> dict[int, int | None]:
    """Where each query's gold stands among its documents, as far as the query has a gold.

    The queries are locked: one that is settled meanwhile waits, and then ranks its gold in the new scores itself.
    """
    queries = Query.objects.select_for_update(no_key=True).filter(corpus=corpus).order_by("pk")
    golds = dict(rows_in(queries.values_list("pk", "gold_canonical_id"), "pk", sorted(answered)))
    standing = standing_among(corpus, {external_id for ids in answered.values() for external_id in ids})
    return {query: rank_of_gold(articles_of(ids, standing), golds.get(query, "")) for query, ids in answered.items()}


def run_named(corpus: Corpus, name: str, *, k: int, now: datetime) -> RankedRun:
    """The run called `name`; `exact` is measured now, as far as it has not been.

    Raises:
        Refused: no run has that name, or exact search is asked for too many documents.
        VectorsRefused: the corpus has no vectors, or a query brought none.
    """
    if name == EXACT and k > DEEPEST:
        raise Refused(f"k counts documents, and is at most {DEEPEST:,}.")
    if name == EXACT:
        return measure_exact(corpus=corpus, k=max(k, EXACT_DEPTH), now=now)
    return run_stored(corpus, name)


def run_stored(corpus: Corpus, name: str) -> RankedRun:
    """The run called `name`.

    Raises:
        Refused: no run has that name.
    """
    run = RankedRun.objects.filter(corpus=corpus, name=name).first()
    if run is None:
        raise Refused(f"{no_run_called(corpus, name)} 'exact' measures exact search.")
    return run


def state_provenance(*, run: RankedRun, told: Mapping[str, Any]) -> RankedRun:
    """Note what an exact run of an earlier day was made of, so that a gate takes it for a baseline.

    Raises:
        Refused: Hardset measured the run itself.
        AnswersRefused: it tells of no exact run of the corpus's vectors at full width, or of one of other answers.
    """
    if run.index is not None and run.index.kind != TargetIndex.Kind.RUN:
        raise Refused(f"{run.name} was measured here and not brought in, so its provenance is not stated.")
    require_exact(run.corpus, told, name=run.name)
    require_same(told, run.sha256, name=run.name)
    run.provenance = dict(told)
    run.save(update_fields=["provenance"])
    return run


def measure_exact(
    *,
    corpus: Corpus,
    k: int,
    now: datetime,
    progress: Callable[[int, int], None] | None = None,
    writing: Callable[[], AbstractContextManager[object]] = transaction.atomic,
) -> RankedRun:
    """Exact float32 search for every query that is not retired, `k` documents each.

    What was measured in the same space at that depth stays: only the queries that are new since are searched.
    `progress(done, total)` counts queries and may raise to stop; a job passes its own `writing`, which checks its hold.
    """
    space = current_space(corpus)
    held = RankedRun.objects.filter(corpus=corpus, name=EXACT, embedding_space=space, k__gte=k).first()
    queries = Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED).order_by("pk")
    new = list(queries.exclude(scores__run=held) if held else queries)
    answers: dict[int, list[str]] = {}
    for answer in placed_answers(space, new, k=held.k if held else k):
        answers[answer.query_pk] = [external_id for external_id, _ in answer.hits]
        if progress is not None:
            progress(len(answers), len(new))
    with writing():
        if held is not None:
            return add_answers(run=held, answers=answers, now=now)
        index, _ = TargetIndex.objects.get_or_create(
            corpus=corpus, name=EXACT, defaults={"kind": TargetIndex.Kind.EXACT}
        )
        told = RunFile(name=EXACT, k=k, sha256=space.sha256, index=index, space=space)
        return store_run(corpus=corpus, told=told, answers=answers.items(), now=now)
