"""What went in comes out, and out again with the same bytes."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from curation.actions.corpora import CorpusAsked, import_corpus
from curation.actions.receipts import Intake
from curation.models import Corpus, Document, Query
from tests import factories
from tests.bringing import bring, run, written

pytestmark = pytest.mark.django_db


def a_corpus(slug: str, *names: str) -> Corpus:
    made = factories.a_corpus(slug)
    for name in names:
        Document.objects.create(corpus=made, external_id=name, canonical_id=name.split("-")[0], language="en")
    return made


QUERIES = (
    {
        "id": "q10",
        "text": "dolu hasarı",
        "locale": "tr",
        "information_need_id": "n",
        "gold_canonical_id": "d1",
        "slice": "keyword",
    },
    {"id": "q9", "text": "hail damage", "locale": "en", "information_need_id": "n", "tokens": 2},
    {"id": "q1", "text": "görüşme", "locale": "tr", "information_need": "Is talk covered?"},
)


@pytest.mark.parametrize("form", ["jsonl", "beir"])
def test_queries_come_out_sorted_and_survive_a_second_journey(tmp_path: Path, form: str) -> None:
    a_corpus("claims", "d1", "d2")
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", *QUERIES))
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    run("export_queries", "claims", "--format", form, "--out", first)
    a_corpus("empty", "d1", "d2")
    assert bring("import_queries", "empty", first).counts == (3, 3, 0, 0)
    run("export_queries", "empty", "--format", form, "--out", second)
    assert first.read_bytes() == second.read_bytes()
    assert Query.objects.get(corpus__slug="empty", external_id="q1").original_text == "görüşme"
    assert Query.objects.get(corpus__slug="empty", external_id="q10").status == "judged"


def test_topics_for_evaluators_are_id_and_text(tmp_path: Path) -> None:
    a_corpus("claims", "d1")
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", *QUERIES))
    assert run("export_queries", "claims", "--format", "trec")[1].splitlines()[0] == "q1\tgörüşme"


@pytest.mark.parametrize(
    "lines",
    [
        ("q1\td1\t1", "q1\td2\t0", "q9\td2\t1"),
        ("q1\td1\t3", "q1\td2\t1", "q9\td2\t-1"),
        ("q1\td1\t0", "q9\td2\t0"),
    ],
)
def test_qrels_come_out_as_they_went_in(tmp_path: Path, lines: tuple[str, ...]) -> None:
    a_corpus("claims", "d1", "d2")
    bring(
        "import_queries",
        "claims",
        written(tmp_path, "q.jsonl", *({"id": q, "text": q, "locale": "en"} for q in ("q1", "q9"))),
    )
    path = written(tmp_path, "qrels.tsv", "query-id\tcorpus-id\tscore", *lines)
    assert bring("import_qrels", "claims", path).code == 0
    out = tmp_path / "out.tsv"
    run("export_qrels", "claims", "--format", "beir", "--out", out)
    assert out.read_bytes() == path.read_bytes()


def test_trec_qrels_come_out_as_they_went_in(tmp_path: Path) -> None:
    a_corpus("claims", "d1", "d2")
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", {"id": "q1", "text": "x", "locale": "en"}))
    path = written(tmp_path, "qrels.txt", "q1 0 d1 2", "q1 0 d2 0")
    bring("import_qrels", "claims", path)
    assert run("export_qrels", "claims", "--format", "trec")[1] == path.read_text()


def test_scores_that_would_read_as_other_grades_give_way_to_the_grades(tmp_path: Path) -> None:
    a_corpus("claims", "d1", "d2")
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", {"id": "q1", "text": "x", "locale": "en"}))
    bring("import_qrels", "claims", written(tmp_path, "a.tsv", "query-id\tcorpus-id\tscore", "q1\td1\t1"))
    bring("import_qrels", "claims", written(tmp_path, "b.tsv", "query-id\tcorpus-id\tscore", "q1\td2\t2"))
    assert run("export_qrels", "claims", "--format", "beir")[1].splitlines()[1:] == ["q1\td1\t3", "q1\td2\t2"]


def test_an_id_with_white_space_cannot_go_out_as_trec(tmp_path: Path) -> None:
    a_corpus("claims", "a b")
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", {"id": "q1", "text": "x", "locale": "en"}))
    bring("import_qrels", "claims", written(tmp_path, "q.jsonl", {"query_id": "q1", "doc_id": "a b", "grade": 2}))
    with pytest.raises(Exception, match="Export JSONL instead"):
        run("export_qrels", "claims", "--format", "trec")


def test_c14_ids_come_out_byte_for_byte(tmp_path: Path, cases: Path) -> None:
    a_corpus("claims", "msg_12#3", "#start", "urn:claim:7/a")
    bring(
        "import_queries",
        "claims",
        written(tmp_path, "q.jsonl", *({"id": q, "text": q, "locale": "en"} for q in ("q1", "q2"))),
    )
    bring("import_qrels", "claims", cases / "c14-qrels.tsv")
    out = tmp_path / "out.tsv"
    run("export_qrels", "claims", "--format", "beir", "--out", out)
    assert out.read_bytes() == (cases / "c14-qrels.tsv").read_bytes()


def test_c54_ids_and_texts_survive_a_second_journey(tmp_path: Path, cases: Path) -> None:
    for slug in ("claims", "empty"):
        now = datetime.now(UTC)
        import_corpus(asked=CorpusAsked(slug), intake=Intake(cases / "c54-corpus.csv"), now=now)
    bring("import_queries", "claims", cases / "c54-queries.csv")
    bring("import_qrels", "claims", cases / "c54-qrels.tsv", "--keep-good")
    for command in ("queries", "qrels"):
        first, second = tmp_path / f"{command}.jsonl", tmp_path / f"{command}2.jsonl"
        run(f"export_{command}", "claims", "--out", first)
        assert bring(f"import_{command}", "empty", first).json["refused"] == 0
        run(f"export_{command}", "empty", "--out", second)
        assert first.read_bytes() == second.read_bytes()
    assert '"text": "None"' in (tmp_path / "queries.jsonl").read_text()


def test_c56_the_spreadsheet_is_neutral_and_gives_the_texts_back(tmp_path: Path, cases: Path) -> None:
    a_corpus("claims")
    a_corpus("empty")
    assert bring("import_queries", "claims", cases / "c56-queries.jsonl").counts == (6, 6, 0, 0)
    sheet = tmp_path / "queries.csv"
    run("export_queries", "claims", "--format", "csv", "--out", sheet)
    cells = [row["text"] for row in csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8-sig"), newline=""))]
    assert [cell[0] for cell in cells] == ["'"] * 6
    assert bring("import_queries", "empty", sheet).counts == (6, 6, 0, 0)
    given = [json.loads(line)["text"] for line in (cases / "c56-queries.jsonl").read_text().splitlines()]
    again = Query.objects.filter(corpus__slug="empty").order_by("external_id").values_list("original_text", flat=True)
    assert list(again) == given


def test_real_faq_qrels_come_out_as_the_file_sorted(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data" / "faq-locales"
    import_corpus(asked=CorpusAsked("faq"), intake=Intake(folder / "corpus.jsonl"), now=datetime.now(UTC))
    bring("import_queries", "faq", folder / "queries.jsonl")
    bring("import_qrels", "faq", folder / "qrels.tsv")
    header, *lines = (folder / "qrels.tsv").read_text().splitlines()
    out = run("export_qrels", "faq", "--format", "beir")[1].splitlines()
    assert out == [header, *sorted(lines, key=lambda line: line.split("\t")[:2])]
