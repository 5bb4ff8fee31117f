"""An imported run as a retriever."""

from __future__ import annotations

from curation.indexes.base import AskedQuery, Index, Ranked
from curation.indexes.ranked_run import RankedRunIndex


def run(**scores: dict[str, float]) -> Index:
    return RankedRunIndex(scores)


def test_equal_scores_are_ordered_by_external_id_and_cut_at_k() -> None:
    index = run(q1={"d10": 0.5, "d9": 0.5, "d1": 0.9, "a": -1.0})
    assert index.search([AskedQuery("q1", "hail")], 3) == [[Ranked("d1", 0.9), Ranked("d10", 0.5), Ranked("d9", 0.5)]]


def test_a_query_the_run_does_not_hold_has_no_answers() -> None:
    answers = run(q1={"d1": 1.0}).search([AskedQuery("q2", ""), AskedQuery("q1", "")], 10)
    assert answers == [[], [Ranked("d1", 1.0)]]


def test_ids_are_all_documents_named_once() -> None:
    assert run(q1={"b": 1.0, "a": 0.0}, q2={"b": 0.5}).ids() == ["a", "b"]


def test_the_fingerprint_follows_content_and_not_the_order_of_lines() -> None:
    one = run(q1={"a": 1.0, "b": 0.5}, q2={"a": 1.0}).fingerprint()
    assert run(q2={"a": 1.0}, q1={"b": 0.5, "a": 1.0}).fingerprint() == one
    others = [
        run(q1={"a": 1.0, "b": 0.4}, q2={"a": 1.0}),
        run(q1={"a": 1.0, "b": 0.5}),
        run(q1={"a": 1.0}, q2={"a": 1.0}),
    ]
    assert one not in {other.fingerprint() for other in others}
