"""Asking people to write: assignments, and the hours they have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction

from curation.actions.plan import MOST_PLANNED
from curation.actions.refusal import Refused
from curation.models import BookedHours, Corpus, Membership, Role, Stratum, User, WritingAssignment
from curation.reports.schedule import today_in
from curation.reports.team import month_of, team_of
from curation.reports.written_next import WrittenNext, to_ask
from curation.retrieval.locales import language_name

LEAST_HOURS, MOST_HOURS = 0.1, 744
MONTHS_BACK, MONTHS_AHEAD = 12, 24
HOURS_IN_WORDS = f"book between {LEAST_HOURS} and {MOST_HOURS} hours a month, or 0 for none"


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of a whole table: so many queries asked for, of so many people; `nobody` are locales without one."""

    queries: int
    people: int
    nobody: tuple[str, ...]


@transaction.atomic
def assign(*, stratum: Stratum, person: User, count: int, assigned_by: User, now: datetime) -> WritingAssignment:
    """Ask a person for `count` queries of a stratum, beside what they were asked for before.

    Raises:
        Refused: they do not write its language in this corpus, or the number is out of range.
    """
    if not 1 <= count <= MOST_PLANNED:
        raise Refused(f"Assign between 1 and {MOST_PLANNED:,} queries.")
    held = Membership.objects.filter(corpus=stratum.corpus_id, user=person, role=Role.WRITER).first()
    if held is None or stratum.query_language not in held.languages:
        language = language_name(stratum.query_language)
        raise Refused(f"{person} does not write {language} here. Give them the language under People first.")
    return WritingAssignment.objects.create(
        stratum=stratum, person=person, count=count, assigned_by=assigned_by, assigned_at=now
    )


@transaction.atomic
def assign_path(*, corpus: Corpus, table: WrittenNext, assigned_by: User, now: datetime) -> Asked:
    """Ask for what the table lacks: each step goes to whoever of its locale has least to write.

    What is assigned already, anywhere in a step's cell, is not asked for again, so that done twice it adds nothing.
    """
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)  # two leads take turns
    team = team_of(corpus, now=now)
    made: list[WritingAssignment] = []
    nobody: list[str] = []
    steps = [row.step for row in table.rows]
    for step, lacking in zip(steps, to_ask(steps, team.assigned), strict=True):
        writers = team.writers_of(step.locale)
        if lacking and not writers:
            nobody.append(step.locale)
        elif lacking:
            made += _assignments(lacking, writers[0].pk, assigned_by=assigned_by, now=now)
    WritingAssignment.objects.bulk_create(made)
    return Asked(sum(each.count for each in made), len({each.person_id for each in made}), tuple(nobody))


def _assignments(
    lacking: Mapping[int, int], person: int, *, assigned_by: User, now: datetime
) -> list[WritingAssignment]:
    return [
        WritingAssignment(stratum_id=stratum, person_id=person, count=count, assigned_by=assigned_by, assigned_at=now)
        for stratum, count in lacking.items()
    ]


@transaction.atomic
def withdraw(*, assignment: WritingAssignment, now: datetime) -> WritingAssignment:
    """Take an assignment back; what was written of it stays. Done again it changes nothing."""
    held = WritingAssignment.objects.select_for_update(of=("self",), no_key=True).select_related("person", "stratum")
    found = held.get(pk=assignment.pk)
    if found.withdrawn_at is None:
        found.withdrawn_at = now
        found.save(update_fields=["withdrawn_at"])
    return found


@transaction.atomic
def book_hours(*, corpus: Corpus, month: date, hours: Mapping[int, float], now: datetime) -> None:
    """Say how many hours people have in a month, by their key; 0 takes a booking away.

    Raises:
        Refused: somebody is no member here, a number is no hours of a month, or the month is far from `now`.
    """
    first, this = month_of(month), today_in(corpus, now)
    if not -MONTHS_BACK <= 12 * (first.year - this.year) + first.month - this.month <= MONTHS_AHEAD:
        raise Refused(f"{first:%B %Y} is too far away: book a month up to a year back and up to two years ahead.")
    members = set(Membership.objects.filter(corpus=corpus).values_list("user_id", flat=True))
    if strangers := set(hours) - members:
        raise Refused(f"{len(strangers)} of these people have no role in this corpus any more. Look at the page again.")
    if not all(booked == 0 or LEAST_HOURS <= booked <= MOST_HOURS for booked in hours.values()):
        raise Refused(f"{HOURS_IN_WORDS.capitalize()}.")
    gone = [person for person, booked in hours.items() if not booked]
    BookedHours.objects.filter(corpus=corpus, month=first, person__in=gone).delete()
    BookedHours.objects.bulk_create(
        (
            BookedHours(corpus=corpus, person_id=person, month=first, hours=booked)
            for person, booked in hours.items()
            if booked
        ),
        update_conflicts=True,
        unique_fields=["corpus", "person", "month"],
        update_fields=["hours"],
    )
