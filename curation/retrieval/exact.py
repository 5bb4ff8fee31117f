"""Exact top-k: float32 blocks find who can be in the answer, float64 row sums decide it.

Matrix products round differently by batch and thread count, so they only ever nominate. Every row whose
float32 score could reach the k-th place, given a proven bound on its error, is scored again by the one
definition in `row_scores`.
"""

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from curation.retrieval.vectors import Matrix, VectorsRefused, check_rows

Scores = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

_BLOCK_ROWS = 65_536
_BLOCK_QUERIES = 256  # with 65,536 rows: 64 MiB of float32 scores
_RESCORED_ROWS = 4_096
_UNIT = 2.0**-24  # unit roundoff of float32
_TINY = 2.0**-126  # below it float32 may lose a number to underflow
_OVERFLOW = 2.0**120


@dataclass(frozen=True, slots=True)
class Hits:
    """The answers of q queries, best first.

    `rows` and `scores` have shape (q, min(k, n)); `cut_in_tie`, shape (q,), counts the further rows whose
    score equals that of the last one kept. Order: score descending, row ascending.
    """

    rows: Rows
    scores: Scores
    cut_in_tie: Rows


def row_scores(rows: Matrix, query: Matrix) -> Scores:
    """The score: the float64 sum of each row's elementwise product with the query, shape (n,).

    A row's score is bit-identical whatever rows stand beside it, which a matrix product does not promise.
    Float32 products are exact in float64, so equal rows tie exactly.
    """
    products = np.ascontiguousarray(rows, dtype=np.float64)
    return np.asarray((products * query.astype(np.float64)).sum(axis=1))


def as_cosine(score: float) -> float:
    """A score of unit vectors as it is shown: rounding can carry it past [-1, 1], where no cosine lies."""
    return min(1.0, max(-1.0, score))


def top_k(vectors: Matrix, queries: Matrix, k: int, *, threads: int | None = None) -> Hits:
    """The k best rows of each query, by score descending, then row ascending.

    The same for any number of threads, any batch of queries, and as the prefix of any larger k. Memory stays
    at about 64 MiB of scores, whatever the number of rows; `vectors` may be memory-mapped.

    Args:
        vectors: float32, shape (n, d).
        queries: float32, shape (q, d).
        k: at least 1; n rows are given where there are fewer.
        threads: for the matrix products; None leaves the process's own setting.

    Raises:
        VectorsRefused: another number of dimensions, or NaN, infinity or nothing but zeros in a query, or a
            value that is not finite in a row.
        ValueError: k below 1.
    """
    if k < 1:
        raise ValueError(f"The number of documents to find must be at least 1, not {k}.")
    if vectors.shape[1] != queries.shape[1]:
        raise VectorsRefused(
            f"The index has {vectors.shape[1]:,} dimensions and the query {queries.shape[1]:,};"
            " encode the query with the encoder of the index."
        )
    check_rows(queries, ids=[f"query {number}" for number in range(1, len(queries) + 1)])
    depth = min(k, len(vectors))
    with _blas_threads(threads):
        kept = [best for batch in _batches(queries) for best in _search(vectors, batch, depth)]
    shape = (len(queries), depth)
    return Hits(
        rows=np.array([best.rows for best in kept], dtype=np.int64).reshape(shape),
        scores=np.array([best.scores for best in kept], dtype=np.float64).reshape(shape),
        cut_in_tie=np.array([best.cut_in_tie for best in kept], dtype=np.int64),
    )


class _Kept:
    """The best `depth` rows of one query among the blocks seen so far."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.scores: Scores = np.empty(0)
        self.rows: Rows = np.empty(0, dtype=np.int64)
        self.cut_in_tie = 0

    @property
    def floor(self) -> float:
        """The score that a row must at least equal to matter."""
        return float(self.scores[-1]) if len(self.scores) == self.depth else -np.inf

    def add(self, rows: Rows, scores: Scores) -> None:
        floor_before = self.floor
        all_scores, all_rows = np.concatenate([self.scores, scores]), np.concatenate([self.rows, rows])
        best_first = np.lexsort((all_rows, -all_scores))
        kept, rest = best_first[: self.depth], best_first[self.depth :]
        self.scores, self.rows = all_scores[kept], all_rows[kept]
        if self.floor > floor_before:
            self.cut_in_tie = 0
        self.cut_in_tie += int(np.count_nonzero(all_scores[rest] == self.floor))


def _search(vectors: Matrix, queries: Matrix, depth: int) -> list[_Kept]:
    kept = [_Kept(depth) for _ in queries]
    lengths = np.sqrt((queries.astype(np.float64) ** 2).sum(axis=1))
    for first in range(0, len(vectors), _BLOCK_ROWS):
        block = np.asarray(vectors[first : first + _BLOCK_ROWS])
        longest = _longest(block)
        with np.errstate(over="ignore", invalid="ignore"):
            nominations = queries @ block.T
        for best, query, length, scores in zip(kept, queries, lengths, nominations, strict=True):
            near = _within_reach(scores, best, _slack(float(length), longest, dims=len(query)))
            best.add(near + first, _rescored(block, near, query))
    return kept


def _within_reach(nominations: npt.NDArray[np.float32], best: _Kept, slack: float) -> Rows:
    """Rows of a block that can still be in the answer or tie with its end, in ascending order."""
    if not np.isfinite(slack):
        return np.arange(len(nominations))
    near = np.flatnonzero(nominations >= _rounded_down(best.floor - slack))
    if len(near) <= best.depth:
        return near
    # depth rows truly score at least (last - slack), so a row nominated below (last - 2 slack) cannot reach
    # them
    scores = nominations[near]
    last = np.partition(scores, len(scores) - best.depth)[len(scores) - best.depth]
    return near[scores >= _rounded_down(float(last) - 2 * slack)]


def _slack(query_length: float, longest_row: float, *, dims: int) -> float:
    """How far a float32 product can lie from `row_scores`; infinite where float32 itself could overflow.

    Any order of summation, fused or not, errs by at most d u / (1 - d u) |q| |x| with u = 2^-24 (Higham,
    Accuracy and Stability of Numerical Algorithms, 2002, section 3.1). Twice d u |q| |x| also covers the
    denominator, the float64 sum and the rounding of the lengths; the last term covers underflow.
    """
    reach = query_length * longest_row
    if not reach < _OVERFLOW:
        return np.inf
    return dims * (2 * _UNIT * reach + _TINY * (1 + query_length + longest_row))


def _longest(block: Matrix) -> float:
    """An upper bound of the length of the longest row; infinite where float32 cannot hold its square."""
    with np.errstate(over="ignore"):
        squares = float(np.einsum("ij,ij->i", block, block).max())
    if not np.isfinite(squares) and not np.isfinite(block).all():
        raise VectorsRefused("The vectors of the index hold NaN or infinity; import or encode them again.")
    dims: int = block.shape[1]
    return math.sqrt(squares + dims * _TINY) * (1 + 2 * dims * _UNIT)


def _rescored(block: Matrix, rows: Rows, query: Matrix) -> Scores:
    parts = [row_scores(block[rows[i : i + _RESCORED_ROWS]], query) for i in range(0, len(rows), _RESCORED_ROWS)]
    return np.concatenate([np.empty(0), *parts])


def _rounded_down(score: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.nextafter(np.float32(score), np.float32(-np.inf)))


def _batches(queries: Matrix) -> Iterator[Matrix]:
    return (queries[first : first + _BLOCK_QUERIES] for first in range(0, len(queries), _BLOCK_QUERIES))


def _blas_threads(threads: int | None) -> AbstractContextManager[object]:
    if threads is None:
        return nullcontext()
    limit: AbstractContextManager[object] = ThreadpoolController().limit(limits=threads, user_api="blas")
    return limit
