"""What a page says of a job beyond its row: whether its worker still answers, and how long it took."""

from __future__ import annotations

from datetime import timedelta

from django import template
from django.utils import timezone

from curation.models import Job
from curation.reports import workers

register = template.Library()

INTERRUPTED = "interrupted"


@register.simple_tag
def job_state(job: Job) -> str:
    """The state of a job's row, or "interrupted" where it runs by its row and its worker is not heard of."""
    return INTERRUPTED if workers.is_interrupted(job, now=timezone.now()) else job.state


@register.filter
def took(duration: timedelta) -> str:
    """How long something took: "under 1 s", "22 s", "14 min 20 s", "2 h 5 min"."""
    seconds = round(duration.total_seconds())
    if seconds < 1:
        return "under 1 s"
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes} min {seconds:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
