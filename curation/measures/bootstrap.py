"""The difference of two runs over the same queries, with a bootstrap interval.

The queries are drawn again with replacement and each keeps its pair of scores; the interval runs between the 2.5 % and
97.5 % points of the mean differences (percentile interval: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap",
1993, chapter 13).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from curation.measures.refusals import MeasureRefused
from curation.measures.standard_error import mean, standard_error

DRAWS = 2000
CI_KIND = "bootstrap_percentile"


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of candidate minus baseline over `n` queries.

    `value` is None of no query; `se` and the 95 % interval `ci` also of a single one. `lost` queries score lower in the
    candidate, `won` ones higher.
    """

    n: int
    value: float | None
    se: float | None
    ci: tuple[float, float] | None
    lost: int
    won: int


def paired_difference(candidate: Sequence[float], baseline: Sequence[float], *, seed: int) -> PairedDifference:
    """Compare two runs query by query; the same seed gives the same interval.

    Raises:
        MeasureRefused: the two are not of the same queries.
    """
    if len(candidate) != len(baseline):
        raise MeasureRefused(f"{len(candidate)} queries have no pairs among {len(baseline)}.")
    differences = [one - other for one, other in zip(candidate, baseline, strict=True)]
    return PairedDifference(
        n=len(differences),
        value=mean(differences),
        se=standard_error(differences),
        ci=_percentiles(differences, seed) if len(differences) > 1 else None,
        lost=sum(difference < 0 for difference in differences),
        won=sum(difference > 0 for difference in differences),
    )


def _percentiles(differences: Sequence[float], seed: int) -> tuple[float, float]:
    """Equal differences are drawn together, which is the same draw and far less of it."""
    values, times = np.unique(np.asarray(differences, dtype=np.float64), return_counts=True)
    n = len(differences)
    drawn = np.random.default_rng(seed).multinomial(n, times / n, size=DRAWS)
    low, high = np.quantile(drawn @ values / n, (0.025, 0.975))
    return float(low), float(high)
