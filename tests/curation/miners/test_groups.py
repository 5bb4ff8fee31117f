"""Pairs above a bar and the groups they make."""

import itertools
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.miners import pairs as pairs_module
from curation.miners.groups import bounded_groups
from curation.miners.pairs import Pair, TooManyPairs, block_count, near_pairs
from curation.retrieval.vectors import Matrix

Pairs = list[Pair]


def unit_rows(rows: int, dims: int = 6, seed: int = 7) -> Matrix:
    found: Matrix = np.random.default_rng(seed).normal(size=(rows, dims)).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def all_pairs(vectors: Matrix, bar: float, progress: Callable[[int, int], None] = lambda *_: None) -> Pairs:
    rows = np.arange(len(vectors))
    return near_pairs(vectors, rows, bar=bar, folds=rows, progress=progress)


def test_every_pair_at_the_bar_is_found_whatever_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = unit_rows(150)
    exact = vectors.astype(np.float64)
    expected = {(a, b) for a, b in itertools.combinations(range(150), 2) if exact[a] @ exact[b] >= 0.8}
    whole = all_pairs(vectors, 0.8)
    monkeypatch.setattr(pairs_module, "BLOCK", 16)
    assert {(first, second) for first, second, _ in whole} == expected
    assert all_pairs(vectors, 0.8) == whole


def test_a_cosine_does_not_depend_on_length() -> None:
    vectors = np.array([[3, 0], [0, 5], [4, 3]], dtype=np.float32)
    assert all_pairs(vectors, 0.7) == [Pair(0, 2, 0.8)]


def test_rows_of_one_fold_are_no_pair() -> None:
    vectors = np.array([[1, 0], [1, 0], [1, 0]], dtype=np.float32)
    found = near_pairs(vectors, np.arange(3), bar=0.9, folds=np.array([5, 5, 6]))
    assert [(first, second) for first, second, _ in found] == [(0, 2), (1, 2)]


def test_progress_counts_blocks_and_may_stop_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs_module, "BLOCK", 10)
    seen: list[tuple[int, int]] = []

    def stop_at_two(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        all_pairs(unit_rows(25), 0.9, stop_at_two)
    assert seen == [(1, 6), (2, 6)]
    assert block_count(25) == 6


def test_a_bar_that_lets_everything_through_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs_module, "MOST_PAIRS", 2)
    with pytest.raises(TooManyPairs, match=r"More than 2 pairs reach a cosine of -1: choose a higher threshold\."):
        all_pairs(unit_rows(4), -1.0)


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
