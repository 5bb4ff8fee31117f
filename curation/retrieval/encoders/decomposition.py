"""The largest singular values of a sparse matrix with their directions, in steps short enough to be called off.

The randomised decomposition of Halko, Martinsson and Tropp, SIAM Review 53 (2011), algorithm 4.4, with the beginning,
the margin and the signs of scikit-learn's `randomized_svd`, so with its very numbers. There a product with 20,000 texts
is one call of many seconds, and Python raises what shall end the work only between two calls.
"""

from typing import Any

import numpy as np

from curation.retrieval.vectors import Matrix

COLUMNS_AT_ONCE = 64
OVERSAMPLED = 10
ITERATIONS = 2

_Sparse = Any  # scipy ships no types


def right_directions(rows: _Sparse, most: int, *, seed: int) -> tuple[Matrix, Matrix]:
    """The `most` largest singular values, falling, and their right singular vectors, shape (most, columns).

    Args:
        rows: float32, sparse, shape (texts, columns).
        most: at most the shorter side of `rows`.
        seed: of the directions that the search begins with.
    """
    from scipy.linalg import svd
    from sklearn.utils.extmath import svd_flip

    is_wide = rows.shape[0] < rows.shape[1]
    tall = rows.T if is_wide else rows
    basis = _basis(tall, most + OVERSAMPLED, seed)
    small = product(tall.T, basis).T
    turned, values, across = svd(small, full_matrices=False, lapack_driver="gesdd")
    along, across = svd_flip(basis @ turned, across, u_based_decision=not is_wide)
    directions = along.T if is_wide else across
    return values[:most], directions[:most]


def _basis(tall: _Sparse, size: int, seed: int) -> Matrix:
    """Orthonormal columns, shape (rows of `tall`, at most `size`), that hold nearly all that `tall` maps to."""
    from sklearn.utils import check_random_state

    begun = check_random_state(seed).normal(size=(tall.shape[1], size)).astype(np.float32)
    for _ in range(ITERATIONS):
        begun = _orthonormal(product(tall.T, _orthonormal(product(tall, begun))))
    return _orthonormal(product(tall, begun))


def _orthonormal(columns: Matrix) -> Matrix:
    from scipy.linalg import qr

    basis: Matrix = qr(columns, mode="economic", check_finite=False)[0]
    return basis


def product(left: _Sparse, right: Matrix) -> Matrix:
    """`left @ right` to the bit, a few columns at a time, since each column is summed by itself."""
    made = np.empty((left.shape[0], right.shape[1]), dtype=np.float32)
    for first in range(0, right.shape[1], COLUMNS_AT_ONCE):
        made[:, first : first + COLUMNS_AT_ONCE] = left @ right[:, first : first + COLUMNS_AT_ONCE]
    return made
