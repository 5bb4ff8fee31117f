"""The import screen: a file is looked at, then stored, and never named by what its owner calls it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation import uploading
from curation.models import Corpus, Document, EmbeddingSpace, Job, LogQuery, Qrel, Query, RankedRun, Role
from curation.tasks import work_on
from judging.models import Judgment
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    made = factories.a_corpus()
    for name in ("d1", "d2"):
        Document.objects.create(corpus=made, external_id=name, canonical_id=name, language="en")
    return made


@pytest.fixture
def lena(corpus: Corpus) -> Client:
    client = Client()
    client.force_login(factories.lena(corpus))
    return client


def rows(*objects: dict[str, Any]) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects).encode()


def choose(client: Client, kind: str, body: bytes, *, name: str = "file.jsonl", **more: str) -> str:
    """Upload a file; the address of its page."""
    fields = {"kind": kind, "file": SimpleUploadedFile(name, body), **more}
    answer = client.post("/c/claims/import/", fields)
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


GOOD = rows({"id": "q1", "text": "dolu", "locale": "tr"}, {"id": "q2", "text": "sis", "locale": "tr"})
MIXED = GOOD + rows({"id": "q3", "text": "x", "locale": "qq"})


def test_a_file_is_shown_before_anything_is_stored_and_imported_by_one_button(lena: Client) -> None:
    address = choose(lena, "queries", GOOD)
    shown = page(lena, address)
    assert "Import 2 queries" in shown
    assert "dolu" in shown
    assert not Query.objects.exists()
    assert lena.post(address, {"step": "all"})["Location"] == address
    assert Query.objects.count() == 2
    assert "Imported queries" in page(lena, address)


def test_counts_above_999_have_a_comma_on_the_button_that_stores_them(lena: Client) -> None:
    many = rows(*({"id": f"n{number}", "text": f"dolu {number}", "locale": "tr"} for number in range(1_001)))
    assert "Import 1,001 queries" in page(lena, choose(lena, "queries", many))
    bad = rows({"id": "q3", "text": "x", "locale": "qq"})
    assert "Store the 1,001 good rows" in page(lena, choose(lena, "queries", many + bad))


def test_a_file_without_a_good_row_offers_nothing_to_store(lena: Client) -> None:
    shown = page(lena, choose(lena, "queries", rows({"id": "q3", "text": "x", "locale": "qq"})))
    assert "correct it and choose it again." in shown
    assert "store its good rows alone" not in shown


def test_a_bad_row_is_named_and_only_the_good_ones_can_be_stored(lena: Client) -> None:
    address = choose(lena, "queries", MIXED)
    shown = page(lena, address)
    assert "Store the 2 good rows" in shown
    assert "or store its good rows alone." in shown
    assert "Import 2 queries" not in shown
    assert "q3" in shown
    lena.post(address, {"step": "good"})
    assert sorted(Query.objects.values_list("external_id", flat=True)) == ["q1", "q2"]


def test_all_or_nothing_holds_on_the_screen_too(lena: Client) -> None:
    address = choose(lena, "queries", MIXED)
    lena.post(address, {"step": "all"})
    assert not Query.objects.exists()
    assert "Nothing was stored" in page(lena, address)


def test_c17_the_refused_rows_can_be_downloaded_before_and_after(lena: Client) -> None:
    address = choose(lena, "queries", MIXED)
    for _ in range(2):
        answer = lena.get(f"{address}refused")
        assert answer["Content-Disposition"] == 'attachment; filename="refused-rows.csv"'
        assert "3,q3,The language code" in answer.content.decode().replace('"', "")
        lena.post(address, {"step": "good"})


def test_the_same_button_twice_imports_once(lena: Client) -> None:
    address = choose(lena, "queries", GOOD)
    for _ in range(2):
        assert lena.post(address, {"step": "all"}).status_code == 302
    assert Query.objects.count() == 2


def test_a_file_can_be_removed(lena: Client, own_data_folder: Path) -> None:
    address = choose(lena, "queries", GOOD)
    lena.post(address, {"step": "drop"})
    assert lena.get(address).status_code == 404
    assert list((own_data_folder / "uploads").iterdir()) == []


def test_a_file_is_gone_from_the_disk_once_it_is_imported(lena: Client, own_data_folder: Path) -> None:
    address = choose(lena, "queries", GOOD)
    lena.post(address, {"step": "all"})
    assert [path.suffix for path in (own_data_folder / "uploads").iterdir()] == [".json"]


def test_each_kind_comes_in_through_the_screen(lena: Client) -> None:
    lena.post(choose(lena, "queries", GOOD), {"step": "all"})
    qrels = b"query-id\tcorpus-id\tscore\nq1\td1\t1\n"
    lena.post(choose(lena, "qrels", qrels, name="qrels.tsv"), {"step": "all"})
    opinion = rows({"query_id": "q2", "doc_id": "d1", "grade": 2})
    lena.post(choose(lena, "judgments", opinion, judge="panel"), {"step": "all"})
    lena.post(choose(lena, "log", b"query\nhail\n", name="log.csv"), {"step": "all"})
    assert (Qrel.objects.count(), Judgment.objects.count(), LogQuery.objects.count()) == (2, 1, 1)


def test_a_run_needs_a_name(lena: Client) -> None:
    lena.post(choose(lena, "queries", GOOD), {"step": "all"})
    run = SimpleUploadedFile("r.run", b"q1 Q0 d1 1 0.5 x\n")
    refused = lena.post("/c/claims/import/", {"kind": "run", "file": run})
    assert refused.status_code == 422
    assert "A run needs a name" in refused.content.decode()
    run.seek(0)
    address = lena.post("/c/claims/import/", {"kind": "run", "file": run, "name": "bm25"})["Location"]
    lena.post(address, {"step": "all"})
    assert RankedRun.objects.get().name == "bm25"


def test_columns_and_rows_are_chosen_as_on_the_command_line(lena: Client) -> None:
    body = rows(
        {"nr": "q1", "wortlaut": "dolu", "locale": "tr", "stand": "neu"},
        {"nr": "q2", "wortlaut": "sis", "locale": "tr", "stand": "alt"},
    )
    chosen = {"columns": "query_id=nr\r\n text=wortlaut\r\n", "where": "stand=neu"}
    lena.post(choose(lena, "queries", body, **chosen), {"step": "all"})
    assert list(Query.objects.values_list("external_id", "text")) == [("q1", "dolu")]


def test_grades_are_mapped_and_queries_named_by_their_text_as_on_the_command_line(lena: Client) -> None:
    two = rows({"id": "q1", "text": "dolu", "locale": "tr"}, {"id": "q2", "text": "dolu", "locale": "de"})
    lena.post(choose(lena, "queries", two), {"step": "all"})
    listed = b"query,docid,rating\ndolu,d1,4\n"
    shown = page(lena, choose(lena, "qrels", listed, name="case.csv", map_grade="4=3"))
    assert "give the locale (--locale)" in shown
    asked = {"map_grade": "4=3", "locale": "de"}
    lena.post(choose(lena, "qrels", listed, name="case.csv", **asked), {"step": "all"})
    settled = Qrel.objects.get()
    assert (settled.query.external_id, settled.grade, settled.original_score) == ("q2", 3, "4")
    opinion = rows({"query_id": "q1", "doc_id": "d1", "grade": 4})
    lena.post(choose(lena, "judgments", opinion, judge="panel", map_grade="4=2"), {"step": "all"})
    assert Judgment.objects.get().grade == 2


def test_a_run_is_cut_and_put_in_production_as_on_the_command_line(lena: Client) -> None:
    lena.post(choose(lena, "queries", GOOD), {"step": "all"})
    hits = b"q1 Q0 d1 1 0.5 x\nq1 Q0 d2 2 0.4 x\n"
    asked = {"kind": "run", "file": SimpleUploadedFile("r.run", hits), "name": "bm25", "k": "1", "production": "on"}
    lena.post(lena.post("/c/claims/import/", asked)["Location"], {"step": "all"})
    stored = RankedRun.objects.select_related("index").get()
    assert (stored.name, stored.k) == ("bm25", 1)
    assert stored.index is not None
    assert stored.index.is_production


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"kind": "queries", "locale": "tr"}, "This is for a query log and qrels alone; leave it empty for this file."),
        ({"kind": "queries", "k": "5"}, "This is for a ranked run alone; leave it empty for this file."),
        ({"kind": "queries", "columns": "text"}, "Columns: text is not of the form left=right."),
        ({"kind": "queries", "where": "a=1\na=2"}, "Rows: names a twice."),
        ({"kind": "qrels", "map_grade": "4=9"}, "Grades: 4=9 must lead from 0 or more to 0, 1, 2 or 3."),
    ],
)
def test_an_option_that_does_not_fit_is_refused_beside_its_field(
    lena: Client, asked: dict[str, str], words: str
) -> None:
    answer = lena.post("/c/claims/import/", {**asked, "file": SimpleUploadedFile("x.jsonl", GOOD)})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert "<details open>" in answer.content.decode() or "locale" in asked


def test_documents_are_encoded_by_a_job_afterwards(lena: Client) -> None:
    address = choose(lena, "documents", rows({"id": "d3", "text": "Hail"}, {"id": "d4", "text": "Fog"}))
    lena.post(address, {"step": "all"})
    job = Job.objects.get(kind=uploading.ENCODE)
    assert "Waiting for a worker" in page(lena, address) or "No worker" in page(lena, address)
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, EmbeddingSpace.objects.get(current=True).rows) == ("done", 2)


def test_a_whole_corpus_marks_what_it_lacks(lena: Client) -> None:
    address = choose(lena, "documents", rows({"id": "d1", "text": "Hail"}), whole="on")
    lena.post(address, {"step": "all"})
    assert Document.objects.get(external_id="d2").gone_at is not None


def test_a_large_file_is_looked_at_and_imported_in_jobs(lena: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploading, "AT_ONCE", 10)
    address = choose(lena, "queries", GOOD)
    assert 'hx-trigger="every 2s"' in page(lena, address)
    assert work_on(Job.objects.get().pk)
    assert "Import 2 queries" in page(lena, address)
    lena.post(address, {"step": "all"})
    assert not Query.objects.exists()
    assert work_on(Job.objects.latest("pk").pk)
    assert Query.objects.count() == 2
    assert "Imported queries" in page(lena, address)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("look", "Cancel ends the look. The file stays here, and nothing of it is stored."),
        ("good", "Cancel stores nothing of the file."),
    ],
)
def test_cancel_says_what_becomes_of_the_file(
    lena: Client, monkeypatch: pytest.MonkeyPatch, step: str, words: str
) -> None:
    monkeypatch.setattr(uploading, "AT_ONCE", 10)
    address = choose(lena, "queries", GOOD)
    job = Job.objects.get()
    job.params["step"] = step
    job.state, job.heartbeat = Job.State.RUNNING, timezone.now()
    job.save()
    told = page(lena, address)
    assert words in told
    assert "keeps what is stored" not in told


def test_a_job_whose_file_is_gone_ends_with_words(lena: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploading, "AT_ONCE", 10)
    lena.post(choose(lena, "queries", GOOD), {"step": "drop"})
    job = Job.objects.get()
    work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, "no longer here" in job.error) == ("failed", True)


def test_a_file_above_the_limit_and_an_empty_one_are_refused_in_words(lena: Client, settings: LazySettings) -> None:
    settings.UPLOAD_BYTES = 20
    for body in (GOOD, b""):
        file = SimpleUploadedFile("q.jsonl", body)
        answer = lena.post("/c/claims/import/", {"kind": "queries", "file": file})
        assert answer.status_code == 422
        assert 'class="err"' in answer.content.decode()


@pytest.mark.parametrize(
    "body",
    [
        b"\x00\x01\x02",
        b"\xff\xfe\x00",
        b"PK\x03\x04broken",
        b"\x1f\x8b\x08broken",
        b"%PDF-1.4",
        b"[1, 2]",
        b"{}",
        b'{"id": "q1"}',
        b'{"id": 1.5, "text": {}, "locale": []}',
        b'{"id": "q1", "text": "\\ud800", "locale": "tr"}',
        b'id,text\n"open',
        b"\n\n\n",
        b"PAR1" + b"\x00" * 40 + b"PAR1",
    ],
)
@pytest.mark.parametrize("kind", ["queries", "needs", "documents", "qrels", "run", "judgments", "log", "set"])
def test_a_file_that_makes_no_sense_is_refused_in_words(lena: Client, kind: str, body: bytes) -> None:
    more = {"run": {"name": "bm25"}, "judgments": {"judge": "ayse"}}.get(kind, {})
    fields = {"kind": kind, "file": SimpleUploadedFile("x.jsonl", body), **more}
    address = lena.post("/c/claims/import/", fields)["Location"]
    shown = page(lena, address)
    assert "Cannot be imported" in shown
    assert 'value="all"' not in shown
    assert lena.post(address, {"step": "all"}).status_code == 302
    assert "Nothing was stored" in page(lena, address)


def test_c74_markup_in_a_file_and_in_its_name_is_shown_as_text(lena: Client, cases: Path) -> None:
    name = json.loads((cases / "c74-names.json").read_text())["upload_name"]
    address = choose(lena, "documents", (cases / "c74-corpus.jsonl").read_bytes(), name=name)
    shown = page(lena, address)
    lena.post(address, {"step": "all"})
    for html in (shown, page(lena, address)):
        assert "<svg onload" not in html
        assert "<script>alert" not in html
        assert "<img src=x" not in html
    bad = page(lena, choose(lena, "documents", (cases / "c74-bad-line.jsonl").read_bytes()))
    assert "<script>alert" not in bad


def test_c75_no_element_of_a_text_becomes_one_of_the_page(lena: Client, cases: Path) -> None:
    shown = page(lena, choose(lena, "documents", (cases / "c75-corpus.jsonl").read_bytes()))
    assert "&lt;div hx-post=" in shown
    assert '<div hx-post="/projects' not in shown


def test_c78_names_of_uploads_never_reach_the_disk(lena: Client, cases: Path, own_data_folder: Path) -> None:
    for name in (cases / "c78-names.txt").read_text(encoding="utf-8").splitlines():
        answer = lena.post("/c/claims/import/", {"kind": "queries", "file": SimpleUploadedFile(name, GOOD)})
        assert answer.status_code in {302, 422}, name
        if answer.status_code == 302:
            assert lena.get(answer["Location"]).status_code == 200
    kept = [path for path in own_data_folder.rglob("*") if path.is_file()]
    assert kept
    assert all(path.parent == own_data_folder / "uploads" for path in kept)
    assert all(path.suffix in {".file", ".json"} and len(path.stem) == 32 for path in kept)


def test_c78_names_in_addresses_find_nothing(lena: Client, cases: Path) -> None:
    for name in (cases / "c78-names.txt").read_text(encoding="utf-8").splitlines():
        for end in ("/", "/refused"):
            answer = lena.get(f"/c/claims/import/{name.replace('?', '%3F')}{end}")
            assert answer.status_code in {400, 404}, name


def test_an_upload_of_another_corpus_is_not_found(lena: Client, corpus: Corpus) -> None:
    address = choose(lena, "queries", GOOD)
    other = factories.a_corpus("others")
    boss = Client()
    boss.force_login(factories.member(other, factories.person("boss"), Role.LEAD))
    assert boss.get(address.replace("claims", "others")).status_code == 404


def test_the_menu_leads_there(lena: Client) -> None:
    assert reverse("import", args=["claims"]) in page(lena, "/c/claims/import/")
