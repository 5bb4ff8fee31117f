"""The paired difference of two runs: by hand, and against drawing the pairs one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.bootstrap import paired_difference
from curation.measures.refusals import MeasureRefused


def test_a_difference_is_that_of_the_pairs() -> None:
    found = paired_difference([0.5, 1.0, 0.0], [1.0, 1.0, 0.5], seed=7)
    assert found.value == pytest.approx(-1 / 3)
    assert found.se == pytest.approx(1 / 6)  # deviations of 1/6, 2/6, 1/6: variance 1/12, over 3
    assert (found.n, found.lost, found.won) == (3, 2, 0)
    assert found.ci == (-0.5, 0.0)


def test_equal_runs_differ_by_nothing_at_all() -> None:
    assert paired_difference([0.3, 0.7], [0.3, 0.7], seed=1).ci == (0.0, 0.0)


def test_the_same_seed_draws_the_same_interval_in_any_order_of_the_queries() -> None:
    one, other = [0.1 * (i % 7) for i in range(50)], [0.1 * (i % 5) for i in range(50)]
    assert paired_difference(one, other, seed=3) == paired_difference(one, other, seed=3)
    assert paired_difference(one[::-1], other[::-1], seed=3).ci == paired_difference(one, other, seed=3).ci


def test_it_agrees_with_drawing_each_pair() -> None:
    source = np.random.default_rng(5)
    run, own = source.integers(0, 5, 80) / 4, source.integers(0, 5, 80) / 4
    drawn = source.choice(run - own, size=(4000, 80)).mean(axis=1)
    found = paired_difference(list(run), list(own), seed=11)
    assert found.ci == pytest.approx(tuple(np.quantile(drawn, (0.025, 0.975))), abs=0.02)


def test_few_queries_have_no_interval_and_none_no_difference() -> None:
    assert paired_difference([1.0], [0.5], seed=0).ci is None
    assert paired_difference([], [], seed=0).value is None


def test_runs_over_other_queries_are_refused() -> None:
    with pytest.raises(MeasureRefused, match="1 queries have no pairs among 2"):
        paired_difference([1.0], [1.0, 0.5], seed=0)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=40), st.integers(0, 99))
def test_the_interval_lies_among_the_differences(pairs: list[tuple[float, float]], seed: int) -> None:
    found = paired_difference([one for one, _ in pairs], [other for _, other in pairs], seed=seed)
    differences = [one - other for one, other in pairs]
    assert found.ci is not None
    assert min(differences) - 1e-9 <= found.ci[0] <= found.ci[1] <= max(differences) + 1e-9
