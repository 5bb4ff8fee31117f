"""The groups that pairs above a bar make."""

import itertools
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from curation.miners.groups import bounded_groups
from curation.miners.pairs import Pair

Pairs = list[Pair]


def test_a_chain_does_not_form_a_group() -> None:
    chain = [Pair(0, 1, 0.9), Pair(1, 2, 0.91), Pair(2, 3, 0.9)]
    assert bounded_groups(chain) == [(1, 2)]


def test_the_group_whose_least_pair_is_highest_comes_first() -> None:
    found = bounded_groups([Pair(0, 1, 0.95), Pair(0, 2, 0.9), Pair(1, 2, 0.85), Pair(2, 3, 0.86)])
    assert found == [(0, 1), (2, 3)]


def test_ties_go_to_the_lowest_row() -> None:
    assert bounded_groups([Pair(1, 2, 0.9), Pair(0, 1, 0.9)]) == [(0, 1)]


PAIRS = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 11), st.sampled_from([0.8, 0.85, 0.9, 0.95])).filter(
        lambda each: each[0] < each[1]
    ),
    unique_by=lambda each: each[:2],
).map(lambda found: [Pair(*each) for each in found])


@given(PAIRS)
def test_every_two_members_were_a_pair_and_no_row_is_twice(pairs: Pairs) -> None:
    groups = bounded_groups(pairs)
    near = {(pair.first, pair.second) for pair in pairs}
    assert all(set(itertools.combinations(group, 2)) <= near for group in groups)
    members = [row for group in groups for row in group]
    assert len(members) == len(set(members))


@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_pairs_does_not_matter(pairs: Pairs, random: Random) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)
    assert bounded_groups(shuffled) == bounded_groups(pairs)


@given(PAIRS, st.sampled_from([0.85, 0.9, 0.95]))
def test_a_tighter_bar_only_splits_groups(pairs: Pairs, bar: float) -> None:
    """So a lead may tighten it on screen: a group's own scores are enough."""
    tight = bounded_groups([pair for pair in pairs if pair.cosine >= bar])
    inside = [
        bounded_groups([p for p in pairs if p.cosine >= bar and p.first in group and p.second in group])
        for group in bounded_groups(pairs)
    ]
    assert tight == sorted(part for parts in inside for part in parts)
