"""The plan of a corpus: every stratum with what is planned for it and what it has, and what the rest costs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from typing import Any

from curation.formats.plan import write_plan
from curation.measures.cost import REFRESH_DAYS, Cost
from curation.measures.weights import headline_weights, oversampling
from curation.models import Corpus, Stratum

from .checks import have_of
from .counts import DIMENSIONS, StratumCount, stratum_counts
from .coverage import Beside, Question, check, coverage_of
from .places import key_of
from .spellings import locale_sizes
from .steps import Rates
from .team import Assigned, team_of
from .traffic import traffic_shares
from .written_next import WrittenNext, written_next


@dataclass(frozen=True, slots=True)
class Planned:
    """A stratum, and how many wordings it has: judged and counted (`n`), ready to judge, or `undecided`.

    `coming` ones wait where the document language is unknown; `passing` ones of its own are on the way to other strata.
    """

    stratum: Stratum
    n: int
    ready: int
    coming: int
    passing: int
    undecided: int

    @property
    def have(self) -> int:
        """Wordings that are there, judged or not."""
        return self.n + self.ready + self.undecided

    @property
    def toward(self) -> int:
        """Wordings that count toward its plan."""
        return self.have + self.coming - self.passing

    @property
    def dimensions(self) -> dict[str, str]:
        """The stratum's place, dimension by dimension."""
        return key_of(self.stratum).dimensions


def plan_of(corpus: Corpus, counts: Iterable[StratumCount] | None = None) -> list[Planned]:
    """The corpus's strata in the order of their dimensions; `counts` where they are counted already."""
    counts = stratum_counts(corpus) if counts is None else counts
    found = {each.stratum_id: each for each in counts}
    return [_planned(each, found.get(each.pk)) for each in corpus.strata.order_by(*DIMENSIONS)]


def _planned(stratum: Stratum, count: StratumCount | None) -> Planned:
    if count is None:
        return Planned(stratum, 0, 0, 0, 0, 0)
    return Planned(stratum, count.n, count.ready, count.way.coming, count.way.passing, count.undecided)


@dataclass(frozen=True, slots=True)
class PlanCost:
    """What the plans still take, by locale: wordings that lack, and judgments of them and of those that wait."""

    locales: Mapping[str, Cost]

    @property
    def total(self) -> Cost:
        """All locales together."""
        return sum(self.locales.values(), Cost())

    @property
    def days(self) -> int:
        """Person-days to book; each locale has people of its own, so a begun day of each counts whole."""
        return sum(cost.whole_days for cost in self.locales.values())

    @property
    def refresh_days(self) -> float:
        """What keeping these locales fresh takes each quarter, in person-days."""
        return REFRESH_DAYS * len(self.locales)

    def within(self, locales: Collection[str]) -> PlanCost:
        """The cost of these locales alone, those of them that are planned."""
        return PlanCost({locale: cost for locale, cost in self.locales.items() if locale in locales})

    def as_json(self) -> dict[str, Any]:
        """The cost as the command prints it."""
        told = {
            locale: {"writing_seconds": cost.writing, "judging_seconds": cost.judging, "person_days": cost.whole_days}
            for locale, cost in self.locales.items()
        }
        return {"locales": told, "person_days": self.days, "refresh_days_a_quarter": self.refresh_days}


def plan_cost(counts: Iterable[StratumCount], rates: Rates) -> PlanCost:
    """The cost of what planned strata lack, at `rates`; a locale whose plans are full costs nothing."""
    locales: dict[str, Cost] = {}
    for count in counts:
        if count.planned:
            to_write = max(0, count.planned - count.have)
            to_judge = max(0, count.planned - count.n - count.undecided)
            cost = Cost(to_write * rates.writing, to_judge * rates.judging[count.pool_kind])
            locales[count.query_language] = locales.get(count.query_language, Cost()) + cost
    return PlanCost(locales)


@dataclass(frozen=True, slots=True)
class Planning:
    """The plan with everything that is reckoned from it, of one count of the strata.

    `weights` restore the traffic-weighted headline where each query's score is multiplied by that of its locale.
    """

    counts: Sequence[StratumCount]
    next: WrittenNext
    cost: PlanCost
    shares: Mapping[str, float]
    weights: Mapping[str, float]
    oversampling: Mapping[str, float]

    def as_json(self) -> dict[str, Any]:
        """What `manage.py plan --json` prints."""
        assigned = [
            {"stratum": each.stratum_id, "person": each.person, "count": each.count, "written": each.written}
            for each in self.next.team.assigned
        ]
        return {
            "strata": [stratum_row(count) for count in self.counts],
            "traffic": dict(self.shares),
            "weights": dict(self.weights),
            "oversampling": dict(self.oversampling),
            "cost": self.cost.as_json(),
            "assigned": assigned,
            "next": self.next.as_json(),
        }


def assigned_with_places(told: Planning) -> list[tuple[Assigned, Mapping[str, str]]]:
    """What people are asked to write, each with its stratum's dimensions; what lacks most first."""
    places = {count.stratum_id: count.dimensions for count in told.counts}
    held = [each for each in told.next.team.assigned if each.stratum_id in places]
    return [(each, places[each.stratum_id]) for each in sorted(held, key=lambda each: (-each.left, each.person))]


def beyond_plan(stratum: Stratum, *, now: datetime) -> str:
    """What is to be said where people are asked for more than the stratum's plan lacks; "" where they are not."""
    corpus = stratum.corpus
    asked = sum(each.left for each in team_of(corpus, now=now).assigned if each.stratum_id == stratum.pk)
    lacks = max(0, stratum.planned - have_of(corpus, key_of(stratum)))
    if asked <= lacks:
        return ""
    return (
        f"The plan of {stratum.planned:,} lacks {lacks:,} there, and people are asked for {asked:,}: the desk brings a"
        " stratum first only while it is below its plan. Plan more, or withdraw some."
    )


def stratum_row(count: StratumCount) -> dict[str, Any]:
    """A stratum of the plan as its file holds it, with what it has."""
    plan = {"use": count.use, "planned": count.planned, "priority": count.priority}
    has = {
        "n": count.n,
        "ready": count.ready,
        "coming": count.way.coming,
        "passing": count.way.passing,
        "undecided": count.undecided,
    }
    return {**count.dimensions, **plan, **has, "stratum": count.stratum_id}


def plan_csv(told: Planning) -> str:
    """The strata as `import_plan` reads them, with what each has."""
    out = StringIO(newline="")
    write_plan(out, map(stratum_row, told.counts))
    return out.getvalue()


def planning_of(corpus: Corpus, question: Question, *, now: datetime) -> Planning:
    """The plan of `corpus` and what to write next for `question`.

    Raises:
        CoverageRefused: see `coverage`.
    """
    check(question)
    counts, shares = stratum_counts(corpus, run=question.run, k=question.k), traffic_shares(corpus)
    answer = coverage_of(counts, question, Beside(shares))
    table = written_next(corpus, counts, answer, shares=shares, now=now)
    sizes = locale_sizes(counts)
    return Planning(
        counts=counts,
        next=table,
        cost=plan_cost(counts, table.team.rates),
        shares=shares,
        weights=headline_weights(sizes, shares),
        oversampling=oversampling(sizes, shares),
    )
