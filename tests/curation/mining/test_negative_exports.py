"""Hard negatives as files: ids, triplets and n-tuples, from the command and from the page, byte for byte the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from curation.models import CannotTell, Corpus, EmbeddingSpace, Qrel, Query
from curation.reports import negative_lines
from tests import factories
from tests.bringing import run
from tests.curation.mining.claims import bring_claims, lines_in
from tests.judging.stage import a_document, a_text, signed_in

pytestmark = pytest.mark.django_db
DOWNLOAD = "/c/claims/hard-negatives/export"
GRADES = {"hail-b": 0, "hail-c": 1, "cargo": 0}


@pytest.fixture
def claims(tmp_path: Path) -> Corpus:
    """Mined: hail-b, hail-c and cargo are judged not relevant to q2, the two about theft are not judged."""
    corpus = bring_claims(tmp_path)
    query = corpus.queries.get(external_id="q2")
    for canonical_id, grade in GRADES.items():
        Qrel.objects.create(query=query, canonical_id=canonical_id, grade=grade, source="agreed")
    run("mine", "claims", "--miner", "hard_negative", "--wait")
    return corpus


def q2() -> Query:
    return Query.objects.get(external_id="q2")


def exported(folder: Path, *words: object) -> list[dict[str, Any]]:
    file = folder / "out.jsonl"
    code, out = run("export_proposals", "claims", "--miner", "hard_negative", "--out", file, *words)
    assert code == 0, out
    return lines_in(file)


def text_of(external_id: str) -> str:
    text = Corpus.objects.get().documents.get(external_id=external_id).texts.get(current=True)
    return f"{text.title}\n{text.text}"


def about() -> dict[str, Any]:
    index = f"exact@{EmbeddingSpace.objects.get().sha256}"
    return {"query_id": "q2", "generation": 1, "index": index, "depth": 20}


def test_c21_triplets_hold_the_texts_of_judged_negatives_alone(claims: Corpus, tmp_path: Path) -> None:
    lines = exported(tmp_path, "--form", "triplets")
    negatives = [text_of(name) for name in ("hail-b", "hail-c", "cargo")]
    anchor, positive = "hail deductible 2023 Germany", text_of("hail-a")
    assert lines == [{"anchor": anchor, "positive": positive, "negative": text} | about() for text in negatives]
    assert list(lines[0])[:3] == ["anchor", "positive", "negative"]


def test_c21_n_tuples_are_as_wide_as_asked_and_a_query_with_fewer_judged_negatives_has_none(
    claims: Corpus, tmp_path: Path
) -> None:
    assert exported(tmp_path, "--form", "n-tuples") == []
    assert exported(tmp_path, "--form", "n-tuples", "--negatives", 4) == []
    [line] = exported(tmp_path, "--form", "n-tuples", "--negatives", 3)
    columns = ["anchor", "positive", "negative_1", "negative_2", "negative_3"]
    assert list(line) == [*columns, *about()]
    assert [line[name] for name in columns[2:]] == [text_of(name) for name in ("hail-b", "hail-c", "cargo")]


def test_a_file_with_nothing_in_it_says_why(claims: Corpus, tmp_path: Path) -> None:
    q2().qrels.filter(grade=0).delete()
    q2().qrels.filter(canonical_id="hail-c").delete()
    words = ("export_proposals", "claims", "--miner", "hard_negative", "--out", tmp_path / "out.jsonl", "--form")
    assert "no mined document is settled as not relevant" in run(*words, "triplets")[1]
    assert "no query has 8 documents settled as not relevant" in run(*words, "n-tuples")[1]
    lena = signed_in(factories.lena(claims))
    for form, said in (("triplets", "no mined document is settled"), ("n-tuples", "no query has 3 documents settled")):
        answer = lena.get(DOWNLOAD, {"form": form, "negatives": "3"}, follow=True)
        assert answer.redirect_chain == [("/c/claims/hard-negatives/?", 302)]
        assert said in answer.content.decode()


def test_the_width_of_an_n_tuple_is_refused_for_other_forms(claims: Corpus, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--negatives is for n-tuples alone; add --form n-tuples"):
        exported(tmp_path, "--form", "triplets", "--negatives", 3)


def test_agreement_with_one_retriever_says_that_a_second_is_needed(claims: Corpus) -> None:
    shown = signed_in(factories.lena(claims)).get("/c/claims/hard-negatives/", {"show": "suspected"}).content.decode()
    assert "A second retriever is needed" in shown
    assert "manage.py add_index claims words --kind bm25" in shown


def test_a_positive_is_the_document_the_article_was_judged_in(claims: Corpus, tmp_path: Path) -> None:
    german = claims.documents.get(external_id="hail-a-de")
    q2().qrels.filter(canonical_id="hail-a").update(gold_document=german)
    assert {line["positive"] for line in exported(tmp_path, "--form", "triplets")} == {text_of("hail-a-de")}


def test_else_it_is_the_source_rendering(claims: Corpus, tmp_path: Path) -> None:
    q2().qrels.filter(canonical_id="hail-a").update(gold_document=None)
    claims.documents.filter(external_id="hail-a-de").update(is_source=True)
    claims.documents.filter(external_id="hail-a").update(is_source=False)
    assert {line["positive"] for line in exported(tmp_path, "--form", "triplets")} == {text_of("hail-a-de")}


def test_every_relevant_article_has_its_own_rows_the_highest_grade_first(claims: Corpus, tmp_path: Path) -> None:
    q2().qrels.filter(canonical_id="hail-c").update(grade=2)
    lines = exported(tmp_path, "--form", "triplets")
    assert [line["positive"] for line in lines] == [text_of(name) for name in ("hail-a", "hail-a", "hail-c", "hail-c")]
    assert {line["negative"] for line in lines} == {text_of("hail-b"), text_of("cargo")}


def test_c21_what_is_relevant_by_now_its_text_twin_and_what_nobody_could_tell_are_left_out(
    claims: Corpus, tmp_path: Path
) -> None:
    claimed = text_of("theft-1").split("\n")
    a_text(a_document(claims, "found-later"), claimed[1], title=claimed[0])
    Qrel.objects.create(query=q2(), canonical_id="found-later", grade=3, source="agreed")
    q2().qrels.filter(canonical_id="cargo").delete()
    CannotTell.objects.create(query=q2(), canonical_id="cargo")
    [line] = exported(tmp_path)
    assert (line["negatives"], line["unjudged"]) == (["hail-b", "hail-c"], ["theft-2"])
    assert line["positives"] == ["found-later", "hail-a", "hail-a-de"]


def test_derived_negatives_are_told_from_judged_ones(claims: Corpus, tmp_path: Path) -> None:
    q2().qrels.filter(canonical_id="hail-b").update(source="derived")
    [line] = exported(tmp_path)
    assert (line["negatives"], line["derived"]) == (["hail-b", "hail-c", "cargo"], ["hail-b"])


def test_a_document_that_is_gone_is_no_negative_any_more(claims: Corpus, tmp_path: Path) -> None:
    claims.documents.filter(external_id="hail-b").update(gone_at=timezone.now())
    [line] = exported(tmp_path)
    assert line["negatives"] == ["hail-c", "cargo"]


def test_a_query_without_a_relevant_document_any_more_or_retired_is_left_out(claims: Corpus, tmp_path: Path) -> None:
    q2().qrels.filter(canonical_id="hail-a").update(grade=1)
    assert exported(tmp_path) == []
    q2().qrels.filter(canonical_id="hail-a").update(grade=3)
    Query.objects.filter(external_id="q2").update(status="retired", retired_reason="asked twice")
    assert exported(tmp_path) == []


def test_queries_stand_in_code_point_order_however_few_are_read_at_once(
    claims: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = q2().hard_negatives.first()
    assert found is not None
    for name in ("é", "Z", "a"):
        query = factories.a_query(factories.a_stratum(claims), external_id=name)
        Qrel.objects.create(query=query, canonical_id="hail-a", grade=3, source="imported")
        found.pk, found.query = None, query
        found.save()
    whole = exported(tmp_path)
    assert [line["query_id"] for line in whole] == ["Z", "a", "q2", "é"]
    monkeypatch.setattr(negative_lines, "QUERIES_AT_ONCE", 1)
    assert exported(tmp_path) == whole


@pytest.mark.parametrize("words", [("ids", 8), ("triplets", 8), ("n-tuples", 3)])
def test_a_lead_downloads_the_very_bytes_of_the_command(claims: Corpus, tmp_path: Path, words: tuple[str, int]) -> None:
    form, size = words
    exported(tmp_path, "--form", form, *(["--negatives", size] if form == "n-tuples" else []))
    answer = signed_in(factories.lena(claims)).get(f"{DOWNLOAD}?form={form}&negatives={size}")
    assert b"".join(answer.streaming_content) == (tmp_path / "out.jsonl").read_bytes()  # type: ignore[attr-defined]  # it streams
    assert answer["Content-Disposition"] == f'attachment; filename="claims-hard-negatives-1-{form}.jsonl"'


def test_a_download_of_no_known_form_or_of_no_run_is_refused(claims: Corpus) -> None:
    client = signed_in(factories.lena(claims))
    assert client.get(f"{DOWNLOAD}?form=pairs").status_code == 400
    assert client.get(f"{DOWNLOAD}?form=n-tuples&negatives=9").status_code == 400
    q2().hard_negatives.all().delete()
    claims.indexes.get().generations.get().runs.all().delete()
    assert client.get(f"{DOWNLOAD}?form=ids").status_code == 404


def test_the_page_offers_files_to_leads_alone(claims: Corpus) -> None:
    def offers(client: Client) -> bool:
        return "hard-negatives/export" in client.get("/c/claims/hard-negatives/").content.decode()

    assert offers(signed_in(factories.lena(claims)))
    assert not offers(signed_in(factories.marek(claims)))


def test_other_families_have_no_triplets(claims: Corpus, tmp_path: Path) -> None:
    run("mine", "claims", "--miner", "short_keyword", "--wait")
    with pytest.raises(CommandError, match="Only hard negatives can be written as triplets"):
        call_command("export_proposals", "claims", miner="short_keyword", form="triplets", out=tmp_path / "x")


def test_a_file_that_cannot_be_finished_leaves_none_and_keeps_the_old_one(
    claims: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported(tmp_path)
    before = (tmp_path / "out.jsonl").read_bytes()
    assert json.loads(before)
    monkeypatch.setattr(negative_lines, "provenance", lambda _: {"depth": float("nan")})
    with pytest.raises(ValueError, match="JSON"):
        exported(tmp_path)
    assert (tmp_path / "out.jsonl").read_bytes() == before
    assert not (tmp_path / "out.jsonl.part").exists()
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_proposals", "claims", miner="hard_negative", out=tmp_path / "nowhere" / "x")
