"""The Wilson interval of a share."""

from math import sqrt

from curation.measures.refusals import MeasureRefused

Z95 = 1.959963984540054
"""The 97.5 % point of the normal distribution, for an interval of 95 %."""


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of hits / n; (0, 1) where n is 0.

    Bounds lie in [0, 1] and are exactly 0 and 1 where no query, or every query, is a hit.
    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.

    Raises:
        MeasureRefused: hits is below 0 or above n.
    """
    if not 0 <= hits <= n:
        raise MeasureRefused(f"{hits} hits of {n} queries cannot be.")
    if n == 0:
        return 0.0, 1.0
    share, z2 = hits / n, Z95 * Z95
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = wilson_width(share, n) / 2
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    high = 1.0 if hits == n else min(1.0, centre + half)
    return low, high


def wilson_width(share: float, n: int) -> float:
    """Return how wide the 95 % interval of `share` (0 to 1) is over `n` queries: what n more of them would buy.

    It is that of `wilson` before its bounds are cut at 0 and 1.

    Raises:
        MeasureRefused: the share lies outside 0 to 1, or n is below 1.
    """
    if not 0 <= share <= 1 or n < 1:
        raise MeasureRefused(f"A share of {share:g} over {n} queries has no interval.")
    z2 = Z95 * Z95
    return 2 * Z95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
