"""Who writes in a corpus, what they are asked to write, the hours they have, and their measured pace: one SQL query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.expressions import Combinable

from curation.measures.cost import JUDGING, WRITING_SECONDS
from curation.models import BookedHours, Corpus, Membership, Query, Role, User, WritingAssignment

from .checks import live
from .coming import SHARED
from .rows import Listed, Rows
from .schedule import today_in
from .steps import Rates
from .written_for import toward

WEEKS = 4
"""The pace is that of the last four weeks."""
ENOUGH = 30
"""From so many measured queries on, their median stands in for the planning figure."""
LATEST = 200
"""The median is that of the latest so many."""

Measured = Callable[[Corpus], Mapping[str, QuerySet[Any, Any]]]
"""Kind of pool → seconds of judged queries, the latest first, in one column called `listed`."""
ByPeople = Callable[[Corpus, datetime], QuerySet[Query]]
"""The queries whose judging came to its end since a moment, by people and not by a file."""

_judged: list[tuple[Measured, ByPeople]] = []


def add_judged(measured: Measured, by_people: ByPeople) -> None:
    """Let judging tell what people judged, and how long it took; it says so when it starts."""
    _judged[:] = [(measured, by_people)]


@dataclass(frozen=True, slots=True)
class Assigned:
    """So many queries of a stratum that a person is asked for, and how many of them they have written since."""

    pk: int
    stratum_id: int
    person_id: int
    person: str
    count: int
    written: int
    assigned_at: datetime

    @property
    def left(self) -> int:
        """How many are still to be written."""
        return max(0, self.count - self.written)


@dataclass(frozen=True, slots=True)
class Person:
    """A member: the locales they write, and the hours booked this month."""

    pk: int
    name: str
    languages: frozenset[str]
    hours: float


@dataclass(frozen=True, slots=True)
class Rate:
    """Seconds a query, and of how many measured queries that is the median: 0 for the planning figure."""

    seconds: float
    measured: int = 0


@dataclass(frozen=True, slots=True)
class Team:
    """The people of a corpus; `assigned` are the assignments that stand. `judging` is by kind of pool.

    `written` and `judged` queries fall into the last four weeks: written at the desk, none that was taken back or
    retired, and judged by people, as a file brings thousands in a minute. A variant is judged and not written: its text
    takes a key, and the hours of a path are those of wordings that somebody thinks of.
    """

    people: Sequence[Person]
    assigned: Sequence[Assigned]
    writing: Rate
    judging: Mapping[str, Rate]
    written: int
    judged: int

    @property
    def hours(self) -> float:
        """Hours booked this month by all."""
        return sum(person.hours for person in self.people)

    @property
    def owed(self) -> dict[int, int]:
        """Person (by key) → queries they are asked for and have not written."""
        left: dict[int, int] = {}
        for each in self.assigned:
            left[each.person_id] = left.get(each.person_id, 0) + each.left
        return left

    @property
    def rates(self) -> Rates:
        """What a query takes, for the path."""
        return Rates(self.writing.seconds, {kind: rate.seconds for kind, rate in self.judging.items()})

    def writers_of(self, locale: str) -> list[Person]:
        """Who writes a locale: the one with the fewest queries left to write first, then by name."""
        left = self.owed
        writers = (person for person in self.people if locale in person.languages)
        return sorted(writers, key=lambda person: (left.get(person.pk, 0), person.name, person.pk))


def team_of(corpus: Corpus, *, now: datetime) -> Team:
    """The team of `corpus` as it stands at `now`."""
    rows = list(_members(corpus, now=now))
    first = rows[0] if rows else {}
    return Team(
        people=_people(rows),
        assigned=_each_once(list({row["asked"]: _assignment(row) for row in rows if _stands(row, corpus)}.values())),
        writing=_rate(first.get("seconds_written"), WRITING_SECONDS),
        judging={kind: _rate(first.get(f"seconds_{kind}"), planned) for kind, planned in JUDGING.items()},
        written=first.get("made", 0),
        judged=first.get("settled", 0),
    )


def month_of(day: date) -> date:
    """The first day of the month."""
    return day.replace(day=1)


def booked_in(corpus: Corpus, month: date) -> list[Person]:
    """The members of `corpus` with the hours each has booked in the month that begins on `month`."""
    booked = BookedHours.objects.filter(corpus=corpus, month=month, person=OuterRef("user"))
    columns = ("user_id", "user__name", "user__username", "role", "languages", "hours")
    held = Membership.objects.filter(corpus=corpus).annotate(hours=Subquery(booked.values("hours")[:1]))
    return _people(list(held.order_by("user__username", "role").values(*columns)))


def assignments_of(corpus: Corpus, person: User) -> list[Assigned]:
    """What a person is asked to write in `corpus`, the oldest first; one query."""
    wrote = _wrote(author=person)
    held = WritingAssignment.objects.filter(stratum__corpus=corpus, person=person, withdrawn_at=None)
    rows = held.annotate(wrote=wrote).order_by("assigned_at", "pk")
    return _each_once(
        [
            Assigned(each.pk, each.stratum_id, person.pk, str(person), each.count, each.wrote, each.assigned_at)
            for each in rows
        ]
    )


def asked_of(corpus: Corpus, person: User) -> set[int]:
    """The strata (by key) of which a person still owes queries."""
    return {each.stratum_id for each in assignments_of(corpus, person) if each.left}


def _members(corpus: Corpus, *, now: datetime) -> QuerySet[Any, dict[str, Any]]:
    """A row for each membership and each assignment of its person; the corpus's own figures stand in every row."""
    booked = BookedHours.objects.filter(corpus=corpus, month=month_of(today_in(corpus, now)), person=OuterRef("user"))
    recent = now - timedelta(weeks=WEEKS)
    desk = live(corpus).filter(origin=Query.Origin.WRITTEN)
    made = desk.filter(author__isnull=False, created_at__gte=recent)
    measured, by_people = _judged[0]
    settled, judged = by_people(corpus, recent), measured(corpus)
    written = desk.filter(metadata__seconds__gt=0).order_by("-created_at", "-pk")
    latest: QuerySet[Any, Any] = written.values(listed=F("metadata__seconds"))
    columns = {
        "hours": Subquery(booked.values("hours")[:1]),
        "made": Rows(made.order_by().values("pk")),
        "settled": Rows(settled.order_by().values("pk")),
        "seconds_written": Listed(latest[:LATEST]),
        **{f"seconds_{kind}": Listed(seconds[:LATEST]) for kind, seconds in judged.items()},
    }
    held = Membership.objects.filter(corpus=corpus).annotate(**columns, **_asked())
    people = ("user_id", "user__name", "user__username", "role", "languages")
    rows: QuerySet[Any, dict[str, Any]] = held.values(*people, *columns, *_asked())
    return rows.order_by("user__username", "role", "user__writing_assignments__pk")


def _asked() -> dict[str, Any]:
    """The columns of a person's assignments; what they wrote of one is counted where it stands."""
    at = "user__writing_assignments"
    return {
        "asked": F(f"{at}__pk"),
        "asked_in": F(f"{at}__stratum__corpus"),
        "asked_stratum": F(f"{at}__stratum"),
        "asked_count": F(f"{at}__count"),
        "asked_at": F(f"{at}__assigned_at"),
        "withdrawn_at": F(f"{at}__withdrawn_at"),
        "wrote": _wrote(author=OuterRef("user"), at=f"{at}__"),
    }


def _wrote(*, author: User | OuterRef, at: str = "") -> Combinable:
    """How many queries `author` wrote of an assignment since, those on the way to its stratum too.

    `at` leads from the outer rows to the assignment.
    """
    same = {f"stratum__{name}": OuterRef(f"{at}stratum__{name}") for name in ("corpus", *SHARED)}
    wrote = Query.objects.exclude(status=Query.Status.RETIRED).filter(
        author=author, created_at__gte=OuterRef(f"{at}assigned_at"), **same
    )
    there = toward(wrote, corpus=OuterRef("corpus"), language=OuterRef(f"{at}stratum__corpus_language"))
    return Rows(there.order_by().values("pk"))


def _people(rows: Sequence[Mapping[str, Any]]) -> list[Person]:
    """Each member once, with the languages they write."""
    languages: dict[int, set[str]] = {}
    for row in rows:
        written = row["languages"] if row["role"] == Role.WRITER else []
        languages.setdefault(row["user_id"], set()).update(written)
    told = {row["user_id"]: row for row in rows}
    return [Person(pk, _name(row), frozenset(languages[pk]), row["hours"] or 0.0) for pk, row in told.items()]


def _name(row: Mapping[str, Any]) -> str:
    return row["user__name"] or row["user__username"]  # type: ignore[no-any-return]  # both are columns of text


def _assignment(row: Mapping[str, Any]) -> Assigned:
    return Assigned(
        pk=row["asked"],
        stratum_id=row["asked_stratum"],
        person_id=row["user_id"],
        person=_name(row),
        count=row["asked_count"],
        written=row["wrote"],
        assigned_at=row["asked_at"],
    )


def _stands(row: Mapping[str, Any], corpus: Corpus) -> bool:
    """Whether a row holds an assignment of this corpus that nobody withdrew; one of two memberships repeats it."""
    return row["asked_in"] == corpus.pk and row["withdrawn_at"] is None


def _each_once(assigned: Sequence[Assigned]) -> list[Assigned]:
    """The same assignments, every query counted for one of them.

    Whoever is asked twice for a stratum owes the sum: a query counts for the oldest that stood when it was written and
    is not met yet, and for the newest of them once all are met.
    """
    asked: dict[tuple[int, int], list[Assigned]] = {}
    for each in sorted(assigned, key=lambda each: (each.assigned_at, each.pk)):
        asked.setdefault((each.person_id, each.stratum_id), []).append(each)
    told = {each.pk: each for together in asked.values() for each in _in_turn(together)}
    return [told[each.pk] for each in assigned]


def _in_turn(assigned: Sequence[Assigned]) -> list[Assigned]:
    """Assignments of one stratum and person, the oldest first; each comes in with all that was written since."""
    written = [0] * len(assigned)
    since = [*(each.written for each in assigned), 0]
    for place in range(len(assigned)):
        left = since[place] - since[place + 1]
        for older in range(place + 1):
            taken = min(left, max(0, assigned[older].count - written[older]))
            written[older], left = written[older] + taken, left - taken
        written[place] += left
    return [replace(each, written=count) for each, count in zip(assigned, written, strict=True)]


def _rate(seconds: Sequence[int] | None, planned: float) -> Rate:
    """The measured median where there are enough, else the planning figure."""
    if seconds is None or len(seconds) < ENOUGH:
        return Rate(planned)
    return Rate(median(seconds), len(seconds))
