"""Measuring an index that is connected: what it answers for every query, stored as a run under the index's name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from curation.indexes.base import Index
from curation.models import Job, Query, RankedRun, TargetIndex, User
from curation.models.measurements import DEEPEST
from curation.reports.index_kinds import needs_vectors
from curation.reports.indexes import asked_queries, open_index, space_of

from . import jobs
from .holds import Held
from .refusal import Refused
from .runs import RunFile, add_answers, store_run

KIND = "measure_index"
DEPTH = 50
BATCH = 64  # queries asked between two looks at whether the job goes on

Progress = Callable[[int, int], None]


def ask_to_measure_index(*, index: TargetIndex, asked_by: User | None, now: datetime) -> Job:
    """The job that measures `index`; the one that is at it already, where there is one.

    Raises:
        Refused: a run that is not the index's own has its name.
    """
    check_name(index)
    key = f"{KIND}:{index.pk}"
    return jobs.ask(
        kind=KIND, unique_key=key, params={"index": index.pk}, corpus=index.corpus, asked_by=asked_by, now=now
    )


def measure(held: Held) -> dict[str, Any]:
    """Measure the job's index."""
    index = held.corpus.indexes.get(pk=held.job.params["index"])
    progress = held.counting("queries asked")
    run = measure_index(index=index, now=timezone.now(), progress=progress, writing=held.writing)
    return {"run": run.name, "queries": run.scores.count()}


def measure_index(
    *,
    index: TargetIndex,
    now: datetime,
    k: int | None = None,
    progress: Progress | None = None,
    writing: Callable[[], AbstractContextManager[object]] = transaction.atomic,
) -> RankedRun:
    """Ask `index` every query that is not retired, `k` documents each: without it as many as before, 50 at first.

    While the index answers from the same (its fingerprint says so), only the queries that are new since are asked;
    else all are, and the run is replaced. `progress` and `writing` are as those of `runs.measure_exact`.

    Raises:
        Refused: a run that is not the index's own has its name, or k is no depth.
        IndexRefused, TextsRefused, VectorsRefused: it does not answer, or a query has no vector for it.
    """
    check_name(index)
    depth = depth_of(index) if k is None else k
    if not 1 <= depth <= DEEPEST:
        raise Refused(f"k counts documents, from 1 to {DEEPEST:,}.")
    opened = open_index(index)
    space = space_of(index) if needs_vectors(index) else None
    told = RunFile(index.name, depth, sha256=opened.fingerprint(), index=index, space=space)
    held = index.ranked_runs.filter(name=told.name, k=told.k, sha256=told.sha256, embedding_space=space).first()
    queries = index.corpus.queries.exclude(status=Query.Status.RETIRED).select_related("stratum").order_by("pk")
    new = list(queries.exclude(scores__run=held) if held else queries)
    answers = _asked(index, opened, new, k=depth, progress=progress)
    with writing():
        if held is not None:
            return add_answers(run=held, answers=answers, now=now)
        return store_run(corpus=index.corpus, told=told, answers=answers.items(), now=now)


def depth_of(index: TargetIndex) -> int:
    """How deep the index was measured last, so that a press on the board does not cut a run that a gate reads."""
    held = index.ranked_runs.filter(name=index.name).order_by("-measured_at", "-pk").first()
    return held.k if held else DEPTH


def check_name(index: TargetIndex) -> None:
    """Refuse to measure an index in the place of a run from elsewhere.

    Raises:
        Refused: such a run has its name.
    """
    if RankedRun.objects.filter(corpus=index.corpus, name=index.name).exclude(index=index).exists():
        why = f"A run called {index.name} came from elsewhere, and measuring the index would take its place."
        raise Refused(f"{why} Add the index under another name, or import the run under one.")


def _asked(
    index: TargetIndex, opened: Index, queries: Sequence[Query], *, k: int, progress: Progress | None
) -> dict[int, list[str]]:
    """Query pk → external ids best first; without the queries whose text the index's encoder cannot place."""
    found: dict[int, list[str]] = {}
    keys = {query.external_id: query.pk for query in queries}
    for start in range(0, len(queries), BATCH):
        part = queries[start : start + BATCH]
        asked = asked_queries(index, part)
        for query, ranking in zip(asked, opened.search(asked, k), strict=True):
            found[keys[query.external_id]] = [place.external_id for place in ranking]
        if progress is not None:
            progress(start + len(part), len(queries))
    return found
