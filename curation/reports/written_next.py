"""What to write next, as a lead sees it: the path with who writes each step, whether it fits, and when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from typing import Any

from curation.measures.cost import HOUR, in_hours
from curation.models import Corpus

from .counts import StratumCount
from .coverage import Coverage
from .path import path_of
from .schedule import today_in
from .steps import Path, Step
from .team import ENOUGH, WEEKS, Assigned, Person, Rate, Team, team_of


@dataclass(frozen=True, slots=True)
class Next:
    """One step with its people: those it is assigned to (`assigned`), else those who write its locale.

    `to_ask` are the wordings that nobody is asked for yet, by stratum.
    """

    step: Step
    people: Sequence[str]
    assigned: int
    to_ask: Mapping[int, int]

    def as_json(self) -> dict[str, Any]:
        """The step as the command prints it."""
        return {**self.step.as_json(), "writers": list(self.people), "assigned": self.assigned}


@dataclass(frozen=True, slots=True)
class WrittenNext:
    """The whole table, with its totals."""

    path: Path
    rows: Sequence[Next]
    team: Team
    today: date

    @property
    def assignable(self) -> int:
        """How many steps somebody could still be asked to write."""
        return sum(bool(row.people and row.to_ask) for row in self.rows)

    @property
    def fits(self) -> bool | None:
        """Whether the path fits in the hours booked this month; None where nobody has booked any."""
        return self.path.cost.hours <= self.team.hours if self.team.hours else None

    @property
    def done_on(self) -> date | None:
        """The day the path ends at the pace of the last four weeks; None where it is too early to tell."""
        return eta(self.path, self.team, today=self.today)

    @property
    def booked(self) -> str:
        """The hours booked this month by all, as hours are said."""
        return f"{in_hours(self.team.hours * HOUR)} h"

    @property
    def total(self) -> str:
        """What the path takes, whether it fits, and when it ends, in sentences."""
        fitting = {
            True: "Fits in the booked hours.",
            False: "More than the booked hours.",
            None: "No hours are booked this month.",
        }
        return f"{self.path.cost.in_words}. {fitting[self.fits]} {self.ending}"

    @property
    def ending(self) -> str:
        """When the path ends, in a sentence, or why it is too early to tell."""
        done = f"{self.team.written:,} written at the desk and {self.team.judged:,} judged by people in four weeks"
        if day := self.done_on:
            return f"At {done}, done by {day.day} {day:%b %Y}."
        return f"Too early to tell when it is done: {done}, and a pace takes {ENOUGH} of what is left to do."

    @property
    def rates(self) -> list[tuple[str, Rate]]:
        """What was reckoned with: writing, then judging by kind of pool, those that the path uses."""
        used = {count.pool_kind for step in self.path.steps for count in step.strata} or {"exact50"}
        return [("writing", self.team.writing), *((kind, self.team.judging[kind]) for kind in sorted(used))]

    def as_json(self) -> dict[str, Any]:
        """The table as the command prints it."""
        cost = self.path.cost
        return {
            "target": self.path.target,
            "steps": [row.as_json() for row in self.rows],
            "to_write": self.path.to_write,
            "to_judge": self.path.to_judge,
            "writing_seconds": cost.writing,
            "judging_seconds": cost.judging,
            "person_hours": cost.hours,
            "person_days": cost.days,
            "booked_hours": self.team.hours,
            "fits": self.fits,
            "pace": {"weeks": WEEKS, "written": self.team.written, "judged": self.team.judged, "enough": ENOUGH},
            "done_on": self.done_on.isoformat() if self.done_on else None,
            "rates": {name: {"seconds": rate.seconds, "measured": rate.measured} for name, rate in self.rates},
        }


def written_next(
    corpus: Corpus, counts: Sequence[StratumCount], answer: Coverage, *, shares: Mapping[str, float], now: datetime
) -> WrittenNext:
    """The table for strata already counted and the board that answers for them; one SQL query."""
    team = team_of(corpus, now=now)
    worst = answer.worst.dimensions if answer.worst else None
    path = path_of(counts, target=answer.target, worst=worst, shares=shares, rates=team.rates)
    open_steps = zip(path.steps, to_ask(path.steps, team.assigned), strict=True)
    return WrittenNext(
        path, [_with_people(step, team, lacking) for step, lacking in open_steps], team, today_in(corpus, now)
    )


def eta(path: Path, team: Team, *, today: date) -> date | None:
    """The later day of the two on which, at the team's pace, everything is written and everything is judged.

    None where the team has written or judged fewer than `ENOUGH` of what is still to be done.
    """
    left = [(path.to_write, team.written), (path.to_judge, team.judged)]
    if any(count and done < ENOUGH for count, done in left):
        return None
    weeks = max((count * WEEKS / done for count, done in left if count), default=0.0)
    return today + timedelta(days=ceil(7 * weeks))


def to_ask(steps: Iterable[Step], assigned: Iterable[Assigned]) -> list[dict[int, int]]:
    """The wordings of each step that nobody is asked for yet, by stratum.

    What is assigned anywhere in the cell of a step and not yet written brings it nearer, and counts for one step alone.
    """
    left = Counter[int]()
    for each in assigned:
        left[each.stratum_id] += each.left
    return [_to_ask(step, left) for step in steps]


def _to_ask(step: Step, left: Counter[int]) -> dict[int, int]:
    """The wordings of one step; what it uses of `left` is taken out of it."""
    lacking = dict(step.fills)
    own = [(key, key) for key in lacking]
    elsewhere = [(count.stratum_id, key) for count in step.strata for key in reversed(lacking)]
    for asked, key in own + elsewhere:
        met = min(lacking[key], left[asked])
        lacking[key] -= met
        left[asked] -= met
    return {key: count for key, count in lacking.items() if count}


def _with_people(step: Step, team: Team, lacking: Mapping[int, int]) -> Next:
    """Who the step is assigned to, else who writes its locale."""
    keys = {count.stratum_id for count in step.strata}
    asked: list[Assigned] = [each for each in team.assigned if each.stratum_id in keys and each.left]
    names = list(dict.fromkeys(each.person for each in asked))
    writers: list[Person] = team.writers_of(step.locale)
    return Next(step, names or [person.name for person in writers], sum(each.left for each in asked), lacking)
