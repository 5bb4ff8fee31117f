"""Floors on numbers worked out by hand: what is decided, what held, and how many queries it takes."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.floors import FloorReading, Floors, absolute_floor, relative_floor
from curation.measures.refusals import MeasureRefused

RECALLS = st.lists(st.floats(0, 1), min_size=1, max_size=60)


def reading(distance: float, *, n: int, se: float | None) -> FloorReading:
    return FloorReading("absolute", 0.88, distance, se, n)


def test_the_absolute_distance_is_the_mean_less_the_floor() -> None:
    found = absolute_floor([1.0, 0.5], 0.6)
    assert found.distance == pytest.approx(0.15)
    assert found.se == pytest.approx(sqrt(0.125) / sqrt(2))
    assert (found.level, found.n, found.held) == (0.6, 2, True)


def test_the_relative_distance_and_its_spread_are_those_of_the_pairs() -> None:
    # d = 1 - 0.97 and 0.5 - 0.485: mean 0.0225, deviations of 0.0075, so SE = 0.0075 (sqrt(2 x s²) / sqrt(2)).
    found = relative_floor([1.0, 0.5], [1.0, 0.5], 0.97)
    assert found.distance == pytest.approx(0.0225)
    assert found.se == pytest.approx(0.0075)
    assert found.level == pytest.approx(0.97 * 0.75)


def test_a_hundred_sharp_queries_decide_however_near() -> None:
    assert reading(-0.001, n=100, se=0.035).decided
    assert not reading(-0.001, n=99, se=0.035).decided
    assert not reading(-0.001, n=100, se=0.0351).decided


def test_twenty_queries_decide_what_lies_further_off_than_two_standard_errors() -> None:
    assert reading(-0.15, n=20, se=0.07).failed
    assert reading(0.1, n=20, se=0.04).decided
    assert not reading(-0.15, n=19, se=0.07).decided
    assert not reading(-0.14, n=20, se=0.07).decided
    assert not reading(-0.88, n=99, se=0.0).decided  # all alike: no spread was seen to judge by
    assert not reading(-0.88, n=1, se=None).decided


def test_a_slice_of_24_near_its_floor_is_asked_for_143_queries_also_where_it_held() -> None:
    for distance in (0.01, -0.01):
        near = reading(distance, n=24, se=0.073)
        assert (near.decided, near.held, near.queries_to_decide) == (False, distance > 0, 143)


def test_a_small_sharp_slice_is_asked_for_a_hundred() -> None:
    assert reading(0.01, n=24, se=0.02).queries_to_decide == 100
    assert reading(0.01, n=1, se=None).queries_to_decide == 100


def test_what_stands_on_its_floor_held_it() -> None:
    hits = [1.0] * 97 + [0.0] * 3
    assert relative_floor(hits, [1.0] * 100, 0.97).held  # 0.97 x 1 in binary is not the sum of its parts
    assert absolute_floor([0.88] * 100, 0.88).held


def test_each_floor_catches_what_the_other_lets_by() -> None:
    weak = relative_floor([0.87] * 100, [0.89] * 100, 0.97)
    assert (round(weak.level, 3), weak.held) == (0.863, True)  # alone it would let the weakest slice sink under 0.88
    assert not absolute_floor([0.87] * 100, 0.88).held
    strong = relative_floor([0.89] * 100, [0.97] * 100, 0.97)
    assert (round(strong.level, 3), strong.held) == (0.941, False)  # and here the absolute one sees nothing
    assert absolute_floor([0.89] * 100, 0.88).held


def test_floors_are_shares() -> None:
    with pytest.raises(MeasureRefused, match="the relative one of 97 does not"):
        Floors(relative=97)


def test_no_queries_and_pairs_that_do_not_match_are_refused() -> None:
    with pytest.raises(MeasureRefused, match="without queries"):
        absolute_floor([], 0.88)
    with pytest.raises(MeasureRefused, match="2 queries have no pairs among 1"):
        relative_floor([1.0, 1.0], [1.0], 0.97)


@given(RECALLS, st.floats(0, 1))
def test_lifting_a_floor_never_makes_it_hold(recalls: list[float], floor: float) -> None:
    lower, higher = absolute_floor(recalls, floor / 2), absolute_floor(recalls, floor)
    assert lower.held or not higher.held


@given(RECALLS)
def test_a_run_that_equals_its_baseline_holds_its_relative_floor(recalls: list[float]) -> None:
    found = relative_floor(recalls, recalls, 0.97)
    assert found.held
    assert not found.failed
