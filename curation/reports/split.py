"""One cell taken apart: its scripts and types, what its pooled score hides, what more queries would buy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.measures.targets import Use, next_target
from curation.measures.wilson import wilson_width

from .cells import Cell, cells
from .counts import DIMENSIONS, StratumCount
from .growth import Growth, Months, growth_of

STEPS = (10, 30)
"""How many more queries a lead asks about; the next count target comes with them."""
WIDEST = 0.5
"""The share whose interval is the widest, taken where no score may be read."""


@dataclass(frozen=True, slots=True)
class Width:
    """How wide the interval is at `n` queries, `more` of them still to come."""

    more: int
    n: int
    width: float


@dataclass(frozen=True, slots=True)
class Split:
    """A pair of languages, its parts by script and type, worst first.

    `apart` are the lowest and the highest part where their intervals do not overlap: two populations under one score.
    `widths` stand at the cell's own score, or at most where it has none.
    """

    cell: Cell
    parts: list[Cell]
    apart: tuple[Cell, Cell] | None
    widths: list[Width]
    growth: Growth

    @property
    def to_open(self) -> Cell:
        """What a lead opens first: the worst part that can be read, else the whole cell."""
        return next((part for part in self.parts if part.score is not None), self.cell)

    @property
    def readable(self) -> int:
        """How many parts can be read."""
        return sum(part.score is not None for part in self.parts)


def split_of(counts: Sequence[StratumCount], *, use: Use, months: Months) -> Split | None:
    """The split of the strata of one pair of languages; None where there is none."""
    whole = next(iter(cells(counts, by=DIMENSIONS[:2], use=use)), None)
    if whole is None:
        return None
    parts = cells(counts, by=("script", "query_type"), use=use)
    return Split(whole, parts, apart_of(parts), widths_of(whole), growth_of(whole, months))


def apart_of(parts: Sequence[Cell]) -> tuple[Cell, Cell] | None:
    """Two reported parts whose intervals do not overlap, the lowest and the highest; None where all overlap."""
    known = [(part.ci, part) for part in parts if part.ci is not None]
    bound, high = max(((ci[0], part) for ci, part in known), key=lambda pair: pair[0], default=(0.0, None))
    return next(((low, high) for ci, low in known if high and ci[1] < bound), None)


def widths_of(cell: Cell) -> list[Width]:
    """The interval's width now, after some more queries, and at the next count target, at the same rate."""
    share, target = WIDEST if cell.score is None else cell.score, next_target(cell.n)
    more = sorted({0, *STEPS, *([target - cell.n] if target else [])})
    return [Width(step, cell.n + step, wilson_width(share, cell.n + step)) for step in more if cell.n + step]
