"""The one road from an encoder's output to searchable vectors, for documents and for queries alike."""

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Final

import numpy as np

from curation.retrieval.quantisation import CLIP, Calibration, Clip, centre_of, require_known, scale_of
from curation.retrieval.rows import Matrix, VectorsRefused, check_rows, row_blocks

NOTHING: Final = Calibration()


def _truncate(numbers: Matrix, dims: int, _calibration: Calibration) -> Matrix:
    return numbers[:, :dims]


def _l2_normalise(numbers: Matrix, _dims: int, _calibration: Calibration) -> Matrix:
    # float64 and one row at a time, so that a row's result never depends on the rows it came with
    wide = np.ascontiguousarray(numbers, dtype=np.float64)
    lengths = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    return (wide / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def _centre(numbers: Matrix, _dims: int, calibration: Calibration) -> Matrix:
    return calibration.centred(numbers)


def _quantise(numbers: Matrix, _dims: int, calibration: Calibration) -> Matrix:
    return calibration.values(calibration.codes(numbers))


_STEPS: dict[str, Callable[[Matrix, int, Calibration], Matrix]] = {
    "truncate": _truncate,
    "l2_normalise": _l2_normalise,
    "centre": _centre,
    "quantise": _quantise,
}
TRANSFORM_STEPS = tuple(_STEPS)


def transform(
    vectors: Matrix,
    *,
    dims: int,
    order: Sequence[str],
    ids: Sequence[str] | None = None,
    calibration: Calibration = NOTHING,
) -> Matrix:
    """Vectors as they are searched; after "quantise" they are the numbers that the codes stand for.

    Args:
        vectors: float32, shape (n, d).
        dims: width of the result.
        order: steps out of `TRANSFORM_STEPS`, done in this order.
        ids: n names for the refusal.
        calibration: what the steps "centre" and "quantise" go by, as `calibrated` gives it.

    Returns:
        A new float32 matrix, shape (n, dims). A row comes out bit-identical alone or in any batch.

    Raises:
        VectorsRefused: unknown step, `dims` that the steps do not lead to, a calibration that lacks or is of another
            width, or a row that `check_rows` refuses before or after the steps.
    """
    _require_order(order, dims=dims, width=vectors.shape[1])
    check_rows(vectors, ids=ids)
    result = np.empty((len(vectors), dims), dtype=np.float32)
    for block in row_blocks(*vectors.shape):
        result[block] = _through(order, vectors[block], dims=dims, calibration=calibration)
    check_rows(result, ids=ids)
    return result


def calibrated(
    rows: Matrix, *, dims: int, order: Sequence[str], quantisation: str = "", clip: Clip = CLIP
) -> Calibration:
    """What the steps "centre" and "quantise" of an order go by, learned from a sample of an encoder's output.

    The centre is the mean of the sample as it arrives at "centre", the scale comes of it as it arrives at "quantise".

    Args:
        rows: of the calibration sample, float32, shape (n, d).
        dims: width that the order leads to.
        order: as for `transform`.
        quantisation: one of `quantisation.QUANTISATIONS`; "" for an order without "quantise".
        clip: the clip quantiles, as fractions of one.

    Raises:
        VectorsRefused: as `transform`; or the order quantises and names no quantisation that is known.
    """
    _require_order(order, dims=dims, width=rows.shape[1])
    if not len(rows):
        raise VectorsRefused("The calibration sample holds no vector; draw it again.")
    check_rows(rows)
    centre = scale = None
    if "centre" in order:
        centre = centre_of(_through(takewhile("centre".__ne__, order), rows, dims=dims, calibration=NOTHING))
    if "quantise" in order:
        require_known(quantisation)
        arriving = _through(
            takewhile("quantise".__ne__, order), rows, dims=dims, calibration=Calibration(centre=centre)
        )
        scale = scale_of(arriving, quantisation=quantisation, clip=clip)
    return Calibration(quantisation if scale is not None else "", centre, scale)


def _through(steps: Iterable[str], numbers: Matrix, *, dims: int, calibration: Calibration) -> Matrix:
    for step in steps:
        numbers = _STEPS[step](numbers, dims, calibration)
    return numbers


def _require_order(order: Sequence[str], *, dims: int, width: int) -> None:
    unknown = [step for step in order if step not in _STEPS]
    if unknown:
        raise VectorsRefused(f"The transform step {unknown[0]!r} is not known; known are {', '.join(_STEPS)}.")
    if "quantise" in order[:-1]:
        raise VectorsRefused("The transform step 'quantise' makes codes, and no step can follow it; put it last.")
    if dims > width or dims < 1 or (dims < width and "truncate" not in order):
        raise VectorsRefused(
            f"These vectors have {width:,} dimensions and {dims:,} are asked for;"
            " vectors can only be cut down, by the step 'truncate'."
        )
