"""The singular values of a small matrix by LAPACK, during whose call other threads of Python go on.

`scipy.linalg.svd` holds Python's lock until LAPACK is done, seconds in which nobody can end the work. This calls the
routine that scipy calls, of the library that scipy brings, with what scipy gives it: its numbers to the bit.
"""

import ctypes
from functools import cache
from typing import Any

import numpy as np

from curation.retrieval.vectors import Matrix

_ARGUMENTS = 14  # jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, iwork, info


def thin_svd(matrix: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Left directions, falling singular values and right directions, as `svd(matrix, full_matrices=False)` has them.

    Args:
        matrix: float32, shape (m, n); it is not changed.

    Raises:
        ArithmeticError: the search for the values did not converge, or a number of the matrix is none.
    """
    m, n = matrix.shape
    k = min(m, n)
    taken = np.array(matrix, dtype=np.float32, order="F")
    left, values, right = (np.empty(shape, np.float32, order="F") for shape in ((m, k), k, (k, n)))
    size = _work_size(taken)
    work, whole = np.empty(size, np.float32), np.empty(8 * k, np.intc)
    rows, columns, short, length, fault = (ctypes.c_int(number) for number in (m, n, k, size, 0))
    at = ctypes.byref
    given = [ctypes.c_char_p(b"S"), at(rows), at(columns), taken.ctypes.data, at(rows), values.ctypes.data]
    given += [left.ctypes.data, at(rows), right.ctypes.data, at(short), work.ctypes.data, at(length)]
    _routine()(*given, whole.ctypes.data, at(fault))
    if fault.value:
        raise ArithmeticError(f"LAPACK found no singular values (gesdd says {fault.value}).")
    return left, values, right


def _work_size(matrix: Matrix) -> int:
    """How many numbers of room scipy gives the routine; more or fewer would sum in another order."""
    from scipy.linalg.lapack import _compute_lwork, get_lapack_funcs

    (asked,) = get_lapack_funcs(("gesdd_lwork",), (matrix,))
    size: int = _compute_lwork(asked, *matrix.shape, compute_uv=True, full_matrices=False)
    return size


@cache
def _routine() -> Any:  # noqa: ANN401  (a type that ctypes makes)
    """`sgesdd` as scipy offers it to Cython; called by ctypes, which lets go of Python's lock meanwhile."""
    from scipy.linalg import cython_lapack

    capsule, python = cython_lapack.__pyx_capi__["sgesdd"], ctypes.pythonapi
    name_of, pointer_of = python.PyCapsule_GetName, python.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    made = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * _ARGUMENTS)
    return made(pointer_of(capsule, name_of(capsule)))
