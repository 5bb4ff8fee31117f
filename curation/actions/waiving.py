"""Waivers: a lead lets one rejection stand aside until a date, and takes that back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from curation.actions.refusal import Refused
from curation.models import Corpus, Membership, Role, Slice, User, Waiver
from curation.reports.counts import DIMENSIONS
from curation.reports.schedule import today_in
from curation.reports.waivers import CELL, LOCALE, SLICE
from curation.retrieval.locales import UNDETERMINED, canonical_locale

MOST_REASON = 500


@dataclass(frozen=True, slots=True)
class Terms:
    """What is waived, why, and until which day, that day included."""

    subject: str
    reason: str
    until: date


def grant(*, corpus: Corpus, terms: Terms, by: User, now: datetime) -> Waiver:
    """Waive a subject for the gates that run from now on; a report that stands stays as it is.

    Raises:
        Refused: `by` does not lead the corpus, the subject is none, the reason is missing or the day is past.
    """
    require_lead(corpus, by)
    reason = terms.reason.strip()
    if not reason:
        raise Refused("A waiver needs a reason: whoever reads the report must learn why the floor did not count.")
    if len(reason) > MOST_REASON:
        raise Refused(f"The reason has at most {MOST_REASON} characters; this has {len(reason):,}.")
    until = checked_until(corpus, terms.until, now=now)
    subject = checked_subject(terms.subject)
    return Waiver.objects.create(
        corpus=corpus, subject=subject, reason=reason, until=until, granted_by=by, granted_at=now
    )


def withdraw(*, waiver: Waiver, by: User, now: datetime) -> None:
    """Let the floor count again from now on; done again, it changes nothing.

    Raises:
        Refused: `by` does not lead the corpus.
    """
    require_lead(waiver.corpus, by)
    Waiver.objects.filter(pk=waiver.pk, withdrawn_at=None).update(withdrawn_by=by, withdrawn_at=now)


def require_lead(corpus: Corpus, person: User) -> None:
    """Raise Refused unless the person leads the whole corpus."""
    memberships = Membership.objects.filter(corpus=corpus, user=person, role=Role.LEAD)
    if not any(membership.standing == Role.LEAD for membership in memberships):
        raise Refused(f"Only who leads all of {corpus.slug} waives a floor there; {person} does not.")


def checked_until(corpus: Corpus, until: date, *, now: datetime) -> date:
    """The last day of a waiver.

    Raises:
        Refused: it is past.
    """
    if until < today_in(corpus, now):
        raise Refused(f"{until:%-d %B %Y} is past, so the waiver would do nothing; name a day to come.")
    return until


def checked_subject(text: str) -> str:
    """The subject as reports name it: "slice keyword", "locale tr", "cell tr en" or a cell of all five dimensions.

    Raises:
        Refused: it is none of these, or a locale in it is none.
    """
    kind, *place = text.split() or [""]
    if kind in {LOCALE, CELL}:
        place[:2] = map(_locale, place[:2])
    named = (
        (kind == SLICE and len(place) == 1 and place[0] in Slice.values)
        or (kind == LOCALE and len(place) == 1)
        or (kind == CELL and len(place) in {2, len(DIMENSIONS)})
    )
    if not named:
        raise Refused(
            f'"{text}" is nothing a gate judges; write "slice near_duplicate", "locale tr" or "cell tr en", as the '
            "report names it."
        )
    return " ".join([kind, *place])


def _locale(tag: str) -> str:
    """The tag as cells hold it, so that no waiver stands for a cell that there cannot be."""
    try:
        return tag if tag == UNDETERMINED else canonical_locale(tag)
    except ValueError as fault:
        raise Refused(str(fault)) from fault
