"""The steps from an encoder's output to what an index holds, and the scale and centre that they go by."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.retrieval.quantisation import BINARY, INT8, Calibration, array_sha256, centre_of, scale_of
from curation.retrieval.rows import Matrix, VectorsRefused
from curation.retrieval.transforms import TRANSFORM_STEPS, calibrated, transform

ORDER = ("truncate", "l2_normalise", "centre", "quantise")
SAMPLE = np.random.default_rng(6).normal(0.2, 1, (400, 12)).astype(np.float32)
seeds = st.integers(0, 2**32 - 1)


def some_rows(seed: int, rows: int = 9) -> Matrix:
    return np.random.default_rng(seed).normal(0, 1, (rows, 12)).astype(np.float32)


def learned(order: tuple[str, ...] = ORDER, quantisation: str = INT8) -> Calibration:
    return calibrated(SAMPLE, dims=8, order=order, quantisation=quantisation)


def test_the_steps_are_those_of_the_manifest() -> None:
    assert TRANSFORM_STEPS == ORDER


def test_scale_and_centre_by_hand() -> None:
    rows = np.array([[0, 10], [1, 10], [2, 10], [-3, 10]], dtype=np.float32)
    assert centre_of(rows).tolist() == [0, 10]
    # between the 0.1st and the 99.9th percentile of -3, 0, 1, 2 lies -2.991 … 1.997
    scale = scale_of(rows - centre_of(rows), quantisation=INT8)
    assert scale.tolist() == [np.float32(2.991 / 127), 0]
    codes = Calibration(INT8, None, scale).codes(np.array([[-9, 5], [2.991, 0], [0.02, 0]], dtype=np.float32))
    assert codes.tolist() == [[-127, 0], [127, 0], [1, 0]]


def test_a_hash_is_that_of_little_endian_float32() -> None:
    assert array_sha256(np.array([1, -2], dtype=np.float32)) == hashlib.sha256(b"\0\0\x80?\0\0\0\xc0").hexdigest()


@given(seeds, st.sampled_from([INT8, BINARY]))
@settings(max_examples=25)
def test_index_side_and_query_side_agree_bit_by_bit(seed: int, quantisation: str) -> None:
    calibration, rows = learned(quantisation=quantisation), some_rows(seed)
    index = transform(rows, dims=8, order=ORDER, calibration=calibration)
    alone = [transform(row[None], dims=8, order=ORDER, calibration=calibration)[0] for row in rows]
    assert np.array_equal(index, np.array(alone))
    codes = calibration.codes(index)
    assert np.array_equal(calibration.values(codes), index)
    if quantisation == BINARY:
        assert set(np.unique(codes)) <= {-1, 1}


@given(seeds)
@settings(max_examples=25)
def test_a_number_inside_the_clip_moves_by_half_a_step_at_most(seed: int) -> None:
    calibration, rows = learned(), some_rows(seed)
    exact = transform(rows, dims=8, order=ORDER[:-1], calibration=calibration)
    coded = transform(rows, dims=8, order=ORDER, calibration=calibration)
    assert calibration.scale is not None
    inside = np.abs(exact) <= 127 * calibration.scale
    assert inside.any()
    assert (np.abs(exact - coded) <= 0.5001 * calibration.scale)[inside].all()


@given(seeds)
@settings(max_examples=25)
def test_the_order_of_the_steps_matters(seed: int) -> None:
    rows = some_rows(seed)
    swapped = ("l2_normalise", "truncate", "centre", "quantise")
    ours = transform(rows, dims=8, order=ORDER, calibration=learned())
    theirs = transform(rows, dims=8, order=swapped, calibration=learned(swapped))
    assert not np.array_equal(ours, theirs)
    assert learned().scale_sha256 != learned(swapped).scale_sha256


@given(st.permutations(range(400)))
@settings(max_examples=10)
def test_hashes_stay_whatever_the_order_of_the_sample(places: list[int]) -> None:
    again = calibrated(SAMPLE[places], dims=8, order=ORDER, quantisation=INT8)
    assert (again.scale_sha256, again.centre_sha256) == (learned().scale_sha256, learned().centre_sha256)


def test_hashes_change_with_a_vector_of_the_sample_and_with_the_clip() -> None:
    other = SAMPLE.copy()
    other[0, 0] += np.float32(0.5)
    moved = calibrated(other, dims=8, order=ORDER, quantisation=INT8)
    clipped = calibrated(SAMPLE, dims=8, order=ORDER, quantisation=INT8, clip=(0.01, 0.99))
    assert len({learned().scale_sha256, moved.scale_sha256, clipped.scale_sha256}) == 3
    assert moved.centre_sha256 != learned().centre_sha256 == clipped.centre_sha256


def test_what_the_order_lacks_is_not_learned() -> None:
    assert (learned(ORDER[:2]).scale_sha256, learned(ORDER[:2]).centre_sha256) == ("", "")


@pytest.mark.parametrize(
    ("order", "quantisation", "said"),
    [
        (("truncate", "round"), "", "'round' is not known; known are truncate, l2_normalise, centre, quantise"),
        (("truncate", "quantise", "centre"), INT8, "'quantise' makes codes, and no step can follow it"),
        (ORDER, "int4", "'int4' cannot be computed here; known are int8_symmetric_per_dimension and binary"),
        (("l2_normalise",), "", "12 dimensions and 8 are asked for"),
    ],
)
def test_an_order_that_cannot_be_done_is_refused(order: tuple[str, ...], quantisation: str, said: str) -> None:
    with pytest.raises(VectorsRefused, match=said):
        learned(order, quantisation)


def test_a_step_without_its_array_is_refused() -> None:
    for order, said in ((ORDER[:3], "no centre"), (("truncate", "quantise"), "no scale")):
        with pytest.raises(VectorsRefused, match=said):
            transform(SAMPLE, dims=8, order=order)
    with pytest.raises(VectorsRefused, match="centre has 8 dimensions and the vectors have 12"):
        transform(SAMPLE, dims=12, order=ORDER[1:], calibration=learned())
    with pytest.raises(VectorsRefused, match="holds no vector"):
        calibrated(SAMPLE[:0], dims=8, order=ORDER, quantisation=INT8)
