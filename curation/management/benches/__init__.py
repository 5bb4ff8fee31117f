"""Speeds as ratios: ours beside a peer at its best setting, in one run on the same numbers."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from curation.retrieval.vectors import Matrix

Row = dict[str, Any]
ROUNDS = 3


def seconds(work: Callable[[], object], *, rounds: int = ROUNDS) -> float:
    """The median time of `work`, in seconds, over some rounds after one that warms up."""
    work()
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return median(taken)


def made_vectors(rows: int, dims: int, *, seed: int) -> Matrix:
    """Unit vectors (rows, dims) with the falling spectrum of text embeddings, and planted near-duplicates.

    Every twentieth row is a slightly moved copy of the one before it.
    """
    random = np.random.default_rng(seed)
    made = random.standard_normal((rows, dims)) / np.sqrt(np.arange(1, dims + 1))
    made[1::20] = made[0::20][: len(made[1::20])] + 0.004 * random.standard_normal((len(made[1::20]), dims))
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)
