"""A short stand-in for every vector, by which two of them are shown to be too far apart without being compared.

Unit vectors x, x' have cosine >= t exactly where |x - x'|^2 <= 2 - 2t. With y = x - mean, h its part along a few
principal axes and T the length of the rest, |x - x'|^2 >= |h - h'|^2 + (T - T')^2, because the rests differ by at least
the difference of their lengths. Any mean and any orthonormal axes give a true bound; the principal ones a close one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.miners.progress import wanted
from curation.retrieval.vectors import Matrix

Rows = npt.NDArray[np.int64]
Wide = npt.NDArray[np.float64]

_UNIT = 2.0**-24  # unit roundoff of float32
_BLOCK = 4096
_LEARNT_FROM = 4096
_TRIED_ON = 2048
_MOST_AXES = 256
_WIDTHS = (16, 24, 32, 48, 64, 96, 128, 192, 256)
# Nanoseconds a pair on one core (AVX2, 384 dimensions): of any product, of each axis in it, of one exact comparison.
_ANY, _AXIS, _COMPARED = 0.5, 0.021, 2000.0


@dataclass(frozen=True)
class Bounds:
    """Stand-ins (n, m + 3) of n vectors: h, T, minus half the square of both, 1.

    The product of one with another whose last two columns are exchanged is at least cosine - 1 - slack. `lengths` (n,)
    are those of the vectors themselves.
    """

    points: Matrix
    lengths: Wide
    slack: float

    def __len__(self) -> int:
        """Number of vectors."""
        return len(self.points)

    def exchanged(self, part: slice) -> Matrix:
        """The stand-ins of some rows with their last two columns exchanged."""
        turned = self.points[part].copy()
        turned[:, [-2, -1]] = turned[:, [-1, -2]]
        return turned


def bounds_of(vectors: Matrix, rows: Rows, *, bar: float, still_wanted: Callable[[], None] = wanted) -> Bounds:
    """Stand-ins of the given rows, as short as pays for pairs from `bar` on.

    Args:
        vectors: (n, d) float32, a memory-mapped file as a rule; need not be of unit length.
        rows: the rows to stand in for.
        bar: the cosine that pairs must reach; it decides how many axes are kept, never whether the bound is true.
        still_wanted: called between steps of a fraction of a second; what it raises ends the work.

    The slack covers the float32 product in any order (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
    section 3.1) and the rounding of the stand-ins; a rest of length 0 may come out as 1e-7.
    """
    learnt = _unit(vectors[_spread(rows, _LEARNT_FROM)])
    mean = learnt.mean(axis=0)
    axes = _axes(learnt - mean, bar=bar, still_wanted=still_wanted) if len(rows) > _TRIED_ON else None
    width = vectors.shape[1] if axes is None else axes.shape[1]
    points = np.empty((len(rows), width + 3), dtype=np.float32)
    lengths = np.empty(len(rows))
    largest = 1.0
    for part in _parts(len(rows)):
        still_wanted()
        own = vectors[rows[part]].astype(np.float64)
        lengths[part] = np.sqrt((own * own).sum(axis=1))
        y = own / lengths[part, None] - mean
        points[part] = _points(y, axes)
        largest = max(largest, float((y * y).sum(axis=1).max()))
    return Bounds(points, lengths, slack=8 * (vectors.shape[1] + 8) * _UNIT * largest)


def _points(y: Wide, axes: Wide | None) -> Matrix:
    """The stand-ins of centred vectors; the half squares are those of the rounded h and T, so that they cancel."""
    width = y.shape[1] if axes is None else axes.shape[1]
    points = np.ones((len(y), width + 3), dtype=np.float32)
    points[:, :width] = y if axes is None else y @ axes
    h = points[:, :width].astype(np.float64)
    rest = np.maximum((y * y).sum(axis=1) - (h * h).sum(axis=1), 0.0) if axes is not None else np.zeros(len(y))
    points[:, width] = np.sqrt(rest)
    points[:, width + 1] = -((h * h).sum(axis=1) + points[:, width].astype(np.float64) ** 2) / 2
    return points


def _axes(y: Wide, *, bar: float, still_wanted: Callable[[], None]) -> Wide | None:
    """The fewest principal axes of centred vectors that pay, (d, m); None where only all of them would do."""
    found = _principal(y)
    tried = y[_spread(np.arange(len(y)), _TRIED_ON)]
    dims = y.shape[1]
    costs = {dims: _ANY + _AXIS * dims}
    for width in (width for width in _WIDTHS if width < min(dims, found.shape[1] + 1)):
        still_wanted()
        points = _points(tried, found[:, :width])
        turned = points.copy()
        turned[:, [-2, -1]] = turned[:, [-1, -2]]
        near = np.count_nonzero(points @ turned.T >= np.float32(bar - 1)) - len(tried)
        costs[width] = _ANY + _AXIS * width + _COMPARED * near / len(tried) ** 2
    best = min(costs, key=lambda width: (costs[width], width))
    return None if best == dims else found[:, :best]


def _principal(y: Wide) -> Wide:
    """Principal axes by falling variance, at most 256, by subspace iteration (Halko, Martinsson and Tropp, 2011)."""
    start = np.random.default_rng(0).standard_normal((y.shape[1], min(_MOST_AXES, y.shape[1])))
    basis = np.linalg.qr(start)[0]
    for _ in range(2):
        basis = np.linalg.qr(y.T @ (y @ basis))[0]
    along = y @ basis
    return np.asarray(basis @ np.linalg.eigh(along.T @ along)[1][:, ::-1])


def _unit(vectors: Matrix) -> Wide:
    own = vectors.astype(np.float64)
    return np.asarray(own / np.linalg.norm(own, axis=1, keepdims=True))


def _spread(rows: Rows, most: int) -> Rows:
    """At most so many of the rows, evenly spread."""
    return rows[:: -(-len(rows) // most)] if len(rows) > most else rows


def _parts(rows: int) -> Iterator[slice]:
    return (slice(start, min(start + _BLOCK, rows)) for start in range(0, rows, _BLOCK))
