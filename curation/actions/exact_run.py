"""Measuring exact search in the background, so that the board's run keeps up with the queries."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from curation.models import Corpus, Job, User
from curation.reports.due import current_spaces, is_due, unmeasured

from . import jobs
from .holds import Held
from .runs import EXACT, EXACT_DEPTH, measure_exact

KIND = "measure_exact"


def ask_to_measure(*, corpus: Corpus, asked_by: User | None, now: datetime) -> Job:
    """The job that measures exact search for the queries of `corpus` that it has not been measured for."""
    return jobs.ask(kind=KIND, unique_key=f"{KIND}:{corpus.pk}", params={}, corpus=corpus, asked_by=asked_by, now=now)


def ask_where_due(*, now: datetime) -> list[Job]:
    """Ask for every corpus whose exact run has fallen behind its queries."""
    behind = [s.corpus for s in current_spaces() if is_due(s.corpus, unmeasured(s, EXACT), kind=KIND, now=now)]
    return [ask_to_measure(corpus=corpus, asked_by=None, now=now) for corpus in behind]


def measure(held: Held) -> dict[str, Any]:
    """Measure exact search for the job's corpus."""
    progress = held.counting("queries searched")
    run = measure_exact(corpus=held.corpus, k=EXACT_DEPTH, now=timezone.now(), progress=progress, writing=held.writing)
    return {"run": run.name, "queries": run.scores.count()}
