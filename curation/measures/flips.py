"""Judgment-error sensitivity: how many wrong judgments it takes to change what is said of a cell.

A *flip* is a judged query whose gold was graded wrongly, so that its hit was really a miss or its miss a hit: one flip
moves a cell's hit@10 by 1 / n, and n stays. Compared with it stands how many flips are to be expected: where two people
differ at least one is wrong, so half of the measured disagreement is the share of single opinions that are wrong. What
both got wrong in the same way is not in it, so the expectation is the least, not the most.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from curation.measures.refusals import MeasureRefused


@dataclass(frozen=True)
class Flips:
    """The least number of flips that changes a verdict; `lifts` tells that they turn misses into hits."""

    count: int
    lifts: bool


def flips_across(hits: int, n: int, *, level: Fraction) -> Flips:
    """How many flips bring a cell from one side of a floor to the other; a cell at the floor holds it.

    Args:
        hits: queries of the cell whose gold is among the first ten.
        n: queries of the cell, at least 1.
        level: the floor, above 0 and at most 1, as an exact fraction: 0.6 as a float is a little less.

    Raises:
        MeasureRefused: hits do not lie in 0 to n, n is below 1, or the level is none.
    """
    _check(hits, n)
    if not 0 < level <= 1:
        raise MeasureRefused(f"A floor lies above 0 and not above 1; {float(level):g} does not.")
    least = ceil(level * n)
    return Flips(least - hits, lifts=True) if hits < least else Flips(hits - least + 1, lifts=False)


def flips_past(hits: int, n: int, *, other: Fraction, lifts: bool) -> Flips | None:
    """How many flips bring a cell's score above (or, without `lifts`, below) that of another cell.

    None where no number of them does: nothing lies above 1 or below 0.

    Raises:
        MeasureRefused: hits do not lie in 0 to n, or n is below 1.
    """
    _check(hits, n)
    count = floor(other * n) + 1 - hits if lifts else hits - (ceil(other * n) - 1)
    return Flips(count, lifts=lifts) if 0 < count <= (n - hits if lifts else hits) else None


def expected_flips(disagreement: float, n: int) -> float:
    """How many of `n` judgments are wrong where two people differ at the rate `disagreement`: half of that share.

    Raises:
        MeasureRefused: the rate is no share.
    """
    if not 0 <= disagreement <= 1:
        raise MeasureRefused(f"A rate of disagreement lies between 0 and 1; {disagreement:g} does not.")
    return disagreement / 2 * n


def _check(hits: int, n: int) -> None:
    if n < 1 or not 0 <= hits <= n:
        raise MeasureRefused(f"{hits} hits of {n} queries cannot be.")
