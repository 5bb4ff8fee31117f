"""A file names of which query a row is another spelling, and an export says it again."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from curation.models import Corpus, Document, Query
from tests import factories
from tests.bringing import bring, written

pytestmark = pytest.mark.django_db

NATIVE = {
    "query_id": "q1",
    "text": "gece ışık ödenir mi",
    "locale": "tr",
    "information_need_id": "n1",
    "slice": "keyword",
}
PLAIN = {"query_id": "q1-plain", "text": "gece isik odenir mi", "locale": "tr", "variant_of": "q1"}


@pytest.fixture
def corpus() -> Corpus:
    made = factories.a_corpus()
    Document.objects.create(corpus=made, external_id="d1", canonical_id="d1", language="en", is_source=True)
    return made


def bring_in(folder: Path, *rows: dict[str, Any], name: str = "q.jsonl") -> Any:
    return bring("import_queries", "claims", written(folder, name, *rows))


def reasons(answer: Any) -> str:
    return " ".join(error["reason"] for error in answer.json["errors"])


@pytest.mark.parametrize("order", [(NATIVE, PLAIN), (PLAIN, NATIVE)])
def test_a_variant_takes_need_type_and_slice_of_its_original_and_lands_in_its_own_cell(
    corpus: Corpus, tmp_path: Path, order: tuple[dict[str, Any], ...]
) -> None:
    answer = bring_in(tmp_path, *order)
    assert answer.counts == (2, 2, 0, 0)
    original, variant = (
        Query.objects.get(external_id="q1"),
        Query.objects.get(external_id="q1-plain"),
    )
    assert (variant.variant_of, variant.need, variant.origin) == (original, original.need, "variant")
    assert str(original.stratum) == "tr × und, Latn, question, keyword"
    assert str(variant.stratum) == "tr × und, Latn-plain, question, keyword"


def test_a_variant_of_a_query_that_is_here_already_comes_in_later_and_again_is_merged(
    corpus: Corpus, tmp_path: Path
) -> None:
    bring_in(tmp_path, NATIVE)
    assert bring_in(tmp_path, PLAIN).counts == (1, 1, 0, 0)
    assert bring_in(tmp_path, PLAIN).counts == (1, 0, 1, 0)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({**PLAIN, "text": "gece ışık öder mi"}, "It is in the script class of its original (Latin, diacritics)"),
        ({**PLAIN, "variant_of": "q9"}, "The query q9, of which it is a variant, is neither here nor in the file."),
        ({**PLAIN, "variant_of": "q1-plain"}, "A query cannot be a variant of itself"),
        ({**PLAIN, "information_need_id": "n2"}, "Its original q1 words another need"),
    ],
)
def test_a_row_that_is_no_variant_is_refused_by_its_line(
    corpus: Corpus, tmp_path: Path, row: dict[str, Any], reason: str
) -> None:
    answer = bring_in(tmp_path, NATIVE, row)
    assert reason in reasons(answer)
    assert Query.objects.count() == 0


def test_a_variant_of_a_variant_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    answer = bring_in(tmp_path, NATIVE, PLAIN, {**NATIVE, "query_id": "q3", "text": "ışık", "variant_of": "q1-plain"})
    assert "The query q1-plain is a variant itself; name its original in variant_of." in reasons(answer)


def test_two_variants_of_one_original_never_count_twice_in_a_cell(corpus: Corpus, tmp_path: Path) -> None:
    loose = {name: value for name, value in NATIVE.items() if name != "information_need_id"}
    again = {**PLAIN, "query_id": "q2-plain", "text": "gece isik oder mi"}
    answer = bring_in(tmp_path, loose, PLAIN, again)
    assert "Query q1-plain words the same need in the same stratum" in reasons(answer)
    bring_in(tmp_path, loose, PLAIN)
    assert "Query q1-plain words the same need in the same stratum" in reasons(bring_in(tmp_path, again))


def test_a_known_query_is_not_turned_into_a_variant_of_another(corpus: Corpus, tmp_path: Path) -> None:
    bring_in(tmp_path, NATIVE, {name: value for name, value in PLAIN.items() if name != "variant_of"})
    assert "The query is here already as a variant of none, not of q1." in reasons(bring_in(tmp_path, PLAIN))


@pytest.mark.parametrize(("form", "name"), [("jsonl", "out.jsonl"), ("csv", "out.csv")])
def test_variants_go_out_with_their_original_and_come_back(
    corpus: Corpus, tmp_path: Path, form: str, name: str
) -> None:
    bring_in(tmp_path, NATIVE, PLAIN)
    text = exported("claims", form)
    factories.a_corpus("again")
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    assert bring("import_queries", "again", path).counts == (2, 2, 0, 0)
    assert exported("again", form) == text


def test_a_variant_whose_original_is_withdrawn_goes_out_alone(corpus: Corpus, tmp_path: Path) -> None:
    bring_in(tmp_path, NATIVE, PLAIN)
    Query.objects.filter(external_id="q1").update(status="retired", retired_reason="a test")
    [row] = [json.loads(line) for line in exported("claims", "jsonl").splitlines()]
    assert (row["query_id"], "variant_of" in row) == ("q1-plain", False)


def exported(slug: str, form: str) -> str:
    out = StringIO(newline="")
    call_command("export_queries", slug, format=form, stdout=out, stderr=StringIO())
    return out.getvalue()
