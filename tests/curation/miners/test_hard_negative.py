"""Hard negatives of settled queries, from an index's answers."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from curation.miners import hard_negative
from curation.miners.documents import fingerprint
from curation.miners.hard_negative import HardNegatives, JudgedQuery, Search, Shelf, mine
from curation.retrieval.exact import top_k

CASES = Path(__file__).parents[2] / "data" / "cases"


def shelf(*ids: str, canonical: dict[str, str] | None = None, texts: dict[str, str] | None = None) -> Shelf:
    return Shelf(
        canonical_ids={name: (canonical or {}).get(name, name) for name in ids},
        fingerprints={name: fingerprint((texts or {}).get(name, name)) for name in ids},
    )


def answering(*ids: str) -> Search:
    """An index that answers every query with the same documents, scored 1, 1/2, 1/3 …"""
    answer = [(name, 1 / rank) for rank, name in enumerate(ids, 1)]
    return lambda query_ids, k: [answer[:k] for _ in query_ids]


def kept(mined: HardNegatives) -> list[str]:
    (query,) = mined.queries
    return [negative.external_id for negative in query.negatives]


def test_c21_no_relevant_document_no_twin_of_one_and_no_doubtful_one_is_a_negative() -> None:
    rows = [json.loads(line) for line in (CASES / "c21-corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    query = json.loads((CASES / "c21-query.json").read_text(encoding="utf-8"))
    lines = (CASES / "c21-judgments.tsv").read_text(encoding="utf-8").splitlines()[1:]
    given = {document: score for _, document, score in (line.split("\t") for line in lines)}
    grades = {document: int(score) for document, score in given.items() if score.isdigit()}
    vectors = np.array([row["vector"] for row in rows], dtype=np.float32)

    def search(_ids: Sequence[str], k: int) -> list[list[tuple[str, float]]]:
        hits = top_k(vectors, np.array([query["vector"]], dtype=np.float32), k)
        return [[(rows[row]["id"], score) for row, score in zip(hits.rows[0], hits.scores[0], strict=True)]]

    judged = JudgedQuery(
        query_id="q1",
        relevant=frozenset(document for document, grade in grades.items() if grade >= 2),
        grades=grades,
        cannot_tell=frozenset(document for document, score in given.items() if score == "cannot_judge"),
    )
    texts = {row["id"]: row["text"] for row in rows}
    mined = mine([judged], search, shelf=shelf(*texts, texts=texts))

    (found,) = mined.queries
    assert [(each.external_id, each.judged, each.grade) for each in found.negatives] == [
        ("d3", False, None),
        ("d6", True, 0),
        ("d4", False, None),
    ]
    assert [each.rank for each in found.negatives] == [4, 6, 7]
    assert found.missing == 5


def test_the_first_eight_of_twenty_are_kept_with_rank_and_score() -> None:
    ids = [f"d{number:02}" for number in range(30)]
    mined = mine([JudgedQuery("q", frozenset({"d00"}), {"d00": 3})], answering(*ids), shelf=shelf(*ids))
    assert kept(mined) == ids[1:9]
    first = mined.queries[0].negatives[0]
    assert (first.rank, first.score) == (2, 0.5)
    assert mined.short == ()


def test_an_answer_is_read_to_its_depth_and_no_further() -> None:
    ids = [f"d{number:02}" for number in range(30)]
    relevant = frozenset(ids[:18])
    mined = mine([JudgedQuery("q", relevant, dict.fromkeys(relevant, 2))], answering(*ids), shelf=shelf(*ids))
    assert kept(mined) == ["d18", "d19"]
    assert [(query.query_id, query.missing) for query in mined.short] == [("q", 6)]


def test_every_rendering_of_a_relevant_article_stays_out_and_is_a_positive() -> None:
    articles = {"a.en": "a", "a.tr": "a", "b.en": "b"}
    mined = mine(
        [JudgedQuery("q", frozenset({"a"}), {"a": 3})],
        answering("b.en", "a.tr", "a.en"),
        shelf=shelf(*articles, canonical=articles),
    )
    assert kept(mined) == ["b.en"]
    assert mined.queries[0].positives == ("a.en", "a.tr")


def test_a_text_twin_of_another_rendering_stays_out() -> None:
    mined = mine(
        [JudgedQuery("q", frozenset({"a"}), {"a": 3})],
        answering("twin", "b"),
        shelf=shelf(
            "a.en", "a.tr", "twin", "b", canonical={"a.en": "a", "a.tr": "a"}, texts={"a.tr": "x", "twin": "x"}
        ),
    )
    assert kept(mined) == ["b"]


def test_each_article_is_kept_once_as_its_rendering_or_chunk_that_ranks_best() -> None:
    articles = {"a": "a", "b.tr": "b", "b.en": "b", "c#2": "c", "c#1": "c", "d": "d"}
    mined = mine(
        [JudgedQuery("q", frozenset({"a"}), {"a": 3})],
        answering("b.tr", "c#2", "b.en", "c#1", "d"),
        shelf=shelf(*articles, canonical=articles),
        wanted=3,
    )
    assert [(each.external_id, each.rank) for each in mined.queries[0].negatives] == [("b.tr", 1), ("c#2", 2), ("d", 5)]
    assert mined.queries[0].missing == 0


def test_of_two_text_twins_the_better_ranked_is_kept() -> None:
    mined = mine(
        [JudgedQuery("q", frozenset({"a"}), {"a": 3})],
        answering("second", "first", "b"),
        shelf=shelf("a", "first", "second", "b", texts={"first": "x", "second": "x"}),
        wanted=3,
    )
    assert kept(mined) == ["second", "b"]
    assert mined.queries[0].missing == 1


def test_a_twin_of_another_rendering_of_a_kept_article_is_the_same_text_again() -> None:
    mined = mine(
        [JudgedQuery("q", frozenset({"a"}), {"a": 3})],
        answering("b.tr", "twin", "c"),
        shelf=shelf(
            "a", "b.en", "b.tr", "twin", "c", canonical={"b.en": "b", "b.tr": "b"}, texts={"b.en": "x", "twin": "x"}
        ),
    )
    assert kept(mined) == ["b.tr", "c"]


def test_queries_without_a_settled_relevant_document_are_listed_and_not_asked() -> None:
    asked: list[str] = []

    def search(query_ids: Sequence[str], _k: int) -> list[list[tuple[str, float]]]:
        asked.extend(query_ids)
        return [[] for _ in query_ids]

    unsettled = JudgedQuery("new", frozenset(), {})
    settled = JudgedQuery("old", frozenset({"a"}), {"a": 2})
    mined = mine([unsettled, settled], search, shelf=shelf("a"))
    assert mined.skipped == ("new",)
    assert asked == ["old"]


def test_a_document_the_corpus_does_not_hold_is_reported() -> None:
    mined = mine([JudgedQuery("q", frozenset({"a"}), {"a": 3})], answering("gone", "b"), shelf=shelf("a", "b"))
    assert kept(mined) == ["b"]
    assert mined.queries[0].unknown == ("gone",)


def test_progress_counts_queries_and_may_cancel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hard_negative, "_ASKED_AT_ONCE", 2)
    queries = [JudgedQuery(f"q{number}", frozenset({"a"}), {"a": 3}) for number in range(5)]
    seen: list[tuple[int, int]] = []

    def cancel_at_four(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 4:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        mine(queries, answering("a", "b"), shelf=shelf("a", "b"), progress=cancel_at_four)
    assert seen == [(2, 5), (4, 5)]
