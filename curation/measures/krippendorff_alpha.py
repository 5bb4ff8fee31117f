"""Krippendorff's alpha: 1 − observed disagreement / disagreement by chance, for any number of people and gaps.

Ordinal: two grades differ by the square of how many opinions lie between them (each end counts half), so 3 against 0
weighs more than 3 against 2, and no distance between grades has to be made up. Nominal: equal or not.
Source: K. Krippendorff, "Content Analysis", 2004, chapter 11; "Computing Krippendorff's alpha-reliability", 2011.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from curation.measures.ratings import Counts, Weights
from curation.measures.resampling import Estimate, estimate

Level = Literal["ordinal", "nominal"]


def krippendorff_alpha(counts: Counts, *, level: Level, seed: int) -> Estimate:
    """Return the alpha of a table of documents by categories (`ratings.Counts`), with a bootstrap interval.

    The categories stand in ascending order of their grades; a document that one person graded is left out.

    Raises:
        MeasureRefused: `counts` is no table of counts.
    """
    return estimate(counts, partial(_alpha, level=level), seed=seed)


def _alpha(rows: Counts, times: Weights, *, level: Level) -> Weights:
    categories = rows.shape[1]
    met = rows[:, :, np.newaxis] * rows[:, np.newaxis, :] - rows[:, :, np.newaxis] * np.eye(categories, dtype=np.int64)
    shared = met / (rows.sum(axis=1) - 1)[:, np.newaxis, np.newaxis]
    coincidences = (times @ shared.reshape(len(rows), -1)).reshape(-1, categories, categories)
    held = coincidences.sum(axis=2)
    apart = _ordinal(held) if level == "ordinal" else 1 - np.eye(categories)[np.newaxis]
    observed = (coincidences * apart).sum(axis=(1, 2))
    by_chance = (held[:, :, np.newaxis] * held[:, np.newaxis, :] * apart).sum(axis=(1, 2))
    alpha: Weights = 1 - (held.sum(axis=1) - 1) * observed / np.where(by_chance > 0, by_chance, np.nan)
    return alpha


def _ordinal(held: Weights) -> Weights:
    """The squared distance of each two categories, (draws, categories, categories), by how many opinions each holds."""
    middle = np.cumsum(held, axis=1) - held / 2
    distance: Weights = (middle[:, :, np.newaxis] - middle[:, np.newaxis, :]) ** 2
    return distance
