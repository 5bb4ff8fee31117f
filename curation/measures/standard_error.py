"""The mean of per-query scores and how far it may be off.

Recall per query is not a coin: its spread is measured, not derived from its mean. Both figures are computed
exactly (as fractions) and rounded once, so that equal scores have a spread of exactly 0.
"""

from collections.abc import Collection
from math import ceil, sqrt
from statistics import mean as exact_mean
from statistics import stdev

from curation.measures.refusals import MeasureRefused
from curation.measures.wilson import Z95

_ROUNDING = 1e-9


def mean(values: Collection[float]) -> float | None:
    """Return the mean; None of no values."""
    return float(exact_mean(values)) if values else None


def standard_error(values: Collection[float]) -> float | None:
    """Return the sample standard deviation (n - 1) over the square root of n; None below two values."""
    n = len(values)
    return float(stdev(values)) / sqrt(n) if n >= 2 else None


def interval_around(middle: float, se: float) -> tuple[float, float]:
    """Return the 95 % interval of a mean of shares: 1.96 standard errors to each side, kept in [0, 1]."""
    return max(0.0, middle - Z95 * se), min(1.0, middle + Z95 * se)


def queries_for(se: float, n: int, target: float) -> int:
    """Return how many queries bring a standard error seen at `n` queries down to `target`: n (se / target)².

    Raises:
        MeasureRefused: target is not above 0.
    """
    if target <= 0:
        raise MeasureRefused(f"No number of queries brings a standard error to {target}.")
    return ceil(n * (se / target) ** 2 - _ROUNDING)
