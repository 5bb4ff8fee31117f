"""Mail, where the operator named a server for it: nothing is sent otherwise."""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Sequence

from django.conf import settings
from django.core.mail import send_mail

from curation.models import DriftAlarm, Invitation

log = logging.getLogger(__name__)


def mail_invitation(invitation: Invitation, link: str) -> str:
    """Send the link to the invitation's address; what became of it in words, "" where nothing is to be sent."""
    if not (settings.EMAIL_URL and invitation.email):
        return ""
    words = (
        f"{invitation.invited_by} invites you into {invitation.corpus.name} on Hardset, as {invitation.standing}.\n\n"
        f"{link}\n\nThe link works once, until {invitation.expires_at:%d %B %Y}."
    )
    try:
        send_mail(f"Invitation into {invitation.corpus.name}", words, None, [invitation.email])
    except (OSError, smtplib.SMTPException):
        log.exception("An invitation could not be mailed.")
        return "The mail could not be sent; pass the link on yourself."
    return f"It is on its way to {invitation.email} too."


def mail_alarm(alarm: DriftAlarm, addresses: Sequence[str]) -> bool:
    """Send an alarm with the command of the way back; whether it went out."""
    way_out = f"To lead its alias back, which nothing does by itself:\n\n{alarm.command}\n\n" if alarm.command else ""
    words = f"{alarm.words}\n\n{way_out}It says how near answers are to exact search, not whether they are right."
    try:
        send_mail(f"Drift alarm: {alarm.index.name} in {alarm.index.corpus.name}", words, None, list(addresses))
    except (OSError, smtplib.SMTPException):
        log.exception("A drift alarm could not be mailed.")
        return False
    return True
