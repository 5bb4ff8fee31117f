"""Margins, decay and shift, on numbers worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.decay import Decay, decay
from curation.measures.margin import Margins, margin, margins
from curation.measures.refusals import MeasureRefused
from curation.measures.shift import shift

ANSWER = [("n1", 0.9), ("r1", 0.8), ("n2", 0.7), ("r2", 0.6)]


def test_a_margin_is_between_the_best_of_both_sides() -> None:
    assert margin(ANSWER, relevant={"r1", "r2"}, negatives={"n2"}) == pytest.approx(0.1)
    assert margin(ANSWER, relevant={"r1", "r2"}, negatives={"n1", "n2"}) == pytest.approx(-0.1)


@pytest.mark.parametrize(("relevant", "negatives"), [({"r9"}, {"n1"}), ({"r1"}, {"n9"})])
def test_an_answer_without_one_side_has_no_margin(relevant: set[str], negatives: set[str]) -> None:
    assert margin(ANSWER, relevant=relevant, negatives=negatives) is None


def test_margins_tell_how_many_queries_have_none() -> None:
    assert margins([0.5, None, 0.25, 0.0]) == Margins(n=3, mean=0.25, median=0.25, unranked=1)
    assert margins([None]) == Margins(n=0, mean=None, median=None, unranked=1)


def test_decay_counts_what_is_still_confused_and_what_turned_out_relevant() -> None:
    earlier = {"q1": {"a", "b", "c"}, "q2": {"a"}, "gone": {"a"}, "none": set[str]()}
    answers = {"q1": ["r", "a", "b"], "q2": ["r"], "none": ["a"]}
    assert decay(earlier, answers, {"q1": {"r", "b"}}) == Decay(queries=2, negatives=4, relevant=1, still=1)


def test_a_share_is_told_from_thirty_queries_on() -> None:
    assert Decay(queries=29, negatives=100, relevant=0, still=50).share is None
    assert Decay(queries=30, negatives=100, relevant=20, still=60).share == 0.75
    assert Decay(queries=30, negatives=100, relevant=100, still=0).share is None


def test_the_shift_of_newcombes_example() -> None:
    """56 of 70 against 48 of 80: 0.2, from 0.0524 to 0.3339 (the paper's table II, method 10)."""
    found = shift((48, 80), (56, 70))
    assert found.value == pytest.approx(0.2)
    assert found.ci == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert found.verdict == "higher"
    assert shift((56, 70), (48, 80)).verdict == "lower"
    assert shift((50, 80), (48, 80)).verdict == "undecided"


def test_a_list_without_queries_has_no_shift() -> None:
    with pytest.raises(MeasureRefused, match="without queries"):
        shift((0, 0), (3, 4))


@given(st.integers(1, 400), st.integers(1, 400), st.data())
def test_a_shift_lies_in_its_interval_and_turns_its_sign_with_its_sides(n: int, m: int, data: st.DataObject) -> None:
    older, newer = (data.draw(st.integers(0, n)), n), (data.draw(st.integers(0, m)), m)
    there, back = shift(older, newer), shift(newer, older)
    assert there.ci[0] <= there.value <= there.ci[1]
    assert (back.value, *back.ci) == pytest.approx((-there.value, -there.ci[1], -there.ci[0]))
