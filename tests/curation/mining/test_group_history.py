"""When two groups are one group with changed members: where they share more than half of all their members."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.reports.group_history import History, goes_on


@pytest.mark.parametrize(
    ("shared", "ours", "theirs", "is_one"),
    [(3, 4, 3, True), (2, 3, 2, True), (2, 2, 4, False), (2, 4, 2, False), (1, 2, 2, False), (0, 2, 2, False)],
)
def test_more_than_half_of_all_members_are_shared(shared: int, ours: int, theirs: int, is_one: bool) -> None:
    assert goes_on(shared, ours, theirs) is is_one


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_of_two_partitions_no_group_goes_on_in_two_others(before: list[int], after: list[int]) -> None:
    size = min(len(before), len(after))
    older = [{place for place in range(size) if before[place] == group} for group in set(before[:size])]
    newer = [{place for place in range(size) if after[place] == group} for group in set(after[:size])]
    pairs = [(a, b) for a, one in enumerate(older) for b, other in enumerate(newer)
             if goes_on(len(one & other), len(other), len(one))]  # fmt: skip
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


def test_what_joined_and_left_is_named_and_many_are_counted() -> None:
    assert History(6, joined=("a",)).words == "Grown by 1 since generation 6: a joined."
    assert History(6, left=("a", "b")).words == "Shrunk by 2 since generation 6: a and b left."
    assert History(6, joined=("a",), left=("b",)).words == "Changed since generation 6: a joined, b left."
    assert (
        History(6, joined=tuple("abcdefg")).words == "Grown by 7 since generation 6: a, b, c, d, e and 2 more joined."
    )
    assert (History(6).words, History(6, is_new=True).words) == ("", "New since generation 6.")
