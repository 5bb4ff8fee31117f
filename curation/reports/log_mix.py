"""What people search for, beside what the set asks: the mix of a log over a period against that of the counted queries.

Shares of the traffic are weighted by searches; they are a count of the log and no sample of it, so they have no
interval. Shares of the set have their Wilson interval. Under 100 searches a locale shows counts and no shares.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from django.db.models import Sum

from curation.measures.mix import distance_by_chance, total_variation
from curation.measures.targets import COUNT_TARGETS
from curation.measures.wilson import wilson
from curation.models import Corpus
from curation.retrieval.lengths import LENGTH_BANDS
from curation.retrieval.query_types import QUERY_TYPES

from .log_lines import (
    Classes,
    Extent,
    Heap,
    MixStratum,
    counted_queries,
    extent,
    heaps,
    in_period,
    read_lines,
    stratum_of,
)
from .log_period import Period, last_full_quarter, period_of

Key = TypeVar("Key", bound=Hashable)
LEAST_SEARCHES = 100
MATTERS = 0.05
"""Share of a locale's searches from which a stratum has to stand in the set."""
LEAST_PART = 0.5
"""Part of its share in the traffic that a stratum may not fall below in the set."""
ERROR_STRING = "error_string"


@dataclass(frozen=True, slots=True)
class Share:
    """One class or stratum in the traffic and in the set: counts, shares (0 to 1), the interval of the set's share.

    `traffic` is None under 100 searches of the locale, `in_set` and `ci` where the set has no counted query in it.
    """

    searches: int
    queries: int
    traffic: float | None
    in_set: float | None
    ci: tuple[float, float] | None

    @property
    def difference(self) -> float | None:
        """The set's share less that of the traffic; None where either is not known."""
        return None if self.traffic is None or self.in_set is None else self.in_set - self.traffic

    @property
    def is_left_behind(self) -> bool:
        """Whether the traffic asks for it and the set does not hold it in any such measure (docs/adr/0017)."""
        return self.is_rare or self.is_thin

    @property
    def is_rare(self) -> bool:
        """Whether it matters, holds under half of its share in the set, and the interval does not explain it."""
        if self.traffic is None or self.in_set is None or self.ci is None or self.traffic < MATTERS:
            return False
        return self.in_set < LEAST_PART * self.traffic and self.ci[1] < self.traffic

    @property
    def is_thin(self) -> bool:
        """Whether it matters, and the set has too few counted queries of it for any score."""
        return self.traffic is not None and self.traffic >= MATTERS and self.queries < COUNT_TARGETS["screen"]

    @property
    def is_not_asked(self) -> bool:
        """Whether the set holds it and nobody asked for it in the period."""
        return self.traffic == 0.0 and self.queries > 0

    def as_json(self) -> dict[str, Any]:
        """The figures by name, shares with four decimals."""
        return {
            "searches": self.searches,
            "queries": self.queries,
            "traffic_share": _rounded(self.traffic),
            "set_share": _rounded(self.in_set),
            "set_ci": [round(bound, 4) for bound in self.ci] if self.ci else None,
            "difference": _rounded(self.difference),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """How far traffic and set lie apart (total variation, 0 to 1), and how far a set of its size would by chance."""

    distance: float | None
    by_chance: float | None

    def as_json(self) -> dict[str, Any]:
        """The two distances, with four decimals."""
        return {"distance": _rounded(self.distance), "by_chance": _rounded(self.by_chance)}


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension: its classes in their order, each with its shares."""

    name: str
    classes: Mapping[str, Share]
    apart: Comparison


@dataclass(frozen=True, slots=True)
class Quarter:
    """One quarter of the log against the set of today."""

    period: Period
    searches: int
    distance: float | None


@dataclass(frozen=True, slots=True)
class LocaleMix:
    """One locale: `guessed` of its searches state no locale and are placed by a guess at their language.

    `is_held` says that the corpus has a stratum of it.
    """

    locale: str
    searches: int
    guessed: int
    is_held: bool
    queries: int
    dimensions: tuple[Dimension, ...]
    strata: Mapping[MixStratum, Share]
    apart: Comparison
    quarters: tuple[Quarter, ...]

    @property
    def is_thin(self) -> bool:
        """Whether there are too few searches for shares."""
        return self.searches < LEAST_SEARCHES

    @property
    def is_doubtful(self) -> bool:
        """Whether nothing but a guess speaks for the locale: no search states it, and the corpus has no stratum of it.

        The guess is the likeliest of the corpus's locales, however unlikely each of them is.
        """
        return not self.is_held and 0 < self.searches == self.guessed

    @property
    def left_behind(self) -> dict[MixStratum, Share]:
        """The strata that the set has stopped representing, the most asked first; none of a doubtful locale."""
        if self.is_doubtful:
            return {}
        return {stratum: share for stratum, share in self.strata.items() if share.is_left_behind}


@dataclass(frozen=True, slots=True)
class LogMix:
    """The report: the locales with most searches first. `period` is None where the log names no days at all."""

    extent: Extent
    period: Period | None
    is_last_full: bool
    locales: tuple[LocaleMix, ...]

    def of(self, locale: str) -> LocaleMix | None:
        """The mix of one locale."""
        return next((mix for mix in self.locales if mix.locale == locale), None)


def log_mix(corpus: Corpus, *, today: date, since: date | None = None, until: date | None = None) -> LogMix:
    """The mix of each locale of the log or the set, in four SQL queries however long the log is.

    Raises:
        PeriodRefused: the last day comes before the first.
    """
    found = extent(corpus)
    period = period_of(found.days, today=today, since=since, until=until) if found.days else None
    logged: defaultdict[str, list[Heap]] = defaultdict(list)
    for heap in heaps(corpus, period):
        logged[heap.locale].append(heap)
    held: defaultdict[str, list[Classes]] = defaultdict(list)
    for locale, classes in counted_queries(corpus):
        held[locale].append(classes)
    strata = set(corpus.strata.order_by().values_list("query_language", flat=True).distinct())
    mixes = [_locale_mix(locale, logged[locale], held[locale], is_held=locale in strata) for locale in {*logged, *held}]
    ordered = tuple(sorted(mixes, key=lambda mix: (-mix.searches, mix.locale)))
    return LogMix(found, period, period == last_full_quarter(today), ordered)


def error_share(corpus: Corpus, *, today: date) -> dict[str, float | None]:
    """The share of codes and errors in each locale's searches over the report's own period; None under 100 searches.

    Two SQL queries.
    """
    days = extent(corpus).days
    searches: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    lines = read_lines(corpus).filter(in_period(period_of(days, today=today) if days else None))
    for locale, query_type, count in lines.order_by().values_list("own", "query_type").annotate(n=Sum("count")):
        searches[locale] += count
        errors[locale] += count if query_type == ERROR_STRING else 0
    return {
        locale: errors[locale] / count if count >= LEAST_SEARCHES else None
        for locale, count in sorted(searches.items())
    }


def _locale_mix(locale: str, logged: Iterable[Heap], held: Iterable[Classes], *, is_held: bool) -> LocaleMix:
    traffic: Counter[Classes] = Counter()
    for heap in logged:
        traffic[heap.classes] += heap.within
    in_set = Counter(held)
    strata = _tally(traffic, stratum_of), _tally(in_set, stratum_of)
    return LocaleMix(
        locale=locale,
        searches=traffic.total(),
        guessed=sum(heap.guessed for heap in logged),
        is_held=is_held,
        queries=in_set.total(),
        dimensions=tuple(_dimension(name, traffic, in_set) for name in Classes._fields),
        strata=_shares(*strata, order=_most_first(*strata)),
        apart=_apart(*strata),
        quarters=_quarters(logged, strata[1]),
    )


def _dimension(name: str, traffic: Counter[Classes], in_set: Counter[Classes]) -> Dimension:
    ours, theirs = (_tally(counts, lambda classes: str(getattr(classes, name))) for counts in (traffic, in_set))
    fixed = {"query_type": QUERY_TYPES, "length": LENGTH_BANDS}.get(name)
    return Dimension(name, _shares(ours, theirs, order=fixed or _most_first(ours, theirs)), _apart(ours, theirs))


def _tally(counts: Counter[Classes], key: Callable[[Classes], Key]) -> Counter[Key]:
    tallied: Counter[Key] = Counter()
    for classes, count in counts.items():
        tallied[key(classes)] += count
    return tallied


def _most_first(traffic: Counter[Key], in_set: Counter[Key]) -> list[Key]:
    """What either holds, the most asked first."""
    either = {key for counts in (traffic, in_set) for key, count in counts.items() if count}
    return sorted(either, key=lambda key: (-traffic[key], -in_set[key], str(key)))


def _shares(traffic: Counter[Key], in_set: Counter[Key], *, order: Iterable[Key]) -> dict[Key, Share]:
    searches, queries = traffic.total(), in_set.total()
    return {
        key: Share(
            searches=traffic[key],
            queries=in_set[key],
            traffic=traffic[key] / searches if searches >= LEAST_SEARCHES else None,
            in_set=in_set[key] / queries if queries else None,
            ci=wilson(in_set[key], queries) if queries else None,
        )
        for key in order
    }


def _apart(traffic: Counter[Key], in_set: Counter[Key]) -> Comparison:
    if traffic.total() < LEAST_SEARCHES or not in_set.total():
        return Comparison(None, None)
    return Comparison(total_variation(traffic, in_set), distance_by_chance(traffic, in_set.total()))


def _quarters(logged: Iterable[Heap], in_set: Counter[MixStratum]) -> tuple[Quarter, ...]:
    by_quarter: defaultdict[Period, Counter[MixStratum]] = defaultdict(Counter)
    for heap in logged:
        if heap.quarter:
            by_quarter[heap.quarter][heap.stratum] += heap.searches
    return tuple(
        Quarter(period, counts.total(), _apart(counts, in_set).distance)
        for period, counts in sorted(by_quarter.items())
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
