"""Overlap@10 by hand, and what holds for any two rankings."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.overlap import (
    ALARM_BELOW,
    SAMPLED,
    WINDOW,
    days_without,
    is_alarming,
    overlap_at_10,
    window_mean,
)

TEN = [f"d{number}" for number in range(10)]
FIRST = date(2026, 6, 1)
rankings = st.lists(st.integers(0, 30).map("d{}".format), unique=True, max_size=31)


def days(*overlaps: float) -> dict[date, float]:
    return {FIRST + timedelta(days=number): overlap for number, overlap in enumerate(overlaps)}


def test_the_numbers_are_those_of_the_source() -> None:
    assert (SAMPLED, WINDOW, ALARM_BELOW) == (500, 3, 0.85)


@pytest.mark.parametrize(
    ("served", "overlap"),
    [
        (TEN, 1.0),
        (TEN[::-1], 1.0),
        ([*TEN[:9], "x"], 0.9),
        (["x", *TEN], 0.9),
        (TEN[:4], 0.4),
        (["d1"] * 10, 0.1),
        ([], 0.0),
        (["x", "y"], 0.0),
    ],
)
def test_overlap_counts_the_ten_whatever_their_order(served: list[str], overlap: float) -> None:
    assert overlap_at_10(served, [*TEN, "beyond"]) == overlap


def test_a_corpus_sample_is_taken_before_the_first_ten() -> None:
    """Ten documents outside the sample stand first in both lists: cut first, nothing would be left to compare."""
    outside = [f"o{number}" for number in range(10)]
    served = [*outside, *TEN[:8], "d10", "d11"]
    exact = [*outside[::-1], *TEN]
    assert overlap_at_10(served, exact, within={*TEN, "d10", "d11"}) == 0.8
    assert overlap_at_10(served, exact) == 1.0


def test_fewer_than_ten_exact_documents_are_the_whole() -> None:
    assert overlap_at_10(["a", "x", "b"], ["a", "b", "c", "d"]) == 0.5
    assert overlap_at_10(["a"], []) is None
    assert overlap_at_10(["a"], ["a"], within=set()) is None


@given(rankings, rankings, st.one_of(st.none(), st.sets(st.integers(0, 30).map("d{}".format))))
def test_overlap_is_a_share_and_restricting_first_changes_nothing(
    served: list[str], exact: list[str], within: set[str] | None
) -> None:
    overlap = overlap_at_10(served, exact, within=within)
    kept = [[name for name in ranking if within is None or name in within] for ranking in (served, exact)]
    assert overlap == overlap_at_10(*kept)
    assert (overlap is None) == (not kept[1])
    assert overlap is None or 0 <= overlap <= 1


@given(rankings.filter(bool), st.lists(st.text(), max_size=5))
def test_what_comes_after_the_tenth_changes_nothing(ranking: list[str], more: list[str]) -> None:
    assert overlap_at_10([*ranking[:10], *more], ranking[:10]) == 1.0


def test_the_window_is_the_last_three_readings() -> None:
    assert window_mean(days(0.2, 0.80, 0.85, 0.90), until=FIRST + timedelta(days=3)) == pytest.approx(0.85)
    assert window_mean(days(0.94, 0.94), until=FIRST + timedelta(days=9)) is None
    assert window_mean(days(0.9, 0.8, 0.7, 0.1), until=FIRST + timedelta(days=2)) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("overlaps", "alarms"),
    [((0.85, 0.85, 0.85), False), ((0.84, 0.85, 0.85), True), ((0.94, 0.94, 0.66), True), ((0.94, 0.94, 0.68), False)],
)
def test_the_alarm_is_below_the_threshold_and_not_at_it(overlaps: tuple[float, ...], *, alarms: bool) -> None:
    assert is_alarming(window_mean(days(*overlaps), until=FIRST + timedelta(days=2))) is alarms


def test_no_mean_is_no_alarm() -> None:
    assert not is_alarming(None)


def test_a_missing_day_is_named() -> None:
    read = set(days(0.9, 0.9, 0.9)) - {FIRST + timedelta(days=1)}
    missing = days_without(read, since=FIRST, until=FIRST + timedelta(days=3))
    assert missing == [FIRST + timedelta(days=1), FIRST + timedelta(days=3)]
