"""Sending answers whose text changed to judges, who read what changed and grade anew."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from curation.actions.refusal import Refused
from curation.models import Corpus, Qrel
from judging.actions.candidates import add_candidate
from judging.reports.judging_again import changed_answers
from judging.reports.opinions import TEXT_CHANGED


@dataclass(frozen=True, slots=True)
class Sent:
    """How many answers wait for a judge now, and in words which could not be sent."""

    answers: int
    refused: tuple[str, ...] = ()


def send_changed(*, corpus: Corpus, now: datetime, chosen: Collection[int] | None = None) -> Sent:
    """Send the answers whose text changed to judges: those among the qrels `chosen` (by key), all without.

    Each is sent in a transaction of its own; what was sent before stays as it is. Until somebody judges again the
    grades stand.
    """
    waiting = changed_answers(corpus, unsent=True)
    refusals = [_send(qrel, now) for qrel in waiting if chosen is None or qrel.pk in chosen]
    refused = tuple(words for words in refusals if words)
    return Sent(len(refusals) - len(refused), refused)


def _send(qrel: Qrel, now: datetime) -> str:
    """Why it cannot be sent; "" where it is."""
    if qrel.gold_document is None:
        raise ValueError("An answer whose text changed has a document.")
    try:
        add_candidate(query=qrel.query, document=qrel.gold_document, origin=TEXT_CHANGED, now=now)
    except Refused as refusal:
        return str(refusal)
    return ""
