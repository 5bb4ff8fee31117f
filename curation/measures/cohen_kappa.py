"""Cohen's kappa: agreement beyond chance of two people, each with habits of their own.

(observed − expected) / (1 − expected), where chance draws each person's grades from what that person gave.
Source: J. Cohen, "A coefficient of agreement for nominal scales", 1960. The interval is the usual one, ± 1.96 of the
large-sample standard error of J. L. Fleiss, J. Cohen and B. S. Everitt, "Large sample standard errors of kappa and
weighted kappa", 1969, and ends at −1 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from curation.measures.ratings import Counts, checked
from curation.measures.refusals import MeasureRefused
from curation.measures.resampling import Estimate
from curation.measures.wilson import Z95

CI_KIND = "analytic"


def crossed(first: Sequence[int], second: Sequence[int], *, categories: int) -> Counts:
    """The table of two people's categories (0 to `categories` − 1), document by document: rows are the first's.

    Raises:
        MeasureRefused: they did not grade as many documents, or a category is out of range.
    """
    if len(first) != len(second):
        raise MeasureRefused(f"Two people graded {len(first)} and {len(second)} documents, which makes no pairs.")
    if any(not 0 <= each < categories for each in (*first, *second)):
        raise MeasureRefused(f"Categories are counted from 0 to {categories - 1}.")
    table = np.zeros((categories, categories), np.int64)
    np.add.at(table, (np.asarray(first, np.int64), np.asarray(second, np.int64)), 1)
    return table


def cohen_kappa(table: Counts) -> Estimate:
    """Return the kappa of a square table of two people's categories, with its interval.

    Raises:
        MeasureRefused: the table is not square or holds no counts.
    """
    if checked(table).shape[0] != table.shape[1]:
        raise MeasureRefused("Two people's categories are crossed in a square table.")
    n = int(table.sum())
    if n == 0:
        return Estimate(None, None)
    shares = table / n
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed, expected = float(np.trace(shares)), float(rows @ columns)
    if 1 - expected < 1e-12:
        return Estimate(None, None)
    kappa = (observed - expected) / (1 - expected)
    # Cell (i, j) weighs what the first says as j and the second as i, as in the formula of 1969.
    habits = columns[:, np.newaxis] + rows[np.newaxis, :]
    equal = float(np.diag(shares) @ (1 - np.diag(habits) * (1 - kappa)) ** 2)
    unequal = float(((shares - np.diag(np.diag(shares))) * habits**2).sum()) * (1 - kappa) ** 2
    left = (kappa - expected * (1 - kappa)) ** 2
    half = Z95 * sqrt(max(0.0, equal + unequal - left) / n) / (1 - expected)
    return Estimate(kappa, (max(-1.0, kappa - half), min(1.0, kappa + half)))
