"""Judgment-error sensitivity of the measured cells: how few wrong grades change what is said of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from curation.measures.flips import Flips, expected_flips, flips_across, flips_past
from curation.measures.targets import COUNT_TARGETS
from curation.models import Corpus, RankedRun
from curation.reports.counts import stratum_counts
from curation.reports.headline import LOCALE_FLOOR
from judging.reports.rates import Rate

FLOOR = Fraction(str(LOCALE_FLOOR))
LEAST = COUNT_TARGETS["gate"]
EVERYWHERE = "all locales"
Cell = tuple[str, str]  # query language, corpus language
Tally = tuple[int, int]  # hits and n


@dataclass(frozen=True, slots=True)
class CellFlips:
    """One cell of query language and corpus language; without `hits` there is its count alone.

    `across` are the flips that bring it to the other side of the floor. `past` are those that make it the worst cell,
    or, where `is_worst`, that make another cell the worst; None where no number does. `disagreement` is the rate read
    from pairs where at least one of two says relevant, `read_in` its locale, or all of them where that has too few.
    """

    query_language: str
    corpus_language: str
    n: int
    hits: int | None = None
    across: Flips | None = None
    past: Flips | None = None
    is_worst: bool = False
    disagreement: float | None = None
    read_in: str = ""

    @property
    def score(self) -> float | None:
        """hit@10."""
        return None if self.hits is None else self.hits / self.n

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
        derived = {"score": self.score, "expected_wrong": self.expected, "may_turn": self.may_turn}
        return {**asdict(self), **derived, "floor": LOCALE_FLOOR}


def cell_flips(
    corpus: Corpus, *, run: RankedRun | None, locales: Mapping[str, Rate], everywhere: Rate
) -> tuple[CellFlips, ...]:
    """Every cell that holds a counted query, the lowest score first and the unmeasured last; two SQL queries.

    Without a run, and below 100 counted queries, a cell has its count alone.
    """
    tallies = _tallies(corpus, run)
    readable = [(cell, tally) for cell, tally in tallies.items() if run is not None and tally[1] >= LEAST]
    measured = dict(sorted(readable, key=lambda each: (Fraction(*each[1]), -each[1][1], each[0])))
    thin = [CellFlips(*cell, n=tally[1]) for cell, tally in sorted(tallies.items()) if cell not in measured]
    return (*(_flips(cell, measured, _rate(cell[0], locales, everywhere)) for cell in measured), *thin)


def _flips(cell: Cell, measured: Mapping[Cell, Tally], rate: tuple[float | None, str]) -> CellFlips:
    """A measured cell among the others, which stand in the order of their scores."""
    hits, n = measured[cell]
    is_worst = cell == next(iter(measured))
    rival = next((tally for other, tally in measured.items() if other != cell), None)
    past = flips_past(hits, n, other=Fraction(*rival), lifts=is_worst) if rival else None
    across = flips_across(hits, n, level=FLOOR)
    return CellFlips(*cell, n, hits, across, past, is_worst, *rate)


def _rate(locale: str, locales: Mapping[str, Rate], everywhere: Rate) -> tuple[float | None, str]:
    """The disagreement to expect in a locale, and where it was read."""
    own = locales[locale].disagreement if locale in locales else None
    if own is not None:
        return own, locale
    return everywhere.disagreement, EVERYWHERE if everywhere.disagreement is not None else ""


def _tallies(corpus: Corpus, run: RankedRun | None) -> dict[Cell, Tally]:
    """Cell → hits and n, of cells with a counted query; without a run the hits are 0 and say nothing."""
    tallies: dict[Cell, Tally] = {}
    for count in stratum_counts(corpus, run=run):
        cell = (count.query_language, count.corpus_language)
        hits, n = tallies.get(cell, (0, 0))
        tallies[cell] = (hits + (count.hits or 0), n + count.n)
    return {cell: tally for cell, tally in tallies.items() if tally[1]}
