"""Fleiss' kappa: agreement beyond chance among people of whom nobody is the first or the second.

(observed − expected) / (1 − expected). Observed is the share of equal pairs of opinions on one document. Expected is
the chance that two opinions drawn from all of them are equal: the sum of the squared shares of the categories.
Source: J. L. Fleiss, "Measuring nominal scale agreement among many raters", 1971. He has as many people on every
document; where that differs, each pair of opinions counts once, and each opinion once for every pair it is in. With
two people a document it is Scott's pi.
"""

from __future__ import annotations

import numpy as np

from curation.measures.ratings import Counts, Weights
from curation.measures.resampling import Estimate, estimate


def fleiss_kappa(counts: Counts, *, seed: int) -> Estimate:
    """Return the kappa of a table of documents by categories (`ratings.Counts`), with a bootstrap interval.

    Raises:
        MeasureRefused: `counts` is no table of counts.
    """
    return estimate(counts, _kappa, seed=seed)


def _kappa(rows: Counts, times: Weights) -> Weights:
    people = rows.sum(axis=1)
    pairs = times @ (people * (people - 1))
    observed = times @ (rows * (rows - 1)).sum(axis=1) / pairs
    shares = times @ (rows * (people - 1)[:, np.newaxis]) / pairs[:, np.newaxis]
    expected = (shares**2).sum(axis=1)
    chance = np.where(1 - expected > 1e-12, 1 - expected, np.nan)
    kappa: Weights = (observed - expected) / chance
    return kappa
