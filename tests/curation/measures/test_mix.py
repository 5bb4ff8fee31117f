"""The distance of two mixes: by hand, by counting every outcome, and within its bounds."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.mix import distance_by_chance, shares, total_variation
from curation.measures.refusals import MeasureRefused

MIXES = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 1000)).filter(lambda mix: sum(mix.values()) > 0)


def test_the_distance_is_half_of_what_the_shares_differ_by() -> None:
    # 0.5, 0.3, 0.2 against 0.2, 0.3, 0.5: (0.3 + 0 + 0.3) / 2
    assert total_variation({"a": 5, "b": 3, "c": 2}, {"a": 20, "b": 30, "c": 50}) == pytest.approx(0.3)


def test_mixes_with_no_class_in_common_are_1_apart() -> None:
    assert total_variation({"a": 3}, {"b": 9}) == 1.0


def test_a_class_that_one_mix_lacks_counts_in_whole() -> None:
    assert total_variation({"a": 3, "b": 1}, {"a": 7}) == pytest.approx(0.25)


@pytest.mark.parametrize("mix", [{}, {"a": 0}, {"a": 2, "b": -1}])
def test_nothing_and_less_than_nothing_have_no_share(mix: dict[str, int]) -> None:
    with pytest.raises(MeasureRefused):
        shares(mix)


def test_one_draw_from_two_equal_halves_lies_one_half_apart() -> None:
    assert distance_by_chance({"a": 1, "b": 1}, 1) == pytest.approx(0.5)


def test_a_mix_of_one_class_is_always_met() -> None:
    assert distance_by_chance({"a": 7}, 3) == 0.0


def test_chance_is_the_mean_over_every_outcome() -> None:
    mix, n = {"a": 2, "b": 3, "c": 5}, 4
    share = shares(mix)
    mean = 0.0
    for draws in product(mix, repeat=n):
        likely = 1.0
        for name in draws:
            likely *= share[name]
        mean += likely * total_variation(Counter(draws), mix)
    assert distance_by_chance(mix, n) == pytest.approx(mean)


def test_no_draw_has_no_distance() -> None:
    with pytest.raises(MeasureRefused, match="No draw"):
        distance_by_chance({"a": 1}, 0)


@given(MIXES, MIXES, MIXES)
def test_it_is_a_distance(one: dict[str, int], other: dict[str, int], third: dict[str, int]) -> None:
    apart = total_variation(one, other)
    assert 0 <= apart <= 1 + 1e-12
    assert apart == pytest.approx(total_variation(other, one))
    assert apart <= total_variation(one, third) + total_variation(third, other) + 1e-12
    assert total_variation(one, {name: 3 * count for name, count in one.items()}) == pytest.approx(0, abs=1e-12)


@given(MIXES, st.integers(1, 400))
def test_chance_shrinks_with_the_size_of_the_set(mix: dict[str, int], n: int) -> None:
    assert distance_by_chance(mix, 4 * n) <= distance_by_chance(mix, n) + 1e-12


@given(st.integers(1, 60), st.integers(1, 9))
def test_the_mean_deviation_is_that_of_the_binomial(n: int, tenths: int) -> None:
    p = tenths / 10
    by_sum = sum(comb(n, k) * p**k * (1 - p) ** (n - k) * abs(k - n * p) for k in range(n + 1))
    assert distance_by_chance({"a": tenths, "b": 10 - tenths}, n) == pytest.approx(2 * by_sum / (2 * n))
