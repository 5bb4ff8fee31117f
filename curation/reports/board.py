"""The lead's board: coverage laid out as a matrix of query language by document language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.models import Corpus

from .cells import Cell, Rolled
from .counts import DIMENSIONS, StratumCount
from .coverage import Beside, Coverage, Question, counts_for, coverage_in, faceted, missing
from .growth import Growth, months_of, short_of_a_line
from .split import Split, split_of
from .traffic import traffic_shares

FACETS = ("script", "query_type", "slice")


@dataclass(frozen=True, slots=True)
class Row:
    """One query language: a cell per document language (None where there is no stratum), its total, its scripts."""

    locale: str
    share: float | None
    cells: list[Cell | None]
    total: Cell
    scripts: list[tuple[str, int]]

    @property
    def worst(self) -> float:
        """The lowest score of its cells; 2 where none has one, so that it stands last."""
        return min((cell.score for cell in self.cells if cell and cell.score is not None), default=2.0)


SORTS: Mapping[str, Callable[[Row], Any]] = {
    "share": lambda row: (-(row.share or 0.0), -row.total.n, row.locale),
    "worst": lambda row: (row.worst, -row.total.n, row.locale),
    "count": lambda row: (-row.total.n, row.locale),
    "name": lambda row: row.locale,
}
"""How the rows may stand: by traffic share, the worst cell first, by count, by the name of the language."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the board is laid out: the pair of languages whose split is open, and the order of its rows."""

    pair: tuple[str, ...] = ()
    sort: str = "share"


@dataclass(frozen=True, slots=True)
class Board:
    """Everything the page shows, from one count of the strata: `counts` and traffic `shares` are what it rests on."""

    coverage: Coverage
    columns: list[str]
    rows: list[Row]
    slices: list[tuple[str, int]]
    total: int
    choices: dict[str, list[str]]
    split: Split | None
    progress: list[Growth]
    counts: Sequence[StratumCount]
    shares: Mapping[str, float]


def board(corpus: Corpus, question: Question, *, now: datetime, look: Look | None = None) -> Board:
    """The board of `corpus`, with the split by script and type of the pair that `look` opens.

    Raises:
        CoverageRefused: see `coverage`.
    """
    look, months = look or Look(), months_of(corpus, now=now)
    counts = counts_for(corpus, question, moments=months.ends)
    shares = traffic_shares(corpus)
    whole, shown = strata = faceted(counts, question)
    columns = by_size(shown.counts, "corpus_language")
    pair = [count for count in shown.counts if count.key(DIMENSIONS[:2]) == look.pair]
    found = rows(shown, columns=columns, shares=shares)
    return Board(
        coverage=coverage_in(strata, question, Beside(shares, missing(corpus, question, counts))),
        columns=columns,
        rows=sorted(found, key=SORTS.get(look.sort, SORTS["share"])),
        slices=slices(shown.counts),
        total=sum(count.n for count in shown.counts),
        choices={facet: sorted({getattr(count, facet) for count in counts}) for facet in FACETS},
        split=split_of(pair, use=question.reading, months=months),
        progress=short_of_a_line(whole, months),
        counts=counts,
        shares=shares,
    )


def by_size(counts: Sequence[StratumCount], dimension: str) -> list[str]:
    """The values of a dimension, the one with most queries first."""
    sizes: dict[str, int] = {}
    for count in counts:
        sizes[getattr(count, dimension)] = sizes.get(getattr(count, dimension), 0) + count.n + count.ready
    return sorted(sizes, key=lambda value: (-sizes[value], value))


def rows(strata: Rolled, *, columns: list[str], shares: Mapping[str, float]) -> list[Row]:
    """One row a query language."""
    pairs = {tuple(c.dimensions.values()): c for c in strata.by(*DIMENSIONS[:2])}
    spoken: dict[str, list[StratumCount]] = {}
    for count in strata.counts:
        spoken.setdefault(count.query_language, []).append(count)
    return [
        Row(
            locale=(locale := total.dimensions["query_language"]),
            share=shares.get(locale),
            cells=[pairs.get((locale, column)) for column in columns],
            total=total,
            scripts=scripts(spoken[locale]),
        )
        for total in strata.by("query_language")
    ]


def scripts(counts: Sequence[StratumCount]) -> list[tuple[str, int]]:
    """The counted queries of each script class; nothing where there is only one to tell apart."""
    sizes: dict[str, int] = {}
    for count in counts:
        sizes[count.script] = sizes.get(count.script, 0) + count.n
    return sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0])) if len(sizes) > 1 else []


def slices(counts: Sequence[StratumCount]) -> list[tuple[str, int]]:
    """The counted queries of each slice; they sum to the total, because a stratum has exactly one slice."""
    sizes: dict[str, int] = {}
    for count in counts:
        sizes[count.slice] = sizes.get(count.slice, 0) + count.n
    return sorted(sizes.items())
