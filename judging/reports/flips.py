"""Judgment-error sensitivity of the measured cells: how few wrong grades change what is said of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

from curation.measures.flips import Flips, expected_flips, flips_across, flips_past
from curation.measures.targets import COUNT_TARGETS
from curation.reports.counts import StratumCount
from curation.reports.coverage import Question, with_facets
from curation.reports.headline import LOCALE_FLOOR
from curation.reports.spellings import counted_once, hits_once
from judging.reports.rates import Rate

FLOOR = Fraction(str(LOCALE_FLOOR))
EVERYWHERE = "all locales"
Cell = tuple[str, ...]  # the dimensions asked for, in their order
Tally = tuple[int, int]  # hits and n


@dataclass(frozen=True, slots=True)
class CellFlips:
    """One cell; without `hits` there is its count alone.

    `across` are the flips that bring it to the other side of the floor. `past` are those that make it the worst cell,
    or, where `is_worst`, that make another cell the worst; None where no number does. `disagreement` is the rate read
    from pairs where at least one of two says relevant, `read_in` its locale, or all of them where that has too few.
    `lower_bound` tells that a query under it was judged less deep than needed, as on the board.
    """

    dimensions: Mapping[str, str]
    n: int
    hits: int | None = None
    across: Flips | None = None
    past: Flips | None = None
    is_worst: bool = False
    disagreement: float | None = None
    read_in: str = ""
    lower_bound: bool = False

    @property
    def score(self) -> float | None:
        """hit@10."""
        return None if self.hits is None else self.hits / self.n

    @property
    def fewest(self) -> int | None:
        """How few flips change a verdict: the floor's, or which cell is the worst."""
        return min((each.count for each in (self.across, self.past) if each), default=None)

    @property
    def expected(self) -> float | None:
        """How many of its grades are expected to be wrong, at the least."""
        return None if self.disagreement is None else expected_flips(self.disagreement, self.n)

    @property
    def may_turn(self) -> bool:
        """Whether the verdict on the floor may come of wrong grades alone."""
        return self.across is not None and self.expected is not None and self.expected >= self.across.count

    def as_json(self) -> dict[str, Any]:
        """The cell as the command prints it."""
        shown = asdict(self)
        derived = {"score": self.score, "fewest": self.fewest, "expected_wrong": self.expected}
        return {**shown.pop("dimensions"), **shown, **derived, "may_turn": self.may_turn, "floor": LOCALE_FLOOR}


def cell_flips(
    counts: Sequence[StratumCount],
    question: Question,
    locales: Mapping[str, Rate],
    *,
    everywhere: Rate,
    shallow: Collection[int],
) -> tuple[CellFlips, ...]:
    """Every cell that holds a counted query: the fewest flips first, then the unmeasured, the fullest first.

    Without a run, and below the count target, a cell has its count alone. A facet of a crossed dimension only chooses
    which cells are told of: which cell is the worst is said among all of them. `shallow` are the strata that hold a
    query judged less deep than needed.
    """
    inside = {facet: value for facet, value in question.facets.items() if facet not in question.by}
    counts = with_facets(counts, inside)
    tallies = _tallies(counts, question.by)
    least = COUNT_TARGETS[question.use] if question.run else None
    readable = [(cell, tally) for cell, tally in tallies.items() if least is not None and tally[1] >= least]
    measured = dict(sorted(readable, key=lambda each: (Fraction(*each[1]), -each[1][1], each[0])))
    named = {cell: dict(zip(question.by, cell, strict=True)) for cell in tallies}
    rates = {cell: _rate(named[cell].get("query_language", ""), locales, everywhere) for cell in measured}
    flips = [_flips(cell, measured, dimensions=named[cell], rate=rates[cell]) for cell in measured]
    fullest = sorted(tallies.items(), key=lambda each: (-each[1][1], each[0]))
    thin = [CellFlips(named[cell], n) for cell, (_, n) in fullest if cell not in measured]
    bounds = {count.key(question.by) for count in counts if count.stratum_id in shallow}
    flips = [replace(each, lower_bound=tuple(each.dimensions.values()) in bounds) for each in flips]
    told = (*sorted(flips, key=lambda each: each.fewest or 0), *thin)
    chosen = {facet: value for facet, value in question.facets.items() if facet in question.by}
    return tuple(each for each in told if chosen.items() <= each.dimensions.items())


def _flips(
    cell: Cell, measured: Mapping[Cell, Tally], *, dimensions: Mapping[str, str], rate: tuple[float | None, str]
) -> CellFlips:
    """A measured cell among the others, which stand in the order of their scores."""
    hits, n = measured[cell]
    is_worst = cell == next(iter(measured))
    rival = next((tally for other, tally in measured.items() if other != cell), None)
    past = flips_past(hits, n, other=Fraction(*rival), lifts=is_worst) if rival else None
    across = flips_across(hits, n, level=FLOOR)
    return CellFlips(dimensions, n, hits, across, past, is_worst, *rate)


def _rate(locale: str, locales: Mapping[str, Rate], everywhere: Rate) -> tuple[float | None, str]:
    """The disagreement to expect in a locale, and where it was read."""
    own = locales[locale].disagreement if locale in locales else None
    if own is not None:
        return own, locale
    return everywhere.disagreement, EVERYWHERE if everywhere.disagreement is not None else ""


def _tallies(counts: Sequence[StratumCount], by: tuple[str, ...]) -> dict[Cell, Tally]:
    """Cell → hits and n, of cells with a counted query; without a run the hits are 0 and say nothing."""
    strata: dict[Cell, list[StratumCount]] = {}
    for count in counts:
        strata.setdefault(count.key(by), []).append(count)
    tallies = {cell: (hits_once(held) or 0, counted_once(held)) for cell, held in strata.items()}
    return {cell: tally for cell, tally in tallies.items() if tally[1]}
