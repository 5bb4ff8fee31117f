"""How deep is deep enough: 50 documents, or all there are."""

import pytest

from curation.measures.depth import JudgedDepth, depth_of, is_shallow


@pytest.mark.parametrize(
    ("judged", "articles", "shallow"),
    [(49, 1000, True), (50, 1000, False), (1, 1000, True), (12, 12, False), (11, 12, True), (1, 0, True), (0, 1, True)],
)
def test_a_pool_is_shallow_below_fifty_or_below_all_there_is(judged: int, articles: int, shallow: bool) -> None:
    assert is_shallow(judged, articles=articles) is shallow


def test_a_figure_over_one_shallow_query_is_a_lower_bound() -> None:
    assert depth_of(1, 1, articles=1000) == JudgedDepth(1, 1, 1, 1)
    assert JudgedDepth(3, 101, 6, 1).is_lower_bound
    assert not JudgedDepth(2, 100, 5, 0).is_lower_bound
    assert JudgedDepth(2, 100, 5, 0).mean_judged == 50.0
    assert JudgedDepth().mean_positives is None
