"""Every pair of rows whose cosine reaches a bar, found in blocks so that memory does not grow with the corpus."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from curation.miners.progress import Progress, silent
from curation.retrieval.vectors import Matrix

Rows = npt.NDArray[np.int64]

BLOCK = 2048  # rows a side: a float32 block of scores is 16 MB
MOST_PAIRS = 2_000_000  # 20 near neighbours each in a corpus of 200,000; grouping them takes about 1 GB
_RESCORED_AT_ONCE = 8192


class TooManyPairs(ValueError):
    """The bar lets through more pairs than can be grouped."""


class Pair(NamedTuple):
    """Two rows, the lower first, and their cosine."""

    first: int
    second: int
    cosine: float


@dataclass(frozen=True)
class _Block:
    rows: Rows
    unit: Matrix


def near_pairs(vectors: Matrix, rows: Rows, *, bar: float, folds: Rows, progress: Progress = silent) -> list[Pair]:
    """Pairs of the given rows with cosine at or above the bar, in order of rows.

    Args:
        vectors: (n, d) float32, a memory-mapped file as a rule; need not be of unit length.
        rows: the rows to compare, ascending.
        bar: the lowest cosine kept.
        folds: (n,) a number for each row; rows of one number are never a pair.
        progress: called once a block with blocks done and blocks in all.

    A float32 product finds candidates, allowing for its rounding (8 d 2^-24); whether a pair reaches the bar is
    decided by the float64 sum of each pair's own products, which is the same for any block or thread count.

    Raises:
        TooManyPairs: more than `MOST_PAIRS` pairs reach the bar.
    """
    slack = 8 * vectors.shape[1] * 2.0**-24
    starts = range(0, len(rows), BLOCK)
    total, done = block_count(len(rows)), 0
    found: list[Pair] = []
    for left_start in starts:
        left = _block(vectors, rows[left_start : left_start + BLOCK])
        for right_start in starts[left_start // BLOCK :]:
            right = left if right_start == left_start else _block(vectors, rows[right_start : right_start + BLOCK])
            found.extend(_met(vectors, _candidates(left, right, bar=bar - slack, folds=folds), bar))
            if len(found) > MOST_PAIRS:
                raise TooManyPairs(
                    f"More than {MOST_PAIRS:,} pairs reach a cosine of {bar:g}: choose a higher threshold."
                )
            done += 1
            progress(done, total)
    return sorted(found)


def block_count(rows: int) -> int:
    """How many blocks comparing that many rows takes."""
    side = -(-rows // BLOCK)
    return side * (side + 1) // 2


def _block(vectors: Matrix, rows: Rows) -> _Block:
    own = np.asarray(vectors[rows], dtype=np.float32)
    return _Block(rows, own / np.linalg.norm(own, axis=1, keepdims=True))


def _candidates(left: _Block, right: _Block, *, bar: float, folds: Rows) -> tuple[Rows, Rows]:
    at_left, at_right = np.nonzero(left.unit @ right.unit.T >= np.float32(bar))
    first, second = left.rows[at_left], right.rows[at_right]
    kept = (first < second) & (folds[first] != folds[second])
    return first[kept], second[kept]


def _met(vectors: Matrix, candidates: tuple[Rows, Rows], bar: float) -> Iterator[Pair]:
    for start in range(0, len(candidates[0]), _RESCORED_AT_ONCE):
        first, second = (rows[start : start + _RESCORED_AT_ONCE] for rows in candidates)
        a, b = vectors[first].astype(np.float64), vectors[second].astype(np.float64)
        lengths = np.sqrt((a * a).sum(axis=1)) * np.sqrt((b * b).sum(axis=1))
        cosines = (a * b).sum(axis=1) / lengths
        kept = cosines >= bar
        yield from map(
            Pair._make, zip(first[kept].tolist(), second[kept].tolist(), cosines[kept].tolist(), strict=True)
        )
