"""The largest singular values of a sparse matrix with their directions, in steps short enough to be called off.

The randomised decomposition of Halko, Martinsson and Tropp, SIAM Review 53 (2011), algorithm 4.4, with the beginning,
the margin and the signs of scikit-learn's `randomized_svd`, so with its numbers. There a product with 20,000 texts
is one call of many seconds, and Python raises what shall end the work only between two calls.
"""

import operator
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Thread
from typing import Any, TypeVar

import numpy as np

from curation.retrieval.vectors import Matrix

COLUMNS_AT_ONCE = 64
OVERSAMPLED = 10
ITERATIONS = 2

_Sparse = Any  # scipy ships no types
T = TypeVar("T")
Step = Callable[[], None]


def steps_of(most: int) -> int:
    """How many steps `right_directions` tells of."""
    return (2 * ITERATIONS + 2) * -(-(most + OVERSAMPLED) // COLUMNS_AT_ONCE)


def right_directions(rows: _Sparse, most: int, *, seed: int, step: Step) -> tuple[Matrix, Matrix]:
    """The `most` largest singular values, falling, and their right singular vectors, shape (most, columns).

    Args:
        rows: float32, sparse, shape (texts, columns).
        most: at most the shorter side of `rows`.
        seed: of the directions that the search begins with.
        step: called after each step, which may raise to end the work.
    """
    from sklearn.utils.extmath import svd_flip

    is_wide = rows.shape[0] < rows.shape[1]
    tall = rows.T if is_wide else rows
    basis = _basis(tall, _begun(tall, most + OVERSAMPLED, seed), step)
    small = product(tall.T, basis, step).T
    # NumPy's lets go of Python's lock meanwhile, SciPy's does not.
    turned, values, across = apart(lambda: np.linalg.svd(small, full_matrices=False))
    along, across = svd_flip(apart(lambda: basis @ turned), across, u_based_decision=not is_wide)
    directions = along.T if is_wide else across
    return values[:most], directions[:most]


def _begun(tall: _Sparse, size: int, seed: int) -> Matrix:
    from sklearn.utils import check_random_state

    begun: Matrix = check_random_state(seed).normal(size=(tall.shape[1], size)).astype(np.float32)
    return begun


def _basis(tall: _Sparse, begun: Matrix, step: Step) -> Matrix:
    """Orthonormal columns, shape (rows of `tall`, at most columns of `begun`), that hold nearly all `tall` maps to."""
    for _ in range(ITERATIONS):
        begun = _orthonormal(product(tall.T, _orthonormal(product(tall, begun, step)), step))
    return _orthonormal(product(tall, begun, step))


def _orthonormal(columns: Matrix) -> Matrix:
    from scipy.linalg import qr

    basis: Matrix = apart(lambda: qr(columns, mode="economic", check_finite=False)[0])
    return basis


def product(left: _Sparse, right: Matrix, step: Step) -> Matrix:
    """`left @ right` to the bit, a few columns at a time, since each column is summed by itself."""
    made = np.empty((left.shape[0], right.shape[1]), dtype=np.float32)
    for first in range(0, right.shape[1], COLUMNS_AT_ONCE):
        few = right[:, first : first + COLUMNS_AT_ONCE]
        made[:, first : first + COLUMNS_AT_ONCE] = apart(partial(operator.matmul, left, few))
        step()
    return made


def apart(call: Callable[[], T]) -> T:
    """What one long call returns, made in a thread of its own: whatever shall end the work is raised while we wait.

    A call that nobody waits for any more ends by itself, and what it made is dropped.
    """
    made: Future[T] = Future()
    Thread(target=_make, args=(call, made), name="a long call", daemon=True).start()
    return made.result()


def _make(call: Callable[[], T], made: Future[T]) -> None:
    try:
        made.set_result(call())
    except BaseException as fault:  # noqa: BLE001  (whoever waits gets it)
        made.set_exception(fault)
