"""The Wilson interval: the handed values (C61), the widths the product plans with, and a public implementation."""

import csv
from math import copysign
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from curation.measures.refusals import MeasureRefused
from curation.measures.wilson import wilson, wilson_width

CASES = Path(__file__).parents[2] / "data" / "cases"


def test_c61_bounds_equal_the_listed_values_to_three_decimals() -> None:
    with (CASES / "c61-expect.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 9
    for row in rows:
        low, high = wilson(int(row["k"]), int(row["n"]))
        assert (f"{low:.3f}", f"{high:.3f}") == (row["low"], row["high"])


@pytest.mark.parametrize(("hits", "n", "width"), [(23, 30, 0.291), (78, 100, 0.161), (312, 400, 0.081)])
def test_the_interval_narrows_with_the_root_of_the_count(hits: int, n: int, width: float) -> None:
    low, high = wilson(hits, n)
    assert round(high - low, 3) == width


@pytest.mark.parametrize(
    ("hits", "n", "bounds"), [(7, 9, (0.453, 0.937)), (4, 9, (0.189, 0.733)), (11, 118, (0.053, 0.159))]
)
def test_a_thin_cell_says_little(hits: int, n: int, bounds: tuple[float, float]) -> None:
    low, high = wilson(hits, n)
    assert (round(low, 3), round(high, 3)) == bounds


def test_no_query_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("hits", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_more_hits_than_queries_are_refused(hits: int, n: int) -> None:
    with pytest.raises(MeasureRefused, match=f"{hits} hits of {n} queries cannot be."):
        wilson(hits, n)


@given(n=st.integers(1, 10_000), share=st.floats(0, 1))
def test_c61_bounds_stay_within_0_and_1_and_agree_with_statsmodels(n: int, share: float) -> None:
    hits = round(n * share)
    low, high = wilson(hits, n)
    assert 0 <= low <= hits / n <= high <= 1
    assert copysign(1, low) == 1  # never -0.0
    assert (low, high) == pytest.approx(proportion_confint(hits, n, alpha=0.05, method="wilson"), abs=1e-12)


@pytest.mark.parametrize(("hits", "n", "width"), [(23, 30, 0.291), (78, 100, 0.161), (312, 400, 0.081)])
def test_the_width_of_a_share_is_that_of_its_interval(hits: int, n: int, width: float) -> None:
    low, high = wilson(hits, n)
    assert wilson_width(hits / n, n) == pytest.approx(high - low)
    assert round(wilson_width(hits / n, n), 3) == width


def test_more_queries_at_the_same_rate_narrow_the_interval() -> None:
    widths = [wilson_width(0.78, n) for n in (30, 40, 60, 100, 400)]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize(("share", "n"), [(-0.1, 10), (1.1, 10), (0.5, 0)])
def test_no_such_share_has_a_width(share: float, n: int) -> None:
    with pytest.raises(MeasureRefused, match="has no interval"):
        wilson_width(share, n)
