"""Rows of float32 numbers: what a search can rank at all, and how a long matrix is gone through in blocks."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]

_BLOCK_NUMBERS = 2**23  # 32 MiB of float32: what one step may hold, whatever the size of the file
_NAMED = 5


class VectorsRefused(ValueError):
    """Vectors that cannot be stored or searched; its text is one sentence for the person who brought them."""


def as_float32(rows: npt.NDArray[np.floating[Any]]) -> Matrix:
    """The same rows in native float32; a number beyond it becomes an infinity, which every check refuses."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(rows, dtype=np.float32)


def row_blocks(rows: int, dims: int) -> Iterator[slice]:
    """Consecutive slices over `rows` rows of `dims` numbers, each about 32 MiB of float32."""
    step = max(1, _BLOCK_NUMBERS // max(1, dims))
    return (slice(first, min(first + step, rows)) for first in range(0, rows, step))


def check_rows(rows: npt.NDArray[np.floating[Any]], *, ids: Sequence[str] | None = None) -> None:
    """Refuse rows that no search can rank, naming the first of them.

    Args:
        rows: shape (n, d), any float type; judged as the float32 numbers they would be stored as.
        ids: n names; row numbers from 1 are named where there are none.

    Raises:
        VectorsRefused: a row holds NaN, an infinity or a number beyond float32, or nothing but zeros.
    """
    broken: list[int] = []
    zero: list[int] = []
    for block in row_blocks(*rows.shape):
        numbers = as_float32(rows[block])
        finite = np.isfinite(numbers).all(axis=1)
        broken.extend((np.flatnonzero(~finite) + block.start).tolist())
        zero.extend((np.flatnonzero(~numbers.any(axis=1)) + block.start).tolist())
    faults = [
        _counted(found, ids, fault)
        for found, fault in (
            (broken, "NaN, infinity or a number beyond float32"),
            (zero, "nothing but zeros"),
        )
        if found
    ]
    if faults:
        raise VectorsRefused(f"{' and '.join(faults)}; such vectors cannot be ranked, so encode these texts again.")


def _counted(rows: Sequence[int], ids: Sequence[str] | None, fault: str) -> str:
    names = [ids[row] if ids is not None else f"row {row + 1}" for row in rows[:_NAMED]]
    more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    noun, verb = ("vector", "holds") if len(rows) == 1 else ("vectors", "hold")
    return f"{len(rows):,} {noun} ({', '.join(names)}{more}) {verb} {fault}"
