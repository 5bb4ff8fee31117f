"""Needs come in from a file: stored, merged or refused by line, and out again with the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curation.models import Corpus, Document, Need
from tests import factories
from tests.bringing import bring, run, written

pytestmark = pytest.mark.django_db


def a_corpus(slug: str = "claims") -> Corpus:
    made = factories.a_corpus(slug)
    for name in ("hail", "fog"):
        Document.objects.create(corpus=made, external_id=name, canonical_id=name, language="en")
    return made


@pytest.fixture
def corpus() -> Corpus:
    return a_corpus()


def need(name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "text": text, **more}


def bring_needs(folder: Path, *rows: dict[str, Any], options: tuple[str, ...] = ("--keep-good",)) -> Any:
    return bring("import_needs", "claims", written(folder, "needs.jsonl", *rows), *options)


FULL = need("n1", "Is hail covered?", context="A broker asks", gold_canonical_id="hail", slice_hint="rare_entity")


def test_needs_come_in_with_context_gold_and_slice(corpus: Corpus, tmp_path: Path) -> None:
    answer = bring_needs(tmp_path, FULL, need("n2", "Is fog covered?", slice="distinctive"), options=())
    assert (answer.code, answer.counts) == (0, (2, 2, 0, 0))
    stored = Need.objects.get(external_id="n1")
    assert (stored.text, stored.context) == ("Is hail covered?", "A broker asks")
    assert (stored.gold_canonical_id, stored.slice_hint, stored.is_english) == ("hail", "rare_entity", True)
    assert Need.objects.get(external_id="n2").slice_hint == ""


def test_a_table_and_the_columns_of_a_query_file_are_read(corpus: Corpus, tmp_path: Path) -> None:
    table = written(
        tmp_path,
        "needs.csv",
        "query_id,text,information_need_id,information_need",
        "q1,dolu?,n1,Is hail covered?",
        "q2,hagel?,n1,Is hail covered?",
    )
    assert bring("import_needs", "claims", table).counts == (2, 1, 1, 0)
    assert Need.objects.get().text == "Is hail covered?"


def test_the_same_file_again_is_merged(corpus: Corpus, tmp_path: Path) -> None:
    rows = (FULL, need("", "Is fog covered?"))
    assert bring_needs(tmp_path, *rows).counts == (2, 2, 0, 0)
    assert bring_needs(tmp_path, *rows).counts == (2, 0, 2, 0)
    assert bring_needs(tmp_path, need("n1", "Is hail covered?")).counts == (1, 0, 1, 0)
    assert bring_needs(tmp_path, need("n1", "Is fog?")).reasons == [
        "The need is here already with another text: “Is hail covered?”. Change it on its page."
    ]
    assert Need.objects.count() == 2


def test_bad_rows_are_refused_by_line_id_and_reason(corpus: Corpus, tmp_path: Path) -> None:
    answer = bring_needs(
        tmp_path,
        FULL,
        need("n2", "Is fog covered?", gold_canonical_id="lost"),
        need("n1", "Is rain covered?"),
        need("n3", "Is hail covered?"),
        need("n4", "  "),
        need("n5", "Is sleet covered?", slice="hard"),
        need("n1", "Is hail covered?", context="A client asks"),
        need("n6", "x" * 2001),
    )
    assert (answer.code, answer.counts) == (2, (8, 1, 0, 7))
    assert [(error["line"], error["id"]) for error in answer.json["errors"]] == [
        (2, "n2"),
        (3, "n1"),
        (4, "n3"),
        (5, "n4"),
        (6, "n5"),
        (7, "n1"),
        (8, "n6"),
    ]
    assert answer.reasons == [
        "The corpus holds no document with the canonical id lost; import it first.",
        "An earlier row of the file gives this need another text: “Is hail covered?”. Keep one of the two.",
        "Need n1 has this text already; keep one of the two.",
        "The need is empty; it says what someone wants to know.",
        'The slice "hard" is not known; write one of distinctive, near_duplicate, rare_entity, keyword.',
        "An earlier row of the file gives this need another context: A broker asks. Keep one of the two.",
        "The need or its context has more than 2,000 characters; shorten it.",
    ]


def test_one_bad_row_keeps_the_good_ones_out(corpus: Corpus, tmp_path: Path) -> None:
    answer = bring_needs(tmp_path, FULL, need("n2", "Fog?", gold_canonical_id="lost"), options=())
    assert answer.counts == (2, 0, 0, 2)
    assert not Need.objects.exists()


def test_a_dry_run_stores_nothing(corpus: Corpus, tmp_path: Path) -> None:
    assert bring_needs(tmp_path, FULL, options=("--dry-run",)).counts == (1, 1, 0, 0)
    assert not Need.objects.exists()


def test_gold_that_is_gone_is_refused_for_a_new_need_and_kept_by_an_old_one(corpus: Corpus, tmp_path: Path) -> None:
    bring_needs(tmp_path, FULL)
    Document.objects.update(gone_at="2026-01-01T00:00:00Z")
    assert bring_needs(tmp_path, FULL, need("n2", "Hail?", gold_canonical_id="hail")).counts == (2, 0, 1, 1)


def test_a_known_need_takes_what_it_lacks(corpus: Corpus, tmp_path: Path) -> None:
    """One that a query file brought in another language takes its English; one stated by hand takes its id."""
    Need.objects.create(corpus=corpus, external_id="n1", text="dolu?", is_english=False)
    Need.objects.create(corpus=corpus, text="Is fog covered?", context="A broker asks")
    assert bring_needs(tmp_path, FULL, need("n2", "Is fog covered?")).counts == (2, 2, 0, 0)
    taken = Need.objects.get(external_id="n1")
    assert (taken.text, taken.is_english, taken.gold_canonical_id) == ("Is hail covered?", True, "hail")
    assert Need.objects.get(external_id="n2").context == "A broker asks"


def test_ids_that_differ_only_by_form_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    answer = bring_needs(tmp_path, need("caf\u00e9", "Coffee?"), need("cafe\u0301", "Tea?"))
    assert answer.counts == (2, 1, 0, 1)
    assert "looks the same" in answer.reasons[0]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_needs_go_out_and_survive_a_second_journey(corpus: Corpus, tmp_path: Path, form: str) -> None:
    rows = (FULL, need("", "=Is fog covered?"), need("n2", "dolu?", is_english="false"))
    bring_needs(tmp_path, *rows)
    first, second = tmp_path / f"first.{form}", tmp_path / f"second.{form}"
    run("export_needs", "claims", "--format", form, "--out", first)
    a_corpus("empty")
    assert bring("import_needs", "empty", first).counts == (3, 3, 0, 0)
    run("export_needs", "empty", "--format", form, "--out", second)
    assert first.read_bytes() == second.read_bytes()
    assert not Need.objects.get(corpus__slug="empty", external_id="n2").is_english


def test_a_row_with_nul_is_refused_by_its_id(corpus: Corpus, tmp_path: Path) -> None:
    rows = ({"information_need_id": "n7", "information_need": "Is h\0ail covered?"}, need("n8", "Is f\0og covered?"))
    told = bring_needs(tmp_path, *rows)
    assert [(fault["line"], fault["id"]) for fault in told.json["errors"]] == [(1, "n7"), (2, "n8")]
    table = written(tmp_path, "needs.csv", "need_id,need", "n9,Is h\0ail covered?")
    assert [fault["id"] for fault in bring("import_needs", "claims", table, "--keep-good").json["errors"]] == ["n9"]
