"""The demo corpus holds what the demo promises: languages, links, versions, and no copies."""

import csv
import json
import math
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
FACTS = ("effective_date", "limit_amount", "jurisdiction")
STRATUM = ("query_language", "corpus_language", "script", "query_type", "slice")
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


def families_of(documents: list[Row]) -> dict[str, list[Row]]:
    families: dict[str, list[Row]] = defaultdict(list)
    for document in documents:
        if document["is_source"] and "family" in document:
            families[document["family"]].append(document)
    return families


def test_corpus_is_large_enough_for_the_demo(documents: list[Row], canonical_ids: set[str]) -> None:
    assert len(documents) >= 320
    assert len(canonical_ids) >= 130
    assert {"en", "de", "tr", "ja"} <= {document["locale"] for document in documents}


def test_texts_differ_even_when_versions_count_once(documents: list[Row]) -> None:
    texts = {document.get("family", document["canonical_id"]) for document in documents}
    assert len(texts) >= 120


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
    pairs = [(one["doc_id"], other["doc_id"]) for one, other in strangers(documents)]
    assert [pair for pair in pairs if jaccard(*(of[each] for each in pair)) > NEAR_COPY] == []


def jaccard(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common)


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


def test_declared_versions_share_a_kind_and_no_text(documents: list[Row]) -> None:
    for name, members in families_of(documents).items():
        assert 2 <= len(members) <= 5, name
        assert len({member["kind"] for member in members}) == 1, name
        assert len({member["text"] for member in members}) == len(members), name


def test_families_that_differ_in_a_fact_outnumber_those_that_differ_in_wording(documents: list[Row]) -> None:
    differing = Counter(
        len({tuple(member.get(fact) for fact in FACTS) for member in members}) > 1
        for members in families_of(documents).values()
    )
    assert differing[True] >= 15
    assert differing[False] == 4


def test_versions_are_asked_for_one_by_one(documents: list[Row]) -> None:
    versions = {document["canonical_id"] for document in documents if "family" in document}
    asked = {need["gold_canonical_id"] for need in rows_of("needs.jsonl") if need.get("slice") == "near_duplicate"}
    assert asked <= versions


def test_needs_and_queries_are_enough_for_every_role() -> None:
    assert len(rows_of("needs.jsonl")) >= 150
    assert len(rows_of("queries.jsonl")) >= 220
    assert len(rows_of("queries_open.jsonl")) >= 40


def test_planned_strata_are_named_once_and_traffic_sums_to_one() -> None:
    plan = json.loads((CLAIMS / "strata.json").read_text(encoding="utf-8"))
    names = [tuple(stratum[part] for part in STRATUM) for stratum in plan["strata"]]
    assert len(set(names)) == len(names)
    assert math.isclose(sum(plan["traffic"].values()), 1.0)


def test_log_lines_are_dated_in_one_quarter_and_counted() -> None:
    with (CLAIMS / "log.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) >= 600
    assert {line["date"][:7] for line in lines} == {"2026-07", "2026-08", "2026-09"}
    assert min(int(line["count"]) for line in lines) >= 1
