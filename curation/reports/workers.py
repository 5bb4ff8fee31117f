"""Does a worker answer? Said by the rows that workers leave, so that it is known without the broker."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max
from django.utils import timezone
from django.utils.dateformat import format as format_date

from curation.models import Job, WorkerSign
from curation.reports.signs import last_sign, mentioned

# A worker signs every 10 s while one of its children is free, and every running job beats besides.
SILENT_AFTER = timedelta(seconds=25)


def last_answer() -> datetime | None:
    """When a worker was last heard of, by its sign or by a job of its; None where none ever was."""
    signs = WorkerSign.objects.aggregate(at=Max("seen_at"))["at"]
    beats = Job.objects.aggregate(at=Max("heartbeat"))["at"]
    at_work = [last_sign(job) for job in Job.objects.filter(pk__in=list(mentioned()))]
    return max(filter(None, (signs, beats, *at_work)), default=None)


def silence(*, now: datetime) -> str:
    """Since when no worker has answered, as a sentence; nothing while one does."""
    answered = last_answer()
    if answered is None:
        return "No worker has answered yet."
    if now - answered <= SILENT_AFTER:
        return ""
    local, today = timezone.localtime(answered), timezone.localdate(now)
    return f"No worker has answered since {format_date(local, 'H:i' if local.date() == today else 'j M Y, H:i')}."


def is_interrupted(job: Job, *, now: datetime) -> bool:
    """Does a job still marked as running belong to a worker that is not heard of any more?"""
    silence = timedelta(seconds=settings.JOB_SILENCE_SECONDS)
    heard = last_sign(job)
    return job.state == Job.State.RUNNING and heard is not None and now - heard > silence
