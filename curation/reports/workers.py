"""Does a worker answer? Said by the rows that workers leave, so that it is known without the broker."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max

from curation.models import Job, WorkerSign

# A worker signs every 10 s while one of its children is free, and every running job beats besides.
SILENT_AFTER = timedelta(seconds=25)


def last_answer() -> datetime | None:
    """When a worker was last heard of, by its sign or by the heartbeat of a job; None where none ever was."""
    signs = WorkerSign.objects.aggregate(at=Max("seen_at"))["at"]
    beats = Job.objects.aggregate(at=Max("heartbeat"))["at"]
    return max(filter(None, (signs, beats)), default=None)


def is_silent(*, now: datetime) -> bool:
    """Has no worker answered for so long that one must be missing?"""
    answered = last_answer()
    return answered is None or now - answered > SILENT_AFTER


def is_interrupted(job: Job, *, now: datetime) -> bool:
    """Does a job still marked as running belong to a worker that is not heard of any more?"""
    silence = timedelta(seconds=settings.JOB_SILENCE_SECONDS)
    return job.state == Job.State.RUNNING and job.heartbeat is not None and now - job.heartbeat > silence
