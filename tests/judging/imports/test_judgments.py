"""Judgments from files: one opinion of one judge a row, settled where those who judged agree."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from curation.actions.corpora import CorpusAsked, import_corpus
from curation.actions.receipts import Intake
from curation.models import Corpus, Document, OpenDispute, Qrel, Query, User
from judging.models import Judgment
from judging.reports.standing import Standing, standings
from tests import factories
from tests.bringing import bring, run, written
from tests.judging import stage
from tests.judging.judges import another, corpus_of, finish_with, marek

pytestmark = pytest.mark.django_db


def a_corpus(folder: Path, slug: str, *, queries: int, documents: list[str]) -> Corpus:
    path = written(folder, "corpus.jsonl", *({"id": name, "text": f"Text of {name}"} for name in documents))
    import_corpus(asked=CorpusAsked(slug), intake=Intake(path), now=datetime.now(UTC))
    rows = [{"id": f"q{n}", "text": f"soru {n}", "locale": "tr"} for n in range(1, queries + 1)]
    assert bring("import_queries", slug, written(folder, "queries.jsonl", *rows)).code == 0
    return Corpus.objects.get(slug=slug)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return a_corpus(tmp_path, "claims", queries=3, documents=["d001", "d002", "d003"])


def opinion(query: str, document: str, judge: str, grade: int | None, **more: Any) -> dict[str, Any]:
    return {"query_id": query, "doc_id": document, "judge": judge, "grade": grade, **more}


def test_one_judge_settles_and_the_query_turns_judged_with_its_gold(corpus: Corpus, tmp_path: Path) -> None:
    path = written(tmp_path, "j.jsonl", opinion("q1", "d001", "ayse", 3), opinion("q1", "d002", "ayse", 0))
    assert bring("import_judgments", "claims", path).counts == (2, 2, 0, 0)
    query = Query.objects.get(external_id="q1")
    assert (query.status, query.gold_canonical_id) == ("judged", "d001")
    assert sorted(Qrel.objects.values_list("canonical_id", "grade", "source")) == [
        ("d001", 3, "agreed"),
        ("d002", 0, "agreed"),
    ]


def test_a_judge_without_an_account_gets_one_that_nobody_can_sign_in_with(corpus: Corpus, tmp_path: Path) -> None:
    bring("import_judgments", "claims", written(tmp_path, "j.jsonl", opinion("q1", "d001", "ayse", 3)))
    ayse = User.objects.get(username="ayse")
    assert not ayse.is_active
    assert not ayse.has_usable_password()


def test_where_judges_disagree_nothing_is_settled_and_the_query_waits(corpus: Corpus, tmp_path: Path) -> None:
    rows = (
        opinion("q1", "d001", "ayse", 3),
        opinion("q1", "d001", "bora", 2),
        opinion("q1", "d002", "ayse", 1),
        opinion("q1", "d002", "bora", 1),
    )
    answer = bring("import_judgments", "claims", written(tmp_path, "j.jsonl", *rows))
    assert "In 1 answers of 1 queries judges disagree" in answer.notices[0]
    assert list(Qrel.objects.values_list("canonical_id", "grade")) == [("d002", 1)]
    assert Query.objects.get(external_id="q1").status == "ready"


def test_cannot_judge_settles_nothing_and_hinders_nothing(corpus: Corpus, tmp_path: Path) -> None:
    rows = (
        opinion("q1", "d001", "ayse", None, cannot_judge=True),
        opinion("q1", "d001", "bora", 2),
        opinion("q2", "d001", "ayse", None, cannot_judge=True),
    )
    bring("import_judgments", "claims", written(tmp_path, "j.jsonl", *rows))
    assert list(Qrel.objects.values_list("query__external_id", "grade")) == [("q1", 2)]
    assert dict(Query.objects.values_list("external_id", "status")) == {"q1": "judged", "q2": "ready", "q3": "ready"}


def test_swept_settles_as_0_and_stays_known_as_swept(corpus: Corpus, tmp_path: Path) -> None:
    rows = (
        opinion("q1", "d001", "ayse", 3),
        opinion("q1", "d002", "ayse", None, state="swept"),
        opinion("q1", "d003", "ayse", None, state="unseen"),
    )
    bring("import_judgments", "claims", written(tmp_path, "j.jsonl", *rows))
    assert list(Qrel.objects.order_by("canonical_id").values_list("canonical_id", "grade", "swept")) == [
        ("d001", 3, False),
        ("d002", 0, True),
    ]


def test_another_opinion_of_the_same_judge_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    bring("import_judgments", "claims", written(tmp_path, "j.jsonl", opinion("q1", "d001", "ayse", 3)))
    answer = bring("import_judgments", "claims", written(tmp_path, "k.jsonl", opinion("q1", "d001", "ayse", 2)))
    assert answer.counts == (1, 0, 0, 1)
    assert "ayse judged d001 already, with another opinion (grade 3)" in answer.reasons[0]


def test_an_imported_opinion_decides_nothing_that_judges_here_differ_on(tmp_path: Path) -> None:
    corpus = corpus_of(2)
    finish_with(marek(corpus), {"d001": 3})
    finish_with(another(corpus), {"d001": 2})
    query = Query.objects.get()
    answer = bring(
        "import_judgments", "claims", written(tmp_path, "j.jsonl", opinion(query.external_id, "d001", "c", 3))
    )
    assert answer.notices == ["In 1 answers of 1 queries judges disagree; they wait for a lead."]
    assert OpenDispute.objects.get().canonical_id == "d001"
    assert not Qrel.objects.filter(canonical_id="d001").exists()
    query.refresh_from_db()
    assert query.status == "ready"


def test_a_later_opinion_that_disagrees_changes_nothing_that_is_settled(corpus: Corpus, tmp_path: Path) -> None:
    bring("import_judgments", "claims", written(tmp_path, "j.jsonl", opinion("q1", "d001", "ayse", 3)))
    answer = bring("import_judgments", "claims", written(tmp_path, "k.jsonl", opinion("q1", "d001", "bora", 0)))
    assert answer.counts == (1, 1, 0, 0)
    assert Qrel.objects.get().grade == 3


def test_an_agreed_grade_overwrites_an_imported_one(corpus: Corpus, tmp_path: Path) -> None:
    bring("import_qrels", "claims", written(tmp_path, "q.tsv", "query-id\tcorpus-id\tscore", "q1\td001\t2"))
    bring("import_judgments", "claims", written(tmp_path, "j.jsonl", opinion("q1", "d001", "ayse", 0)))
    qrel = Qrel.objects.get()
    assert (qrel.grade, qrel.source) == (0, "agreed")
    assert Query.objects.get(external_id="q1").gold_canonical_id == ""


def test_a_file_without_judges_needs_one_named(corpus: Corpus, tmp_path: Path) -> None:
    path = written(tmp_path, "j.tsv", "query-id\tcorpus-id\tscore", "q1\td001\t2")
    assert bring("import_judgments", "claims", path).code == 2
    assert bring("import_judgments", "claims", path, "--judge", "panel").counts == (1, 1, 0, 0)
    assert Judgment.objects.get().assessor.username == "panel"


def test_an_article_of_several_documents_must_name_the_one_judged(corpus: Corpus, tmp_path: Path) -> None:
    for name in ("x-en", "x-tr"):
        Document.objects.create(corpus=corpus, external_id=name, canonical_id="x", language=name[2:])
    row = {"query_id": "q1", "canonical_id": "x", "judge": "ayse", "grade": 2}
    assert "several documents" in bring("import_judgments", "claims", written(tmp_path, "j.jsonl", row)).reasons[0]
    Document.objects.filter(external_id="x-en").update(is_source=True)
    assert bring("import_judgments", "claims", written(tmp_path, "j.jsonl", row)).code == 0
    assert Judgment.objects.get().document.external_id == "x-en"


def test_c04_each_judge_keeps_their_grade_and_the_merged_line_says_how(corpus: Corpus, cases: Path) -> None:
    assert bring("import_judgments", "claims", cases / "c04-judgments.jsonl").counts == (3, 3, 0, 0)
    rows = [json.loads(line) for line in run("export_judgments", "claims")[1].splitlines()]
    assert [(row["judge"], row["grade"], row.get("cannot_judge", False)) for row in rows] == [
        ("a", 0, False),
        ("b", 3, False),
        ("c", None, True),
    ]
    merged = [json.loads(line) for line in run("export_judgments", "claims", "--merged")[1].splitlines()]
    assert merged == [
        {
            "query_id": "q1",
            "canonical_id": "d001",
            "grade": None,
            "swept": False,
            "how": "not settled: grades 0, 3 disagree; 1 cannot judge",
            "grades": {"0": 1, "3": 1},
            "cannot_judge": 1,
        }
    ]
    assert not Qrel.objects.exists()


def test_the_merged_line_tells_a_zero_that_was_marked_from_what_was_left_unmarked(
    corpus: Corpus, tmp_path: Path
) -> None:
    rows = (
        opinion("q1", "d001", "ayse", 0),
        opinion("q1", "d002", "ayse", None, state="swept"),
        opinion("q1", "d003", "ayse", None, state="swept"),
        opinion("q1", "d003", "bora", 0),
    )
    assert bring("import_judgments", "claims", written(tmp_path, "j.jsonl", *rows)).code == 0
    merged = [json.loads(line) for line in run("export_judgments", "claims", "--merged")[1].splitlines()]
    assert [(line["canonical_id"], line["grade"], line["swept"]) for line in merged] == [
        ("d001", 0, False),
        ("d002", 0, True),
        ("d003", 0, False),
    ]


def test_c09_ten_queries_of_thirty_judgments_count_ten(tmp_path: Path, cases: Path) -> None:
    made = factories.a_corpus()
    for n in range(30):
        Document.objects.create(corpus=made, external_id=f"d{n:03}", canonical_id=f"d{n:03}")
    names = [f"{n:02}" for n in range(10)]
    rows = [{"id": f"q{name}", "text": f"soru {name}", "locale": "tr", "query_type": "question"} for name in names]
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", *rows))
    answer = bring("import_judgments", "claims", cases / "c09-judgments.tsv")
    assert answer.counts == (30, 30, 0, 0), answer.reasons[:2]
    assert Judgment.objects.count() == 30
    assert Query.objects.filter(status="judged").exclude(gold_canonical_id="").count() == 10
    code, out = run("coverage", "claims", "--json")
    [cell] = json.loads(out)["cells"]
    assert (code, cell["n"], cell["judged_pairs"], cell["score"]) == (0, 10, 30, None)
    lead = stage.signed_in(factories.lena(made))
    page = lead.get("/c/claims/coverage/", {"cell": f"tr,{cell['corpus_language']}"}).content.decode()
    assert "30 judged pairs: 3.0 a query" in page
    assert "20 to 30" in page


def test_c12_judgments_travel_with_judges_times_and_notes(corpus: Corpus, tmp_path: Path, cases: Path) -> None:
    assert bring("import_judgments", "claims", cases / "c12-judgments.jsonl").counts == (4, 4, 0, 0)
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    run("export_judgments", "claims", "--out", first)
    assert bring("import_judgments", "claims", first).counts == (4, 0, 4, 0)
    a_corpus(tmp_path, "empty", queries=3, documents=["d001", "d002", "d003"])
    assert bring("import_judgments", "empty", first).counts == (4, 4, 0, 0)
    run("export_judgments", "empty", "--out", second)
    assert first.read_bytes() == second.read_bytes()
    stored = Judgment.objects.filter(query__corpus__slug="empty").order_by("judged_at")
    assert [(found.assessor.username, found.grade, found.note) for found in stored] == [
        ("ayse", 3, 'line one\nline two, with "quotes"'),
        ("ayse", 0, ""),
        ("bora", 2, ""),
        ("bora", 1, "=not a formula"),
    ]


@pytest.mark.parametrize("form", ["trec", "beir"])
def test_what_goes_out_as_trec_or_beir_comes_in_again(corpus: Corpus, tmp_path: Path, form: str) -> None:
    rows = (
        opinion("q1", "d001", "ayse", 3),
        opinion("q1", "d002", "ayse", None, state="swept"),
        opinion("q1", "d003", "ayse", None, state="cannot_judge"),
        opinion("q1", "d001", "bora", 2),
    )
    bring("import_judgments", "claims", written(tmp_path, "j.jsonl", *rows))
    folder = tmp_path / "set" / "qrels"
    folder.mkdir(parents=True)
    out = folder / "test.tsv"
    run("export_judgments", "claims", "--format", form, "--out", out)
    path = out if form == "trec" else folder.parent
    (folder.parent / "queries.jsonl").write_text("")
    assert bring("import_judgments", "claims", path).counts == (4, 0, 4, 0)
    assert Judgment.objects.filter(state="swept").count() == 1
    a_corpus(tmp_path, "empty", queries=3, documents=["d001", "d002", "d003"])
    assert bring("import_judgments", "empty", path).counts == (4, 4, 0, 0)
    stored = Judgment.objects.filter(query__corpus__slug="empty").order_by("assessor__username", "document")
    assert [(each.assessor.username, each.state, each.grade) for each in stored] == [
        ("ayse", "graded", 3),
        ("ayse", "graded", 0),
        ("ayse", "cant_tell", None),
        ("bora", "graded", 2),
    ]


def test_a_trec_file_that_names_no_judge_is_read_under_the_one_named_for_it(corpus: Corpus, tmp_path: Path) -> None:
    path = written(tmp_path, "j.qrels", "q1 0 d001 3")
    assert "does not say who judged" in bring("import_judgments", "claims", path).reasons[0]
    assert bring("import_judgments", "claims", path, "--judge", "ayse").counts == (1, 1, 0, 0)


def test_a_file_that_cannot_be_opened_has_no_rows(corpus: Corpus, tmp_path: Path) -> None:
    empty, folder = written(tmp_path, "empty.jsonl"), tmp_path / "folder"
    folder.mkdir()
    for path in (empty, tmp_path / "missing.jsonl", folder):
        for command in ("import_judgments", "import_qrels"):
            answer = bring(command, "claims", path)
            assert (answer.code, answer.counts, len(answer.reasons)) == (2, (0, 0, 0, 0), 1)


def test_c19_judgments_keep_the_text_they_saw_and_nothing_is_deleted(tmp_path: Path, cases: Path) -> None:
    bring("import_corpus", "claims", cases / "c19-corpus-v1.jsonl")
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", {"id": "q1", "text": "soru", "locale": "tr"}))
    assert bring("import_judgments", "claims", cases / "c19-judgments.tsv", "--judge", "ayse").counts == (3, 3, 0, 0)
    answer = bring("import_corpus", "claims", cases / "c19-corpus-v2.jsonl", "--whole")
    assert (
        "Judgments: 1 still see the present text, 1 saw another text (judge again), 1 saw a document that is gone. "
        "None is deleted."
    ) in answer.notices
    judgments = Judgment.objects.select_related("document").order_by("document__external_id")
    found = standings(judgments)
    assert [found[judgment.pk] for judgment in judgments] == [Standing.VALID, Standing.GONE, Standing.CHANGED]


def test_real_ratings_of_three_raters_settle_where_they_agree(shared: Path) -> None:
    folder = shared / "data" / "electronics-keywords"
    import_corpus(asked=CorpusAsked("e"), intake=Intake(folder / "corpus.jsonl"), now=datetime.now(UTC))
    bring("import_queries", "e", folder / "queries.jsonl")
    assert bring("import_judgments", "e", folder / "ratings.csv").counts == (9564, 9564, 0, 0)
    assert 0.70 < Qrel.objects.count() / 3188 < 0.72  # "three raters equal: 71 % of pairs"


def test_an_opinion_kept_apart_is_stored_settles_nothing_and_goes_out_as_such(corpus: Corpus, tmp_path: Path) -> None:
    counted, surplus = opinion("q1", "d001", "ayse", 3), opinion("q1", "d001", "late", 0, kept_apart=True)
    assert bring("import_judgments", "claims", written(tmp_path, "j.jsonl", counted, surplus)).counts == (2, 2, 0, 0)
    assert Qrel.objects.get().grade == 3
    told = [json.loads(line) for line in run("export_judgments", "claims")[1].splitlines()]
    assert [(line["judge"], line.get("kept_apart", False)) for line in told] == [("ayse", False), ("late", True)]
    assert "late" not in run("export_judgments", "claims", "--format", "trec")[1]
