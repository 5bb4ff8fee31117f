"""How far two mixes lie apart: the searches of a log and the queries of a set, each by class."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import exp, floor, lgamma, log, log1p
from typing import TypeVar

from curation.measures.refusals import MeasureRefused

Class = TypeVar("Class", bound=Hashable)


def shares(counts: Mapping[Class, int]) -> dict[Class, float]:
    """Each class's share of all, 0 to 1; they sum to 1.

    Raises:
        MeasureRefused: a count is below 0, or there is nothing to share.
    """
    if any(count < 0 for count in counts.values()):
        raise MeasureRefused("A count below 0 has no share.")
    whole = sum(counts.values())
    if not whole:
        raise MeasureRefused("There is nothing to take a share of.")
    return {name: count / whole for name, count in counts.items()}


def total_variation(one: Mapping[Class, int], other: Mapping[Class, int]) -> float:
    """Return the total variation distance of two mixes, from 0 (alike) to 1 (no class in common).

    Half the sum of the absolute differences of their shares: the least part of one mix that has to change class for it
    to become the other. Source: D. Levin, Y. Peres, E. Wilmer, "Markov Chains and Mixing Times", 2009, proposition 4.2.

    Raises:
        MeasureRefused: see `shares`.
    """
    ours, theirs = shares(one), shares(other)
    return sum(abs(ours.get(name, 0.0) - theirs.get(name, 0.0)) for name in {*ours, *theirs}) / 2


def distance_by_chance(mix: Mapping[Class, int], n: int) -> float:
    """Return the total variation distance that `n` draws from `mix` itself lie from it on average.

    A set that was drawn from the traffic is this far from it for no other reason than its size. The mean deviation of
    each class is De Moivre's. Source: P. Diaconis and S. Zabell, "Closed form summation for classical distributions",
    1991, formula 1.1.

    Raises:
        MeasureRefused: see `shares`; or n is below 1.
    """
    if n < 1:
        raise MeasureRefused("No draw at all has no distance.")
    return sum(_mean_deviation(share, n) for share in shares(mix).values()) / (2 * n)


def _mean_deviation(p: float, n: int) -> float:
    """E|X - np| of a binomial X: 2 m C(n, m) p^m (1 - p)^(n - m + 1) with m the whole number next above np."""
    if p in {0.0, 1.0}:
        return 0.0
    m = min(floor(n * p) + 1, n)
    ways = lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1)
    return 2 * exp(log(m) + ways + m * log(p) + (n - m + 1) * log1p(-p))
