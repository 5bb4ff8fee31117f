"""Queries with vectors, and what exact search answers them: the yardstick of every index of vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from curation.indexes.base import AskedQuery, Ranked
from curation.indexes.exact import ExactIndex
from curation.retrieval.vectors import Matrix, Vectors, transform, write_vectors

DIMS = 8
NAMES = tuple(f"d{number:03}" for number in range(200))


def asked(query_id: str, *numbers: float) -> AskedQuery:
    return AskedQuery(query_id, "", np.array(numbers, dtype=np.float32) if numbers else None)


def some_vectors(rows: int, seed: int) -> Matrix:
    """Rows of length 1 that differ enough for float32 sums in any order to rank them alike."""
    drawn = np.random.default_rng(seed).standard_normal((rows, DIMS)).astype(np.float32)
    return transform(drawn, dims=DIMS, order=["l2_normalise"])


def some_queries(seed: int = 7, count: int = 12) -> list[AskedQuery]:
    return [AskedQuery(f"q{number}", "", row) for number, row in enumerate(some_vectors(count, seed))]


def exact_rankings(folder: Path, rows: Matrix, queries: list[AskedQuery], k: int) -> list[list[Ranked]]:
    write_vectors(folder / "exact.npy", Vectors(ids=NAMES[: len(rows)], rows=rows))
    return ExactIndex(folder / "exact.npy").search(queries, k)


def names_in(rankings: list[list[Ranked]]) -> list[list[str]]:
    return [[place.external_id for place in ranking] for ranking in rankings]
