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
from .spellings import counted_once
from .split import Split, split_of
from .traffic import traffic_shares

WIDE = 8
"""Document languages that a matrix shows one by one in any case; with more, those searched by their own queries alone
may be folded into one column."""
FACETS = ("script", "query_type", "slice")


@dataclass(frozen=True, slots=True)
class Row:
    """One query language: a cell per document language (None where there is no stratum), its total, its scripts.

    `cells` is by document language. `own` is the cell of the documents in the language itself where the board folds
    these into one column, and then it is not among `cells`.
    """

    locale: str
    share: float | None
    own: Cell | None
    cells: Mapping[str, Cell | None]
    total: Cell
    scripts: list[tuple[str, int]]

    @property
    def worst(self) -> float:
        """The lowest score of its cells; 2 where none has one, so that it stands last."""
        shown = (self.own, *self.cells.values())
        return min((cell.score for cell in shown if cell and cell.score is not None), default=2.0)


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
    """Everything the page shows, from one count of the strata: `counts` and traffic `shares` are what it rests on.

    `total` counts a query and its other spellings once; so many `spellings` there are beside it. Where it `folds`, one
    column holds each language's queries of its own documents, and `columns` are the others.
    """

    coverage: Coverage
    folds: bool
    columns: list[str]
    rows: list[Row]
    slices: list[tuple[str, int]]
    total: int
    spellings: int
    choices: dict[str, list[str]]
    split: Split | None
    progress: list[Growth]
    counts: Sequence[StratumCount]
    shares: Mapping[str, float]

    @property
    def width(self) -> int:
        """How many columns of cells the matrix has."""
        return len(self.columns) + self.folds

    @property
    def adds_up(self) -> bool:
        """Whether the slices sum to the total: not where a file put a query and its spelling in two of them."""
        return sum(n for _, n in self.slices) == self.total


def board(corpus: Corpus, question: Question, *, now: datetime, look: Look | None = None) -> Board:
    """The board of `corpus`, with the split by script and type of the pair that `look` opens.

    Raises:
        CoverageRefused: see `coverage`.
    """
    look, months = look or Look(), months_of(corpus, now=now)
    counts = counts_for(corpus, question, moments=months.ends)
    shares = traffic_shares(corpus)
    whole, shown = strata = faceted(counts, question)
    folds, columns = columns_of(shown.counts)
    pair = [count for count in shown.counts if count.key(DIMENSIONS[:2]) == look.pair]
    found = rows(shown, columns=columns, folds=folds, shares=shares)
    return Board(
        coverage=coverage_in(strata, question, Beside(shares, missing(corpus, question, counts))),
        folds=folds,
        columns=columns,
        rows=sorted(found, key=SORTS.get(look.sort, SORTS["share"])),
        slices=sorted((cell.dimensions["slice"], cell.n) for cell in shown.by("slice")),
        total=(total := counted_once(shown.counts)),
        spellings=sum(count.n for count in shown.counts) - total,
        choices={facet: sorted({getattr(count, facet) for count in counts}) for facet in FACETS},
        split=split_of(pair, use=question.reading, months=months),
        progress=short_of_a_line(whole, months),
        counts=counts,
        shares=shares,
    )


def columns_of(counts: Sequence[StratumCount]) -> tuple[bool, list[str]]:
    """Whether the matrix folds own languages into one column, and the columns beside it, the fullest first.

    It folds where there are many and most of them hold the queries of their own language alone.
    """
    columns = by_size(counts, "corpus_language")
    crossed = {count.corpus_language for count in counts if count.corpus_language != count.query_language}
    folds = len(columns) > WIDE and 2 * len(crossed) < len(columns)
    return folds, [column for column in columns if column in crossed] if folds else columns


def by_size(counts: Sequence[StratumCount], dimension: str) -> list[str]:
    """The values of a dimension, the one with most queries first."""
    sizes: dict[str, int] = {}
    for count in counts:
        value = getattr(count, dimension)
        sizes[value] = sizes.get(value, 0) + count.n + count.ready + count.undecided
    return sorted(sizes, key=lambda value: (-sizes[value], value))


def rows(strata: Rolled, *, columns: list[str], folds: bool, shares: Mapping[str, float]) -> list[Row]:
    """One row a query language."""
    pairs = {tuple(c.dimensions.values()): c for c in strata.by(*DIMENSIONS[:2])}
    spoken: dict[str, list[StratumCount]] = {}
    for count in strata.counts:
        spoken.setdefault(count.query_language, []).append(count)
    return [
        Row(
            locale=(locale := total.dimensions["query_language"]),
            share=shares.get(locale),
            own=pairs.get((locale, locale)) if folds else None,
            cells={column: None if folds and column == locale else pairs.get((locale, column)) for column in columns},
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
