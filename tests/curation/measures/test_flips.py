"""How many wrong judgments change a verdict, counted by hand and by trying."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.flips import Flips, expected_flips, flips_across, flips_past
from curation.measures.refusals import MeasureRefused

FLOOR = Fraction(3, 5)
cells = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
shares = st.fractions(0, 1, max_denominator=400)


def test_three_flips_lift_68_of_118_over_the_floor() -> None:
    assert flips_across(68, 118, level=FLOOR) == Flips(3, lifts=True)
    assert Fraction(70, 118) < FLOOR <= Fraction(71, 118)


def test_a_cell_at_the_floor_holds_it_and_one_flip_takes_it_away() -> None:
    assert flips_across(60, 100, level=FLOOR) == Flips(1, lifts=False)
    assert flips_across(59, 100, level=FLOOR) == Flips(1, lifts=True)


def test_the_worst_cell_changes_its_place_past_the_next() -> None:
    assert flips_past(15, 100, other=Fraction(18, 100), lifts=True) == Flips(4, lifts=True)
    assert flips_past(18, 100, other=Fraction(15, 100), lifts=False) == Flips(4, lifts=False)


def test_nothing_lies_above_1_or_below_0() -> None:
    assert flips_past(90, 100, other=Fraction(1), lifts=True) is None
    assert flips_past(10, 100, other=Fraction(0), lifts=False) is None


def test_half_of_a_disagreement_of_9_per_cent_of_118_is_about_5() -> None:
    assert expected_flips(0.09, 118) == pytest.approx(5.31)


@given(cells)
def test_the_flips_across_a_floor_are_enough_and_one_fewer_is_not(cell: tuple[int, int]) -> None:
    hits, n = cell
    flips = flips_across(hits, n, level=FLOOR)
    step = 1 if flips.lifts else -1
    holds = hits >= FLOOR * n
    assert (hits + step * flips.count >= FLOOR * n) is not holds
    assert (hits + step * (flips.count - 1) >= FLOOR * n) is holds
    assert 0 <= hits + step * flips.count <= n


@given(cells, shares)
def test_the_flips_past_another_cell_are_enough_and_one_fewer_is_not(cell: tuple[int, int], other: Fraction) -> None:
    hits, n = cell
    up = flips_past(hits, n, other=other, lifts=True)
    if up is not None:
        assert Fraction(hits + up.count - 1, n) <= other < Fraction(hits + up.count, n)
    down = flips_past(hits, n, other=other, lifts=False)
    if down is not None:
        assert Fraction(hits - down.count, n) < other <= Fraction(hits - down.count + 1, n)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(MeasureRefused, match="11 hits of 10"):
        flips_across(11, 10, level=FLOOR)
    with pytest.raises(MeasureRefused, match="0 hits of 0"):
        flips_past(0, 0, other=FLOOR, lifts=True)
    with pytest.raises(MeasureRefused, match="floor"):
        flips_across(1, 10, level=Fraction(0))
    with pytest.raises(MeasureRefused, match="rate"):
        expected_flips(1.5, 10)
