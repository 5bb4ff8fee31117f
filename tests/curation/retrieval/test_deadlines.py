"""A deadline bounds every wait by what is left of it."""

from __future__ import annotations

import httpcore
import pytest

from curation.retrieval.deadlines import Deadline


def test_a_wait_is_cut_to_what_is_left_and_then_refused() -> None:
    moments = iter([100.0, 100.0, 109.0, 109.0, 114.0, 115.0, 115.0])
    deadline = Deadline(15, clock=lambda: next(moments))
    assert [deadline.within(timeout) for timeout in (10, 10, None)] == [10, 6, 6]
    assert [deadline.is_over, deadline.is_over] == [False, True]
    with pytest.raises(httpcore.ConnectTimeout):
        deadline.within(10)
