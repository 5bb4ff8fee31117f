"""The plan as a table: out, changed in a spreadsheet, and in again."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from curation.models import Corpus, Stratum
from tests import factories
from tests.bringing import bring, written

pytestmark = pytest.mark.django_db

HEADER = "query_language,script,query_type,planned"


def exported() -> str:
    out = StringIO()
    call_command("plan", "claims", "--csv", stdout=out)
    return out.getvalue()


def test_what_was_exported_comes_in_again_and_changes_nothing(corpus: Corpus, tmp_path: Path) -> None:
    factories.judged_queries(factories.a_stratum(corpus, planned=120, use="compare", priority=2), 3)
    factories.a_stratum(corpus, "ja und Jpan-kana navigational keyword", planned=30)
    table = exported()
    assert table.splitlines() == [
        "query_language,corpus_language,script,query_type,slice,use,planned,priority,n,ready,coming,passing,undecided",
        "ja,und,Jpan-kana,navigational,keyword,gate,30,0,0,0,0,0,0",
        "tr,en,Latn,question,distinctive,compare,120,2,3,0,0,0,0",
    ]
    path = tmp_path / "plan.csv"
    path.write_text(table, encoding="utf-8")
    answer = bring("import_plan", "claims", path)
    assert (answer.code, answer.counts) == (0, (2, 0, 2, 0))
    assert exported() == table


def test_a_table_plans_new_strata_and_changes_old_ones(corpus: Corpus, tmp_path: Path) -> None:
    factories.a_stratum(corpus, planned=120, use="compare", priority=2)
    rows = ("tr-TR,Latn,question,60", "th,Thai,question,100")
    path = written(tmp_path, "p.csv", f"{HEADER},corpus_language", *(f"{row},en" for row in rows))
    assert bring("import_plan", "claims", path).counts == (2, 2, 0, 0)
    assert list(
        Stratum.objects.order_by("query_language").values_list("query_language", "planned", "use", "priority")
    ) == [
        ("th", 100, "gate", 0),
        ("tr", 60, "gate", 2),
    ]
    assert set(corpus.locales.values_list("locale", flat=True)) == {"th"}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (
            "tr,Jpan-kana,question,60",
            "Turkish is not written so. Choose one of: Latn (Latin, diacritics), Latn-plain (",
        ),
        ("qq,Latn,question,60", "is not known"),
        ("sr,Latn,question,60", "written in several scripts"),
        ("tr,Latn,riddle,60", '"riddle" is not one of navigational, question, error_string.'),
        ("tr,Latn,question,many", "The field planned holds many; write a whole number of 0 or more."),
        ("tr,Latn,question,", "The row does not say how many queries are planned."),
        ("tr,Latn,question,100001", "Plan between 0 and 100,000 queries."),
        ("de,Latn,question,60", "The file plans this stratum twice."),
    ],
)
def test_a_row_that_cannot_be_is_named_and_nothing_is_stored(
    corpus: Corpus, tmp_path: Path, row: str, reason: str
) -> None:
    answer = bring("import_plan", "claims", written(tmp_path, "p.csv", HEADER, "de,Latn,question,60", row))
    assert answer.code == 2
    assert any(reason in told for told in answer.reasons)
    assert [error["line"] for error in answer.json["errors"]] == [3, 0]
    assert not Stratum.objects.exists()


def test_a_script_class_is_taken_by_its_code_or_its_name_in_any_case(corpus: Corpus, tmp_path: Path) -> None:
    rows = (
        "ja,Kana,question,60",
        "ja,jpan-KANJI,question,60",
        "tr,latin without DIACRITICS,question,60",
        "de,Latn,question,9",
    )
    assert bring("import_plan", "claims", written(tmp_path, "p.csv", HEADER, *rows)).code == 0
    found = Stratum.objects.order_by("query_language", "script").values_list("query_language", "script")
    assert list(found) == [("de", "Latn"), ("ja", "Jpan-kana"), ("ja", "Jpan-kanji"), ("tr", "Latn-plain")]


def test_a_plan_in_json_lines_is_read_too(corpus: Corpus, tmp_path: Path) -> None:
    row = {"locale": "tr", "script": "Latn", "type": "question", "planned": 60, "priority": 1, "slice": "keyword"}
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    assert bring("import_plan", "claims", path).code == 0
    stratum = Stratum.objects.get()
    assert (str(stratum), stratum.planned, stratum.priority) == ("tr × und, Latn, question, keyword", 60, 1)
