"""Having alarms told: the messages of webhooks and the mail to leads, sent by a job that the sweep asks for."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from curation.actions import jobs
from curation.actions.alarms import has_mail, mail_waiting
from curation.actions.holds import Held
from curation.actions.webhooks import is_due, send_due
from curation.models import Job

KIND = "tell_alarms"


def ask_where_due(*, now: datetime) -> list[Job]:
    """The job that tells, where a message is due or mail waits."""
    if not is_due(now=now) and not has_mail(now=now):
        return []
    return [jobs.ask(kind=KIND, unique_key=KIND, params={}, corpus=None, asked_by=None, now=now)]


def tell(held: Held) -> dict[str, Any]:
    """Send what is due; what fails waits for its next attempt."""
    return {"mailed": mail_waiting(now=timezone.now()), "sent": send_due(held)}
