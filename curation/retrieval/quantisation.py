"""Numbers made small: a code for each dimension of a vector, by a scale and a centre that a calibration sample teaches.

Both arrays come out bit-identical on every machine: a mean is the exactly rounded one, a quantile is written out here
and left to no library's default. So their hashes stay, or something really changed.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from curation.retrieval.rows import Matrix, VectorsRefused

Codes = npt.NDArray[np.int8]
Clip = tuple[float, float]

INT8: Final = "int8_symmetric_per_dimension"
BINARY: Final = "binary_sign_per_dimension"
CLIP: Final[Clip] = (0.001, 0.999)  # fractions of one: between the 0.1st and the 99.9th percentile
_LARGEST: Final = 127  # -128 has no counterpart, so it stays free


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """What a calibration sample taught.

    `centre` and `scale` are float32 of shape (d,), None where the order has no such step. `quantisation` is one of
    `QUANTISATIONS`, "" where nothing is quantised.
    """

    quantisation: str = ""
    centre: Matrix | None = None
    scale: Matrix | None = None

    @property
    def centre_sha256(self) -> str:
        """SHA-256 of the centre, "" where there is none."""
        return array_sha256(self.centre)

    @property
    def scale_sha256(self) -> str:
        """SHA-256 of the scale, "" where there is none."""
        return array_sha256(self.scale)

    def codes(self, rows: Matrix) -> Codes:
        """The code of each number, shape (n, d); of rows that went through `values` the very codes that they stand for.

        Raises:
            VectorsRefused: nothing was calibrated, or the rows have another width.
        """
        return _CODES[self.quantisation](rows, self._scale(rows.shape[1]))

    def values(self, codes: Codes) -> Matrix:
        """The float32 numbers that the codes stand for, shape (n, d).

        Raises:
            VectorsRefused: as `codes`.
        """
        return np.asarray(codes * self._scale(codes.shape[1]), dtype=np.float32)

    def centred(self, rows: Matrix) -> Matrix:
        """The rows without the centre.

        Raises:
            VectorsRefused: as `codes`.
        """
        return rows - _fitting(self.centre, rows.shape[1], "centre")

    def _scale(self, width: int) -> Matrix:
        return _fitting(self.scale, width, "scale")


def array_sha256(array: Matrix | None) -> str:
    """SHA-256, in 64 hexadecimal digits, of the bytes of the array as little-endian float32; "" for None."""
    return "" if array is None else hashlib.sha256(array.astype("<f4").tobytes()).hexdigest()


def centre_of(rows: Matrix) -> Matrix:
    """The mean of each dimension over the rows, shape (n, d): float32 of shape (d,), summed without rounding."""
    return np.array([math.fsum(column.tolist()) / len(rows) for column in rows.T], dtype=np.float32)


def scale_of(rows: Matrix, *, quantisation: str, clip: Clip = CLIP) -> Matrix:
    """What one step of the code is worth in each dimension: float32 of shape (d,), 0 where a dimension never varies.

    Args:
        rows: the sample as it arrives at the quantisation, shape (n, d).
        quantisation: one of `QUANTISATIONS`.
        clip: the quantiles, as fractions of one, of which the one further from 0 becomes the largest code.

    Raises:
        VectorsRefused: there is no such quantisation.
    """
    require_known(quantisation)
    if quantisation == BINARY:
        return np.ones(rows.shape[1], dtype=np.float32)
    ordered = np.sort(rows.astype(np.float64), axis=0)
    bound = np.maximum(*(np.abs(_quantile(ordered, fraction)) for fraction in clip))
    return (bound / _LARGEST).astype(np.float32)


def require_known(quantisation: str) -> None:
    """Refuse what cannot be computed here.

    Raises:
        VectorsRefused: naming what can.
    """
    if quantisation not in QUANTISATIONS:
        known = " and ".join(QUANTISATIONS)
        raise VectorsRefused(f"The quantisation {quantisation!r} cannot be computed here; known are {known}.")


def _quantile(ordered: npt.NDArray[np.float64], fraction: float) -> npt.NDArray[np.float64]:
    """Linear between the two nearest of n ordered rows: the row at place fraction x (n - 1), counted from 0."""
    place = fraction * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    result: npt.NDArray[np.float64] = ordered[below] + (place - below) * (ordered[above] - ordered[below])
    return result


def _int8(rows: Matrix, scale: Matrix) -> Codes:
    steps = np.rint(rows / np.where(scale == 0, np.float32(np.inf), scale))
    return np.clip(steps, -_LARGEST, _LARGEST).astype(np.int8)


def _sign(rows: Matrix, _scale: Matrix) -> Codes:
    return np.where(rows > 0, 1, -1).astype(np.int8)


def _uncalibrated(_rows: Matrix, _scale: Matrix) -> Codes:
    raise VectorsRefused("Nothing here is quantised; calibrate an order that has the step 'quantise'.")


def _fitting(array: Matrix | None, width: int, name: str) -> Matrix:
    if array is None:
        raise VectorsRefused(f"There is no {name} to go by; compute it from the calibration sample first.")
    if len(array) != width:
        raise VectorsRefused(
            f"The {name} has {len(array):,} dimensions and the vectors have {width:,}; calibrate again."
        )
    return array


_CODES: dict[str, Callable[[Matrix, Matrix], Codes]] = {INT8: _int8, BINARY: _sign, "": _uncalibrated}
QUANTISATIONS = (INT8, BINARY)
