"""hit@10 and recall@k cut the list of documents first and compare canonical ids then."""

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.hit import gold_rank, is_hit
from curation.measures.per_query import per_query
from curation.measures.recall import recall_at
from curation.measures.refusals import MeasureRefused

TEN = [f"a{number}" for number in range(10)]


def test_the_gold_rank_is_that_of_its_first_rendering() -> None:
    assert gold_rank(["x", "gold", "gold"], "gold") == 2
    assert gold_rank(["x", "y"], "gold") is None
    assert gold_rank([], "gold") is None


def test_the_tenth_document_is_a_hit_and_the_eleventh_is_not() -> None:
    assert is_hit(gold_rank([*TEN[:9], "gold"], "gold"))
    assert not is_hit(gold_rank([*TEN, "gold"], "gold"))
    assert not is_hit(None)


def test_renderings_of_another_article_use_up_the_ten_documents() -> None:
    assert not is_hit(gold_rank(["other"] * 10 + ["gold"], "gold"))
    assert recall_at(["a", "a", "b"], {"a", "b"}, k=2) == 0.5
    assert recall_at(["a", "a", "b"], {"a", "b"}, k=3) == 1.0


def test_recall_is_the_share_of_the_relevant_articles_found() -> None:
    assert recall_at(["a", "x", "b"], {"a", "b", "c", "d"}, k=3) == 0.5
    assert recall_at([], {"a"}, k=200) == 0.0


def test_a_query_without_a_relevant_document_has_no_recall() -> None:
    assert recall_at(["a"], set(), k=10) is None


def test_a_depth_below_one_is_refused() -> None:
    with pytest.raises(MeasureRefused, match="the least depth is 1"):
        recall_at(["a"], {"a"}, k=0)
    with pytest.raises(MeasureRefused, match="the least depth is 1"):
        is_hit(1, k=0)


def test_a_query_missing_from_a_run_counts_0_and_is_listed() -> None:
    run = {"q1": ["a", "b"], "q3": ["c"], "stray": ["a"]}
    judged = {"q1": {"a"}, "q2": {"a"}, "q3": {"a", "c"}, "q4": frozenset[str](), "q5": {"b"}}
    found = per_query(run, judged, lambda ranked, relevant: recall_at(ranked, relevant, k=10))
    assert found.scores == {"q1": 1.0, "q2": 0.0, "q3": 0.5, "q5": 0.0}
    assert found.missing == ("q2", "q5")


def test_hits_count_over_a_set_as_recall_does() -> None:
    found = per_query({"q1": ["a"]}, {"q1": "a", "q2": "b"}, lambda ranked, gold: is_hit(gold_rank(ranked, gold)))
    assert (sum(found.scores.values()), found.missing) == (1, ("q2",))


CANONICALS = st.lists(st.sampled_from("abcdefghij"), unique=True)


@given(ranked=CANONICALS, relevant=st.sets(st.sampled_from("abcdefghijkl"), min_size=1), k=st.integers(1, 12))
def test_recall_agrees_with_ir_measures(ranked: list[str], relevant: set[str], k: int) -> None:
    qrels = [ir_measures.Qrel("q", canonical, 1) for canonical in relevant]
    run = [ir_measures.ScoredDoc("q", canonical, -float(rank)) for rank, canonical in enumerate(ranked)]
    [theirs] = ir_measures.iter_calc([ir_measures.R @ k], qrels, run or [ir_measures.ScoredDoc("q", "none", 0.0)])
    assert recall_at(ranked, relevant, k=k) == pytest.approx(theirs.value, abs=1e-9)


@given(ranked=st.lists(st.sampled_from("abcdef")), relevant=st.sets(st.sampled_from("abcdef"), min_size=1))
def test_recall_never_falls_with_depth(ranked: list[str], relevant: set[str]) -> None:
    depths = [recall_at(ranked, relevant, k=k) or 0.0 for k in range(1, len(ranked) + 2)]
    assert depths == sorted(depths)
