"""Text twins: who contradicts whom, and one answer for both on the way out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.models import Qrel
from curation.reports.twins import are_twins, twin_sets
from tests.bringing import bring, run, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def c20(tmp_path: Path, cases: Path) -> None:
    bring("import_corpus", "claims", cases / "c20-corpus.jsonl")
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", {"id": "q1", "text": "soru", "locale": "tr"}))
    assert bring("import_judgments", "claims", cases / "c20-judgments.tsv", "--judge", "ayse").code == 0


def test_c20_twins_that_contradict_each_other_are_listed(c20: None) -> None:
    assert json.loads(run("twins", "claims", "--json")[1]) == [
        {
            "query_id": "q1",
            "contradicts": True,
            "grades": [
                {"canonical_id": "d3", "grade": 2, "source": "agreed"},
                {"canonical_id": "d4", "grade": 0, "source": "agreed"},
            ],
        }
    ]
    assert run("twins", "claims")[1].strip() == "q1: d3 2 agreed, d4 0 agreed (contradict each other)"


def test_c20_the_export_folds_twins_to_one_canonical_id(c20: None) -> None:
    whole = run("export_qrels", "claims", "--format", "trec")[1]
    assert whole == "q1 agreed d1 2\nq1 agreed d3 2\nq1 agreed d4 0\n"
    assert run("export_qrels", "claims", "--format", "trec", "--fold-twins")[1] == "q1 agreed d1 2\nq1 agreed d3 2\n"


def test_of_twins_the_strongest_source_gives_the_grade_and_the_first_the_id(c20: None) -> None:
    Qrel.objects.filter(canonical_id="d3").update(source="imported")
    Qrel.objects.filter(canonical_id="d1").update(canonical_id="d2")
    assert run("export_qrels", "claims", "--format", "jsonl", "--fold-twins")[1].splitlines() == [
        '{"query_id": "q1", "canonical_id": "d1", "grade": 2, "origin": "agreed"}',
        '{"query_id": "q1", "canonical_id": "d3", "grade": 0, "origin": "agreed"}',
    ]


def test_a_shared_chunk_makes_no_twins() -> None:
    chunked = {"en": frozenset({"boilerplate", "a"})}
    assert not are_twins(chunked, {"en": frozenset({"boilerplate", "b"})})
    assert are_twins({"en": frozenset({"a"}), "tr": frozenset({"b"})}, {"en": frozenset({"a"})})
    assert not are_twins({"en": frozenset({"a"})}, {"tr": frozenset({"a"})})


def test_twins_of_a_twin_are_one_set() -> None:
    texts = {name: {"en": frozenset({"same"})} for name in ("c", "a", "b")}
    assert twin_sets({**texts, "d": {"en": frozenset({"other"})}}) == [("a", "b", "c")]
