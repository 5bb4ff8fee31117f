"""The interval of a measure of agreement, by drawing the documents again (bootstrap, percentile interval).

Source: A. Zapf, S. Castell, L. Morawietz and A. Karch, "Measuring inter-rater reliability for nominal data: which
coefficients and confidence intervals are appropriate?", 2016, who find it right for Fleiss' kappa and Krippendorff's
alpha alike, and the analytic interval of Fleiss' kappa too narrow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from curation.measures.ratings import Counts, Weights, patterns, told_twice

DRAWS = 2000
CI_KIND = "bootstrap"


@dataclass(frozen=True)
class Estimate:
    """A measure and its 95 % interval.

    `value` is None where the measure is not defined (nothing was graded twice, or all grades are one and the same, so
    that chance alone would agree as often); `ci` too where fewer than two documents were graded twice.
    """

    value: float | None
    ci: tuple[float, float] | None


def estimate(counts: Counts, measure: Callable[[Counts, Weights], Weights], *, seed: int) -> Estimate:
    """Measure `counts`, and again `DRAWS` times on as many documents drawn from them with replacement.

    Args:
        counts: see `ratings.Counts`; rows of fewer than two people are left out.
        measure: takes the different rows of a table (patterns, categories) and how often each occurs, once a draw
            (draws, patterns); returns the figure of each draw (draws,), NaN where it is not defined.
        seed: the same seed gives the same interval. Draws in which the measure is not defined are left out.

    Raises:
        MeasureRefused: `counts` is no table of counts.
    """
    rows, times = patterns(told_twice(counts))
    n = int(times.sum())
    if n == 0:
        return Estimate(None, None)
    value = float(measure(rows, times[np.newaxis].astype(np.float64))[0])
    if np.isnan(value):
        return Estimate(None, None)
    drawn = np.random.default_rng(seed).multinomial(n, times / n, size=DRAWS).astype(np.float64)
    figures = measure(rows, drawn)
    low, high = np.quantile(figures[~np.isnan(figures)], (0.025, 0.975))
    return Estimate(value, (float(low), float(high)) if n >= 2 else None)
