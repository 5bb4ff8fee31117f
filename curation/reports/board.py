"""The lead's board: coverage laid out as a matrix of query language by document language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from curation.measures.targets import Use
from curation.models import Corpus

from .cells import Cell, cells
from .counts import DIMENSIONS, StratumCount
from .coverage import Beside, Coverage, Question, counts_for, coverage_of, missing, with_facets
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


@dataclass(frozen=True, slots=True)
class Board:
    """Everything the page shows, from one count of the strata: `counts` and traffic `shares` are what it rests on."""

    coverage: Coverage
    columns: list[str]
    rows: list[Row]
    slices: list[tuple[str, int]]
    total: int
    choices: dict[str, list[str]]
    chosen: Cell | None
    split: list[Cell]
    counts: Sequence[StratumCount]
    shares: Mapping[str, float]


def board(corpus: Corpus, question: Question, *, chosen: tuple[str, str] | None = None) -> Board:
    """The board of `corpus`, with the split by script and type of the pair `chosen`.

    Raises:
        CoverageRefused: see `coverage`.
    """
    counts = counts_for(corpus, question)
    beside = Beside(traffic_shares(corpus), missing(corpus, question, counts))
    answer = coverage_of(counts, question, beside)
    shown = with_facets(counts, question.facets)
    columns = by_size(shown, "corpus_language")
    pair = [count for count in shown if count.key(DIMENSIONS[:2]) == chosen] if chosen else []
    rolled = partial(cells, use=question.reading)
    return Board(
        coverage=answer,
        columns=columns,
        rows=rows(shown, columns=columns, beside=beside, use=question.reading),
        slices=slices(shown),
        total=sum(count.n for count in shown),
        choices={facet: sorted({getattr(count, facet) for count in counts}) for facet in FACETS},
        chosen=next(iter(rolled(pair, by=DIMENSIONS[:2])), None),
        split=rolled(pair, by=("script", "query_type")),
        counts=counts,
        shares=beside.shares,
    )


def by_size(counts: Sequence[StratumCount], dimension: str) -> list[str]:
    """The values of a dimension, the one with most queries first."""
    sizes: dict[str, int] = {}
    for count in counts:
        sizes[getattr(count, dimension)] = sizes.get(getattr(count, dimension), 0) + count.n + count.ready
    return sorted(sizes, key=lambda value: (-sizes[value], value))


def rows(counts: Sequence[StratumCount], *, columns: list[str], beside: Beside, use: Use) -> list[Row]:
    """One row a query language, by traffic share, then by size."""
    shares, rolled = beside.shares, partial(cells, use=use)
    pairs = {tuple(c.dimensions.values()): c for c in rolled(counts, by=DIMENSIONS[:2])}
    totals = {c.dimensions["query_language"]: c for c in rolled(counts, by=("query_language",))}
    order = sorted(totals, key=lambda locale: (-shares.get(locale, 0.0), -totals[locale].n, locale))
    return [
        Row(
            locale=locale,
            share=shares.get(locale),
            cells=[pairs.get((locale, column)) for column in columns],
            total=totals[locale],
            scripts=scripts([count for count in counts if count.query_language == locale]),
        )
        for locale in order
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
