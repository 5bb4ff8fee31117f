"""Pairs above a bar: the same as float64 brute force, whatever the bound, the tile or the threads."""

import threading
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as given_arrays

from curation.miners import bounds as bounds_module
from curation.miners import pairs as pairs_module
from curation.miners.bounds import bounds_of
from curation.miners.pairs import Pair, TooManyPairs, block_count, near_pairs
from curation.retrieval.vectors import Matrix

Found = dict[tuple[int, int], float]


def unit_rows(rows: int, dims: int = 6, *, seed: int = 7, decay: float = 0.0) -> Matrix:
    """Isotropic without a decay, else with a spectrum that falls as that of text embeddings does."""
    made = np.random.default_rng(seed).normal(size=(rows, dims)) / np.arange(1, dims + 1) ** decay
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def all_pairs(vectors: Matrix, bar: float, progress: Callable[[int, int], None] = lambda *_: None) -> list[Pair]:
    rows = np.arange(len(vectors))
    return near_pairs(vectors, rows, bar=bar, folds=rows, progress=progress)


def found_in(pairs: list[Pair]) -> Found:
    return {(first, second): cosine for first, second, cosine in pairs}


def brute_force(vectors: Matrix, bar: float) -> Found:
    """Every pair by its own float64 sum of products."""
    exact = vectors.astype(np.float64)
    lengths = np.sqrt((exact * exact).sum(axis=1))
    found: Found = {}
    for first in range(len(exact) - 1):
        cosines = (exact[first] * exact[first + 1 :]).sum(axis=1) / (lengths[first] * lengths[first + 1 :])
        for place in np.flatnonzero(cosines >= bar):
            found[first, first + 1 + int(place)] = float(cosines[place])
    return found


@pytest.mark.parametrize("bar", [0.8, 0.9, 0.97])
@pytest.mark.parametrize("decay", [0.0, 0.5, 1.5])
def test_pairs_are_those_of_brute_force_to_the_bit(monkeypatch: pytest.MonkeyPatch, bar: float, decay: float) -> None:
    """With exact copies, copies one float step apart, and hundreds of near-ties at the bar itself."""
    monkeypatch.setattr(bounds_module, "_TRIED_ON", 200)
    vectors = unit_rows(900, 48, decay=decay)
    vectors[100:150] = vectors[50:100]
    vectors[150:200] = np.nextafter(vectors[50:100], np.float32(2))
    for row in range(300, 600):
        other = vectors[row + 300] - (vectors[row + 300] @ vectors[row]) * vectors[row]
        other /= np.linalg.norm(other)
        near = bar + (row % 3 - 1) * 1e-7
        vectors[row + 300] = near * vectors[row] + np.sqrt(1 - near * near) * other
    expected = brute_force(vectors, bar)
    assert len(expected) > 200
    assert found_in(all_pairs(vectors, bar)) == expected


def test_a_falling_spectrum_takes_fewer_axes_than_there_are_dimensions() -> None:
    vectors = unit_rows(3000, 96, decay=0.7)
    vectors[1::20] = vectors[0::20] + 0.01 * unit_rows(150, 96, seed=8)
    bounds = bounds_of(vectors, np.arange(len(vectors)), bar=0.95)
    assert bounds.points.shape[1] - 3 < 96
    expected = brute_force(vectors, 0.95)
    assert len(expected) >= 150
    assert found_in(all_pairs(vectors, 0.95)) == expected


def test_every_pair_stays_within_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds_module, "_TRIED_ON", 100)
    vectors = unit_rows(400, 96, decay=0.7)
    bounds = bounds_of(vectors, np.arange(400), bar=0.95)
    assert bounds.points.shape[1] - 3 < 96
    exact = vectors.astype(np.float64)
    cosines = (exact @ exact.T) / np.outer(bounds.lengths, bounds.lengths)
    least = cosines - 1 - bounds.slack
    assert (bounds.points @ bounds.exchanged(slice(0, 400)).T >= least).all()


@given(
    given_arrays.arrays(
        np.float32,
        st.tuples(st.integers(2, 40), st.integers(1, 8)),
        elements=st.floats(-1, 1, width=32),
    ).filter(lambda made: bool((np.abs(made).max(axis=1) > 1e-3).all())),
    st.sampled_from([0.0, 0.5, 0.9, 0.999, 1.0]),
)
@settings(max_examples=150)
def test_any_vectors_give_the_pairs_of_brute_force(vectors: Matrix, bar: float) -> None:
    assert found_in(all_pairs(vectors, bar)) == brute_force(vectors, bar)


def test_pairs_do_not_depend_on_tiles_or_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, rows = unit_rows(150), np.arange(150)
    whole = all_pairs(vectors, 0.8)
    monkeypatch.setattr(pairs_module, "TILE", 16)
    for threads in (1, 2, 3):
        assert near_pairs(vectors, rows, bar=0.8, folds=rows, threads=threads) == whole


def test_a_cosine_does_not_depend_on_length() -> None:
    vectors = np.array([[3, 0], [0, 5], [4, 3]], dtype=np.float32)
    assert all_pairs(vectors, 0.7) == [Pair(0, 2, 0.8)]


def test_only_the_rows_asked_for_are_compared() -> None:
    vectors = np.ones((5, 2), dtype=np.float32)
    found = near_pairs(vectors, np.array([1, 4]), bar=0.9, folds=np.arange(5))
    assert [(first, second) for first, second, _ in found] == [(1, 4)]


def test_one_row_has_no_pair() -> None:
    assert all_pairs(unit_rows(1), -1.0) == []
    assert block_count(1) == 0


def test_rows_of_one_fold_are_no_pair() -> None:
    vectors = np.array([[1, 0], [1, 0], [1, 0]], dtype=np.float32)
    found = near_pairs(vectors, np.arange(3), bar=0.9, folds=np.array([5, 5, 6]))
    assert [(first, second) for first, second, _ in found] == [(0, 2), (1, 2)]


def test_progress_counts_tiles_and_may_stop_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs_module, "TILE", 10)
    seen: list[tuple[int, int]] = []

    def stop_at_two(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        all_pairs(unit_rows(25), 0.9, stop_at_two)
    assert seen == [(0, 6), (1, 6), (2, 6)]
    assert block_count(25) == 6


def test_a_tile_that_takes_long_is_given_up_when_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller is asked while a tile is at work; the worker then stops inside it and no thread is left."""
    monkeypatch.setattr(pairs_module, "_ASKED_EVERY", 0.01)
    monkeypatch.setattr(pairs_module, "_HIGH", 1)
    monkeypatch.setattr(pairs_module, "_WIDE", 1)  # a product for each of four million pairs

    def cancelled(_done: int, _total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        all_pairs(unit_rows(2000), 0.999, cancelled)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pairs")]


def test_a_bar_that_lets_everything_through_is_refused_with_one_that_would_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs_module, "MOST_PAIRS", 100)
    vectors = unit_rows(40, 3)
    with pytest.raises(TooManyPairs) as refused:
        all_pairs(vectors, -1.0)
    cosines = sorted(brute_force(vectors, -1.0).values(), reverse=True)
    higher = np.ceil(cosines[50] * 100) / 100
    assert str(refused.value) == (
        "More than 100 pairs of documents reach a similarity of -1, which is more than can be grouped:"
        f" mine at a higher threshold, {higher:g} or so."
    )
    assert len(all_pairs(vectors, float(higher))) <= 100


def test_the_bounds_too_are_given_up_when_nobody_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def cancelled(_done: int, _total: int) -> None:
        raise KeyError("cancelled")

    monkeypatch.setattr(pairs_module, "_Search", None)  # nothing is compared
    with pytest.raises(KeyError, match="cancelled"):
        all_pairs(unit_rows(20), 0.9, cancelled)
