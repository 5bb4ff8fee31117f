"""The demo corpus holds what the demo promises: languages, links, versions, and no copies."""

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

CLAIMS = Path(__file__).parents[2] / "curation" / "fixtures" / "claims"
GRAM = 5
NEAR_COPY = 0.5
Row = dict[str, Any]


def rows_of(name: str) -> list[Row]:
    lines = (CLAIMS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def documents() -> list[Row]:
    return rows_of("corpus.jsonl")


@pytest.fixture(scope="module")
def canonical_ids(documents: list[Row]) -> set[str]:
    return {document["canonical_id"] for document in documents}


def grams(document: Row) -> set[tuple[str, ...]]:
    """Word 5-grams; of characters in Japanese, which puts no spaces between words."""
    text = document["text"].casefold()
    tokens = list(text) if document["locale"] == "ja" else re.findall(r"\w+", text)
    return {tuple(tokens[start : start + GRAM]) for start in range(len(tokens) - GRAM + 1)}


def strangers(documents: list[Row]) -> Iterator[tuple[Row, Row]]:
    """Pairs of one language whose articles are not declared versions of each other."""
    for one, other in combinations(documents, 2):
        same_family = one.get("family") and one.get("family") == other.get("family")
        if one["locale"] == other["locale"] and not same_family:
            yield one, other


def test_document_ids_are_unique(documents: list[Row]) -> None:
    assert len({document["doc_id"] for document in documents}) == len(documents)


def test_every_article_has_one_english_source(documents: list[Row]) -> None:
    sources = Counter(document["canonical_id"] for document in documents if document["is_source"])
    assert sources == Counter({document["canonical_id"] for document in documents})
    assert {document["locale"] for document in documents if document["is_source"]} == {"en"}


def test_an_article_has_one_rendering_a_language(documents: list[Row]) -> None:
    renderings = Counter((document["canonical_id"], document["locale"]) for document in documents)
    assert max(renderings.values()) == 1


def test_no_two_articles_are_near_copies_unless_declared(documents: list[Row]) -> None:
    of = {document["doc_id"]: grams(document) for document in documents}
    copies = [
        (one["doc_id"], other["doc_id"])
        for one, other in strangers(documents)
        if len(of[one["doc_id"]] & of[other["doc_id"]]) > NEAR_COPY * len(of[one["doc_id"]] | of[other["doc_id"]])
    ]
    assert copies == []


def test_every_gold_id_is_an_article(canonical_ids: set[str]) -> None:
    rows = rows_of("needs.jsonl") + rows_of("queries.jsonl")
    assert {row["gold_canonical_id"] for row in rows} <= canonical_ids


def test_every_query_has_its_need_and_the_needs_gold() -> None:
    gold = {need["information_need_id"]: need["gold_canonical_id"] for need in rows_of("needs.jsonl")}
    for query in rows_of("queries.jsonl"):
        assert query["gold_canonical_id"] == gold[query["information_need_id"]], query["query_id"]
    assert {query["information_need_id"] for query in rows_of("queries_open.jsonl")} <= set(gold)


def test_no_query_is_asked_twice_in_a_locale() -> None:
    queries = rows_of("queries.jsonl") + rows_of("queries_open.jsonl")
    assert len({query["query_id"] for query in queries}) == len(queries)
    texts = Counter((query["locale"], " ".join(query["text"].casefold().split())) for query in queries)
    assert [text for text, times in texts.items() if times > 1] == []


def test_declared_versions_share_a_kind_and_differ_in_a_fact(documents: list[Row]) -> None:
    families: dict[str, list[Row]] = defaultdict(list)
    for document in documents:
        if document["locale"] == "en" and "family" in document:
            families[document["family"]].append(document)
    for name, members in families.items():
        assert len(members) >= 2, name
        assert len({member["kind"] for member in members}) == 1, name
        assert len({member["text"] for member in members}) == len(members), name


def test_log_lines_are_dated_in_one_quarter_and_counted() -> None:
    with (CLAIMS / "log.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert {line["date"][:7] for line in lines} == {"2026-07", "2026-08", "2026-09"}
    assert min(int(line["count"]) for line in lines) >= 1
