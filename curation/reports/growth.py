"""How counts grew, month by month, toward 30, 100 and 400."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from curation.measures.targets import next_target
from curation.models import Corpus

from .cells import Cell, Rolled

BACK = 12
SHORTEST = 6
SHOWN = 6
GROUPS = (("slice",), ("query_language",), ("query_language", "corpus_language"))


@dataclass(frozen=True, slots=True)
class Months:
    """The last twelve months of a corpus, each by its first day, and the moment each ends."""

    days: tuple[date, ...]
    ends: tuple[datetime, ...]


class Point(NamedTuple):
    """The queries that were counted at the end of a month: its first day, the first day after it, how many."""

    month: date
    after: date
    n: int


@dataclass(frozen=True, slots=True)
class Growth:
    """The counted queries of a cell at the end of each month, the present one last.

    A query counts from the month it was judged in; what was retired, or counts no more, is in no month.
    """

    cell: Cell
    months: tuple[date, ...]
    counts: tuple[int, ...]

    @property
    def with_plan(self) -> int | None:
        """What counts once each plan is full, what counts beyond or without one with it; None where none is unmet."""
        return self.cell.n + self.cell.unmet if self.cell.unmet else None

    @property
    def target(self) -> int | None:
        """The next count target."""
        return next_target(self.cell.n)

    @property
    def half_a_year_ago(self) -> Point:
        """The month six months ago, or the first there is."""
        return self.points[max(0, len(self.counts) - 1 - SHORTEST)]

    @property
    def points(self) -> list[Point]:
        """Each month with its count."""
        return [Point(month, _after(month), count) for month, count in zip(self.months, self.counts, strict=True)]


def months_of(corpus: Corpus, *, now: datetime) -> Months:
    """The twelve months up to `now` in the corpus's time zone."""
    zone = ZoneInfo(corpus.time_zone)
    today = now.astimezone(zone)
    starts = [_start(today, back) for back in range(BACK - 1, -2, -1)]
    ends = tuple(datetime(day.year, day.month, 1, tzinfo=zone) for day in starts[1:])
    return Months(tuple(starts[:-1]), ends)


def _start(today: date, back: int) -> date:
    """The first day of the month `back` months ago."""
    month = today.year * 12 + today.month - 1 - back
    return date(month // 12, month % 12 + 1, 1)


def _after(month: date) -> date:
    """The first day of the month after the one that begins on `month`."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def growth_of(cell: Cell, months: Months) -> Growth:
    """How the cell grew: from the month before its first query on, and over half a year at least."""
    grown = cell.footing.grown or (0,) * len(months.days)
    first = next((place for place, count in enumerate(grown) if count), len(grown))
    start = max(0, min(first - 1, len(grown) - SHORTEST))
    return Growth(cell, months.days[start:], grown[start:])


def short_of_a_line(strata: Rolled, months: Months) -> list[Growth]:
    """The slices, locales and pairs that are short of their next target, those with a plan first, then the emptiest."""
    found = [cell for by in GROUPS for cell in strata.by(*by) if cell.n or cell.planned]
    grown = [growth_of(cell, months) for cell in found if next_target(cell.n)]
    alone = {tuple(each.cell.dimensions.values()) for each in grown}
    pairs = Counter(locale for locale, _ in {count.key(GROUPS[-1]) for count in strata.counts})
    distinct = [each for each in grown if len(each.cell.dimensions) < 2 or _adds(each, pairs, alone)]
    return sorted(distinct, key=_emptiest)[:SHOWN]


def _adds(pair: Growth, pairs: Mapping[str, int], alone: set[tuple[str, ...]]) -> bool:
    """Whether a pair tells more than its locale, which is shown: the locale searches other languages too."""
    locale = pair.cell.dimensions["query_language"]
    return pairs[locale] > 1 or (locale,) not in alone


def _emptiest(growth: Growth) -> tuple[bool, float, tuple[str, ...]]:
    target = growth.target or growth.cell.n or 1
    return growth.with_plan is None, growth.cell.n / target, tuple(growth.cell.dimensions.values())
