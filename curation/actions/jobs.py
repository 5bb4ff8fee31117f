"""Asking for background work, cancelling it, and finding what got lost.

The row is the only record of a job; the broker merely carries its id. Nothing here talks to the broker.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q

from curation.actions import signs
from curation.actions.refusal import Refused
from curation.models import Corpus, Job, MiningRun, User, WorkerSign
from curation.reports.signs import is_cancel_asked, last_sign, mentioned

# A job whose worker died this often is not started again: it takes its worker down with it.
MOST_INTERRUPTIONS = 3
# A job just asked for is being sent by whoever asked; the sweep leaves it alone for so long.
SENDING = timedelta(seconds=10)


def silence() -> timedelta:
    """How long a running job may stay without a heartbeat before it counts as interrupted."""
    return timedelta(seconds=settings.JOB_SILENCE_SECONDS)


def digest(params: dict[str, Any]) -> str:
    """The SHA-256 of what a job is asked with, for a job that is unique by all of it."""
    return hashlib.sha256(json.dumps(params, sort_keys=True).encode()).hexdigest()


def ask(
    *, kind: str, unique_key: str, params: dict[str, Any], corpus: Corpus | None, asked_by: User | None, now: datetime
) -> Job:
    """The live job of `unique_key` where there is one, else a new one, waiting.

    The caller hands its id to `curation.tasks.send`.
    """
    with transaction.atomic():
        live = Job.objects.filter(unique_key=unique_key, state__in=Job.LIVE).first()
        if live is not None:
            return live
        try:
            with transaction.atomic():
                return Job.objects.create(
                    kind=kind, unique_key=unique_key, params=params, corpus=corpus, asked_by=asked_by, created_at=now
                )
        except IntegrityError:  # someone asked for the same at this moment
            return Job.objects.filter(unique_key=unique_key).latest("pk")


def move(jobs: Iterable[int], state: Job.State, *, now: datetime, only: Q, **fields: object) -> list[int]:
    """Bring those of `jobs` that fulfil `only` into `state`, and the mining runs they do with them; their ids."""
    moved = []
    with transaction.atomic():
        ends = {} if state in Job.LIVE else {"finished_at": now}
        for pk in jobs:
            if Job.objects.filter(only, pk=pk).update(state=state, **ends, **fields):
                MiningRun.objects.filter(job_id=pk).update(state=state, **ends)
                moved.append(pk)
    return moved


def cancel(*, job_id: int, now: datetime) -> Job:
    """End a waiting or running job at once; whoever works on it may write nothing from here on.

    Where somebody writes to SQLite for long, perhaps this very job, it is only asked to end: it does so within seconds,
    and is returned as it is.

    Raises:
        Refused: the job has ended already.
    """
    ended: list[int] = []
    if not signs.is_written(lambda: ended.extend(_cancelled(job_id, now))):
        signs.ask_cancel(job_id)
    elif not ended:
        job = Job.objects.get(pk=job_id)
        raise Refused(f"This job has ended already: {job.get_state_display().lower()}.")
    return Job.objects.get(pk=job_id)


def cancel_where_asked(*, job_id: int, now: datetime) -> None:
    """Cancel the job in its row too, where its cancel was asked for beside it."""
    if is_cancel_asked(job_id):
        _cancelled(job_id, now)


def _cancelled(job_id: int, now: datetime) -> list[int]:
    return move([job_id], Job.State.CANCELLED, now=now, only=Q(state__in=Job.LIVE))


def mark_sent(*, job_id: int, now: datetime) -> None:
    """Note that the broker took the id."""
    Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(sent_at=now)


def sign(*, worker: str, now: datetime) -> None:
    """Note that `worker` lives."""
    WorkerSign.objects.update_or_create(name=worker, defaults={"seen_at": now})


def sweep(*, now: datetime) -> list[int]:
    """Put jobs whose worker died back in the queue; the ids of all that must be sent (again).

    The sweep itself comes through the broker's queue and is dropped when it waits there for long, so a job sent
    `silence()` ago has been taken from the queue before it: still waiting means that its message got lost.
    """
    _read_signs(now)
    interrupt(now=now)
    unsent = Q(sent_at__isnull=True, created_at__lt=now - SENDING) | Q(sent_at__lt=now - silence())
    return list(Job.objects.filter(unsent, state=Job.State.QUEUED).order_by("pk").values_list("pk", flat=True))


def _read_signs(now: datetime) -> None:
    """Do what stands beside the rows and nobody did, and forget what is said of jobs that are not at work."""
    for job_id in mentioned():
        cancel_where_asked(job_id=job_id, now=now)
        if not Job.objects.filter(pk=job_id, state=Job.State.RUNNING).exists():
            signs.clear(job_id)


def interrupt(*, now: datetime) -> None:
    """Let running jobs without a heartbeat wait for another worker; fail those whose worker died too often."""
    silent = Q(state=Job.State.RUNNING, heartbeat__lt=now - silence())
    often = Q(interruptions__gte=MOST_INTERRUPTIONS - 1)
    counted = {"interruptions": F("interruptions") + 1}
    found = [job.pk for job in Job.objects.filter(silent) if (last_sign(job) or now) < now - silence()]
    words = (
        f"The worker died {MOST_INTERRUPTIONS} times during this job, so it is not started again. "
        "The worker's log tells why; ask for the job again when that is mended."
    )
    move(found, Job.State.FAILED, now=now, only=silent & often, error=words, **counted)
    move(found, Job.State.QUEUED, now=now, only=silent, sent_at=None, **counted)
