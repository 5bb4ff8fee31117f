"""The spread of per-query recall is measured; equal scores have none at all."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.refusals import MeasureRefused
from curation.measures.standard_error import mean, queries_for, standard_error


def test_the_standard_error_is_the_sample_spread_over_the_root_of_n() -> None:
    # Deviations of 1, 0, 0, 1, 1, 0 from 0.5 are all 0.5: variance 6 x 0.25 / 5 = 0.3.
    assert standard_error([1, 0, 0, 1, 1, 0]) == pytest.approx(sqrt(0.3) / sqrt(6), abs=1e-15)


def test_it_is_not_the_binomial_one() -> None:
    halves = [0.0, 1.0] * 12
    assert standard_error(halves) == pytest.approx(0.1042, abs=1e-4)  # sqrt(0.5 x 0.5 / 24) would be 0.1021


def test_one_value_has_a_mean_and_no_standard_error() -> None:
    assert (mean([0.89]), standard_error([0.89])) == (0.89, None)
    assert (mean([]), standard_error([])) == (None, None)


@given(value=st.floats(0, 1), n=st.integers(2, 50))
def test_equal_scores_have_a_spread_of_exactly_0(value: float, n: int) -> None:
    assert mean([value] * n) == value
    assert standard_error([value] * n) == 0.0


@given(st.lists(st.floats(0, 1), min_size=2, max_size=60))
def test_both_agree_with_numpy(values: list[float]) -> None:
    assert mean(values) == pytest.approx(np.mean(values), abs=1e-12)
    assert standard_error(values) == pytest.approx(np.std(values, ddof=1) / sqrt(len(values)), abs=1e-12)


def test_a_slice_of_24_at_0_073_needs_143_queries() -> None:
    assert round(24 * (0.073 / 0.03) ** 2, 1) == 142.1
    assert queries_for(0.073, 24, 0.03) == 143


def test_halving_an_error_takes_four_times_the_queries_and_no_more() -> None:
    assert queries_for(0.06, 24, 0.03) == 96
    assert queries_for(0.3, 25, 0.1) == 225  # 0.3 / 0.1 is a little under 3 in binary
    assert queries_for(0.0, 24, 0.03) == 0


def test_an_error_of_0_cannot_be_asked_for() -> None:
    with pytest.raises(MeasureRefused, match="No number of queries"):
        queries_for(0.073, 24, 0)
