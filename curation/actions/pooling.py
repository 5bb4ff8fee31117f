"""Asking for the pools of READY queries. Judging does the work, under the kind it registers by this name."""

from __future__ import annotations

from datetime import datetime

from curation.actions import jobs
from curation.models import Corpus, Job, User

KIND = "draw_pools"


def ask_for_pools(*, corpus: Corpus, asked_by: User | None, now: datetime) -> Job:
    """The job that draws a pool for every READY query of `corpus` without one; call it whenever a query turns READY.

    The caller hands the job's id to `curation.tasks.send`. A query that turns READY while the job runs is drawn too.
    """
    return jobs.ask(kind=KIND, unique_key=f"{KIND}:{corpus.pk}", params={}, corpus=corpus, asked_by=asked_by, now=now)
