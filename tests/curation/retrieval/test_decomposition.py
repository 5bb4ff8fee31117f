"""The decomposition behind lsa: scikit-learn's numbers, in steps that can be called off."""

from __future__ import annotations

import time

import numpy as np
import pytest

from curation.actions.stopping import stoppable
from curation.retrieval.encoders.decomposition import COLUMNS_AT_ONCE, apart, product, right_directions, steps_of
from curation.retrieval.vectors import Matrix


@pytest.mark.parametrize("shape", [(150, 400), (400, 150), (90, 90), (5, 300)])
def test_its_numbers_are_those_of_scikit_learn(shape: tuple[int, int]) -> None:
    from scipy.sparse import random_array
    from sklearn.utils.extmath import randomized_svd

    rows = random_array(shape, density=0.1, format="csr", dtype=np.float32, rng=np.random.default_rng(3))
    most = min(70, *shape)
    _, values, directions = randomized_svd(rows, most, n_iter=2, power_iteration_normalizer="QR", random_state=7)
    steps: list[int] = []
    ours = right_directions(rows, most, seed=7, step=lambda: steps.append(1))
    assert len(steps) == steps_of(most)
    assert np.allclose(ours[0], values, rtol=1e-5)
    assert np.allclose(ours[1], directions, atol=1e-4)


def test_no_single_step_takes_more_than_a_few_columns() -> None:
    taken = []

    class Watched:
        shape = (3, 4)

        def __matmul__(self, right: Matrix) -> Matrix:
            taken.append(right.shape[1])
            return np.ones((3, 4), dtype=np.float32) @ right

    right = np.arange(4 * 150, dtype=np.float32).reshape(4, 150)
    assert (product(Watched(), right, lambda: None) == np.ones((3, 4), dtype=np.float32) @ right).all()
    assert taken == [COLUMNS_AT_ONCE, COLUMNS_AT_ONCE, 150 - 2 * COLUMNS_AT_ONCE]


def test_a_call_that_python_cannot_interrupt_is_left_alone_when_the_work_is_called_off() -> None:
    ended: list[bool] = []

    def work() -> None:
        with stoppable(InterruptedError) as stop:

            def long() -> None:
                stop()
                time.sleep(0.5)  # which no signal ends, since it is not the main thread that sleeps
                ended.append(True)

            apart(long)

    with pytest.raises(InterruptedError):
        work()
    assert not ended


def test_a_call_apart_raises_as_if_it_were_made_here() -> None:
    with pytest.raises(ZeroDivisionError):
        apart(lambda: 1 / 0)
