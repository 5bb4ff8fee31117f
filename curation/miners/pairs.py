"""Every pair of rows whose cosine reaches a bar, found tile by tile so that memory does not grow with the corpus."""

import math
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from queue import SimpleQueue
from threading import Event
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from curation.miners.bounds import Bounds, Rows, bounds_of
from curation.miners.progress import Progress, silent
from curation.retrieval.vectors import Matrix

TILE = 8192  # rows a side of one piece of work: 0.1 s on one core at 32 axes
MOST_PAIRS = 2_000_000  # 20 near neighbours each in a corpus of 200,000; grouping them takes about 1 GB
_HIGH, _WIDE = 512, 2048  # a product of 4 MB stays in the cache
_RESCORED_AT_ONCE = 8192
_ASKED_EVERY = 1.0  # seconds without a finished tile after which the caller is asked all the same


class TooManyPairs(ValueError):
    """The bar lets through more pairs than can be grouped."""


class Pair(NamedTuple):
    """Two rows, the lower first, and their cosine."""

    first: int
    second: int
    cosine: float


@dataclass(frozen=True)
class _Met:
    """Pairs as columns."""

    first: Rows
    second: Rows
    cosines: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.cosines)


_Tile = tuple[int, int]


def near_pairs(
    vectors: Matrix,
    rows: Rows,
    *,
    bar: float,
    folds: Rows,
    progress: Progress = silent,
    threads: int | None = None,
) -> list[Pair]:
    """Pairs of the given rows with cosine at or above the bar, in order of rows.

    Args:
        vectors: (n, d) float32, a memory-mapped file as a rule; need not be of unit length.
        rows: the rows to compare, ascending.
        bar: the lowest cosine kept.
        folds: (n,) a number for each row; rows of one number are never a pair.
        progress: called from this thread once a tile with tiles done and tiles in all, and at least once a second.
        threads: None takes one for each core this process may use.

    A float32 product of short stand-ins rules pairs out (`bounds.Bounds`); whether one of the others reaches the bar is
    decided by the float64 sum of its own products, which is the same for any tile or thread count.

    Raises:
        TooManyPairs: more than `MOST_PAIRS` pairs reach the bar.
    """
    if len(rows) < 2:
        return []
    tiles = list(_tiles(len(rows)))
    found: list[_Met] = []
    with ThreadpoolController().limit(limits=1, user_api="blas"):
        bounds = bounds_of(vectors, rows, bar=bar, still_wanted=partial(progress, 0, len(tiles)))
        search = _Search(vectors, rows, bounds, bar=bar, folds=folds)
        for met in _in_turn(search, tiles, progress=progress, threads=threads or _cores()):
            found.append(met)
            if sum(map(len, found)) > MOST_PAIRS:
                raise TooManyPairs(too_many(bar, found, share=len(found) / len(tiles)))
    return _in_order(found)


def block_count(rows: int) -> int:
    """How many tiles comparing that many rows takes."""
    side = -(-rows // TILE)
    return side * (side + 1) // 2 if rows > 1 else 0


def too_many(bar: float, found: Sequence[_Met], *, share: float) -> str:
    """The sentence for pairs that were too many when `share` of the work was done, with a bar that would do."""
    cosines = np.sort(np.concatenate([met.cosines for met in found]))[::-1]
    last = float(cosines[int(MOST_PAIRS / 2 * share)])
    places = 2 if last < 0.99 else 4
    higher = min(math.ceil(last * 10**places) / 10**places, 1.0)
    return (
        f"More than {MOST_PAIRS:,} pairs of documents reach a similarity of {bar:g}, which is more than can be grouped:"
        f" mine at a higher threshold, {higher:g} or so."
    )


@dataclass(frozen=True)
class _Search:
    """What the workers share; `stop` is set when nobody wants their pairs any more."""

    vectors: Matrix
    rows: Rows
    bounds: Bounds
    bar: float
    folds: Rows
    stop: Event = field(default_factory=Event)

    def met(self, tile: _Tile, buffers: "SimpleQueue[_Buffers]") -> _Met:
        """The pairs of one tile, which is given by the places of its first rows."""
        own = buffers.get()
        try:
            found, held, waiting = [], [], 0
            for near in self._candidates(tile, own):
                held.append(near)
                waiting += near.shape[1]
                if waiting >= _RESCORED_AT_ONCE:
                    found += self._rescored(np.concatenate(held, axis=1))
                    held, waiting = [], 0
                if self.stop.is_set() or sum(map(len, found)) > MOST_PAIRS:
                    break
            return _joined([*found, *(self._rescored(np.concatenate(held, axis=1)) if held else [])])
        finally:
            buffers.put(own)

    def _candidates(self, tile: _Tile, own: "_Buffers") -> Iterator[Rows]:
        """Places (2, found) of pairs that cannot be ruled out, block by block."""
        points, least = self.bounds.points, np.float32(self.bar - 1 - self.bounds.slack)
        for right in _steps(tile[1], len(points), _WIDE):
            turned = self.bounds.exchanged(right)
            for left in _steps(tile[0], len(points), _HIGH):
                if left.start < right.stop:
                    flat = own.reaching(points[left], turned, least)
                    if len(flat):
                        high, wide = np.divmod(flat, len(turned))
                        yield self._wanted(high + left.start, wide + right.start)

    def _wanted(self, left: Rows, right: Rows) -> Rows:
        kept = (left < right) & (self.folds[self.rows[left]] != self.folds[self.rows[right]])
        return np.stack([left[kept], right[kept]])

    def _rescored(self, near: Rows) -> list[_Met]:
        found = []
        for start in range(0, near.shape[1], _RESCORED_AT_ONCE):
            if self.stop.is_set():
                break
            left, right = near[:, start : start + _RESCORED_AT_ONCE]
            first, second = self.rows[left], self.rows[right]
            products = self.vectors[first].astype(np.float64)
            products *= self.vectors[second]
            cosines = products.sum(axis=1) / (self.bounds.lengths[left] * self.bounds.lengths[right])
            kept = cosines >= self.bar
            found.append(_Met(first[kept], second[kept], cosines[kept]))
        return found


class _Buffers:
    """Room for one product, taken once: fresh memory for each would double the time."""

    def __init__(self) -> None:
        self._products = np.empty(_HIGH * _WIDE, dtype=np.float32)
        self._reached = np.empty(_HIGH * _WIDE, dtype=np.bool_)

    def reaching(self, left: Matrix, right: Matrix, least: np.float32) -> Rows:
        """Flat places of the products of left and right rows that are `least` or more."""
        size = len(left) * len(right)
        products = self._products[:size].reshape(len(left), len(right))
        np.matmul(left, right.T, out=products)
        np.greater_equal(self._products[:size], least, out=self._reached[:size])
        return np.flatnonzero(self._reached[:size])


def _in_turn(search: _Search, tiles: list[_Tile], *, progress: Progress, threads: int) -> Iterator[_Met]:
    """The pairs of each tile as it is done; never more than two tiles a thread are ahead of what was taken."""
    buffers: SimpleQueue[_Buffers] = SimpleQueue()
    for _ in range(threads):
        buffers.put(_Buffers())
    left, done = iter(tiles), 0
    with ThreadPoolExecutor(threads, thread_name_prefix="pairs") as pool:
        working: set[Future[_Met]] = set()
        try:
            while done < len(tiles):
                fresh = islice(left, 2 * threads - len(working))
                working |= {pool.submit(search.met, tile, buffers) for tile in fresh}
                ended, working = wait(working, timeout=_ASKED_EVERY, return_when=FIRST_COMPLETED)
                if not ended:
                    progress(done, len(tiles))
                for each in ended:
                    yield each.result()
                    done += 1
                    progress(done, len(tiles))
        finally:
            search.stop.set()
            pool.shutdown(cancel_futures=True)


def _tiles(rows: int) -> Iterator[_Tile]:
    starts = range(0, rows, TILE)
    return ((left, right) for left in starts for right in starts if left <= right)


def _steps(start: int, rows: int, step: int) -> Iterator[slice]:
    end = min(start + TILE, rows)
    return (slice(at, min(at + step, end)) for at in range(start, end, step))


def _joined(found: Sequence[_Met]) -> _Met:
    if not found:
        return _Met(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))
    return _Met(
        np.concatenate([met.first for met in found]),
        np.concatenate([met.second for met in found]),
        np.concatenate([met.cosines for met in found]),
    )


def _in_order(found: Sequence[_Met]) -> list[Pair]:
    met = _joined(found)
    order = np.lexsort((met.second, met.first))
    columns = (met.first[order].tolist(), met.second[order].tolist(), met.cosines[order].tolist())
    return list(map(Pair._make, zip(*columns, strict=True)))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
