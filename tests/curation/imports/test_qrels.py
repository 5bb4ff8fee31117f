"""Qrels meet what is settled: merged, overwritten by the stronger, refused where they contradict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.models import CannotTell, Corpus, Document, Need, Qrel, Query, QueryScore, RankedRun
from tests import factories
from tests.bringing import Answer, bring, written

pytestmark = pytest.mark.django_db
HEADER = "query-id\tcorpus-id\tscore"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    made = factories.a_corpus()
    for name, canonical, language in (
        ("hail-en", "hail", "en"),
        ("hail-tr", "hail", "tr"),
        ("fog-1", "fog", "de"),
        ("fog-2", "fog", "de"),
        ("rain", "rain", "en"),
    ):
        Document.objects.create(corpus=made, external_id=name, canonical_id=canonical, language=language)
    rows = [{"id": f"q{n}", "text": f"soru {n}", "locale": "tr"} for n in (1, 2, 3)]
    assert bring("import_queries", "claims", written(tmp_path, "queries.jsonl", *rows)).code == 0
    return made


def settle(folder: Path, *lines: str, words: tuple[str, ...] = ()) -> Answer:
    rows = [line.replace(" ", "\t") for line in lines]
    return bring("import_qrels", "claims", written(folder, "qrels.tsv", HEADER, *rows), *words)


def settled() -> dict[tuple[str, str], tuple[int, str]]:
    return {(q.query.external_id, q.canonical_id): (q.grade, q.source) for q in Qrel.objects.select_related("query")}


def test_a_binary_file_is_lifted_and_its_scores_are_kept(corpus: Corpus, tmp_path: Path) -> None:
    assert settle(tmp_path, "q1 hail-tr 1", "q1 rain 0").counts == (2, 2, 0, 0)
    assert sorted(Qrel.objects.values_list("canonical_id", "grade", "original_score")) == [
        ("hail", 3, "1"),
        ("rain", 0, "0"),
    ]


def test_a_graded_file_is_taken_as_it_is(corpus: Corpus, tmp_path: Path) -> None:
    settle(tmp_path, "q1 hail-tr 1", "q1 rain 2")
    assert settled() == {("q1", "hail"): (1, "imported"), ("q1", "rain"): (2, "imported")}


def test_the_canonical_id_will_do(corpus: Corpus, tmp_path: Path) -> None:
    settle(tmp_path, "q1 hail 3")
    assert Qrel.objects.get().gold_document is None


def test_the_gold_is_the_needs_else_the_highest_grade_else_the_first_id(corpus: Corpus, tmp_path: Path) -> None:
    need = Need.objects.create(corpus=corpus, text="x", gold_canonical_id="rain")
    Query.objects.filter(external_id="q2").update(need=need)
    settle(tmp_path, "q1 rain 2", "q1 fog 3", "q1 hail 3", "q2 fog 3", "q2 rain 2", "q3 rain 1")
    golds = dict(Query.objects.values_list("external_id", "gold_canonical_id"))
    assert golds == {"q1": "fog", "q2": "rain", "q3": ""}
    assert set(Query.objects.values_list("status", flat=True)) == {"judged"}


def test_the_same_grade_again_fills_an_empty_gold_document_and_moves_und_once(corpus: Corpus, tmp_path: Path) -> None:
    settle(tmp_path, "q1 hail 3")
    assert Query.objects.get(external_id="q1").stratum.corpus_language == "und"
    assert settle(tmp_path, "q1 hail-tr 3").counts == (1, 0, 1, 0)
    assert Qrel.objects.get().gold_document == Document.objects.get(external_id="hail-tr")
    assert Query.objects.get(external_id="q1").stratum.corpus_language == "tr"
    settle(tmp_path, "q1 hail-en 3")
    assert Query.objects.get(external_id="q1").stratum.corpus_language == "tr"


def test_another_grade_of_the_same_source_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    settle(tmp_path, "q1 rain 2")
    answer = settle(tmp_path, "q1 rain 3")
    assert (answer.code, answer.counts) == (2, (1, 0, 0, 1))
    assert "grade 2 already, not at 3" in answer.reasons[0]
    assert settle(tmp_path, "q2 rain 2", "q2 rain 3").counts == (2, 0, 0, 2)


def test_chunks_of_one_article_count_by_their_highest(corpus: Corpus, tmp_path: Path) -> None:
    assert settle(tmp_path, "q1 fog-1 0", "q1 fog-2 3", "q1 fog-1 0").counts == (3, 2, 1, 0)
    assert settled() == {("q1", "fog"): (3, "imported")}
    assert settle(tmp_path, "q2 fog-1 2", "q2 fog-2 0", "q2 fog-2 1").counts[3] == 3


def test_a_stronger_grade_stays_and_says_so(corpus: Corpus, tmp_path: Path) -> None:
    settle(tmp_path, "q1 rain 3")
    Qrel.objects.update(source="agreed")
    answer = settle(tmp_path, "q1 rain 2")
    assert answer.counts == (1, 0, 1, 0)
    assert "settled by people" in answer.notices[0]
    assert settled() == {("q1", "rain"): (3, "agreed")}


def test_a_weaker_grade_is_overwritten(corpus: Corpus, tmp_path: Path) -> None:
    settle(tmp_path, "q1 rain 3")
    Qrel.objects.update(source="variant")
    settle(tmp_path, "q1 rain 2")
    assert settled() == {("q1", "rain"): (2, "imported")}


def test_below_zero_is_cannot_tell_and_never_a_grade(corpus: Corpus, tmp_path: Path) -> None:
    answer = settle(tmp_path, "q1 rain -1", "q1 hail-tr 2")
    assert answer.counts == (2, 2, 0, 0)
    doubt = CannotTell.objects.get()
    assert (doubt.canonical_id, doubt.original_score) == ("rain", "-1")
    assert settled() == {("q1", "hail"): (2, "imported")}
    assert settle(tmp_path, "q1 rain -1").counts == (1, 0, 1, 0)
    settle(tmp_path, "q2 rain -1")
    assert Query.objects.get(external_id="q2").status == "ready"


def test_above_three_is_refused_unless_it_is_mapped(corpus: Corpus, tmp_path: Path) -> None:
    assert "--map-grade" in settle(tmp_path, "q1 rain 4").reasons[0]
    assert settle(tmp_path, "q1 rain 4", words=("--map-grade", "4=3")).counts == (1, 1, 0, 0)
    assert Qrel.objects.get().original_score == "4"


def test_settling_two_wordings_into_one_stratum_is_listed_and_moves_one(corpus: Corpus, tmp_path: Path) -> None:
    rows = (
        {"id": "v1", "text": "dolu ne zaman", "locale": "tr", "information_need_id": "n", "query_type": "navigational"},
        {"id": "v2", "text": "dolu ne kadar", "locale": "tr", "information_need_id": "n", "query_type": "navigational"},
    )
    assert bring("import_queries", "claims", written(tmp_path, "a.jsonl", rows[0])).code == 0
    settle(tmp_path, "v1 rain 3")
    assert bring("import_queries", "claims", written(tmp_path, "b.jsonl", rows[1])).code == 0
    answer = settle(tmp_path, "v2 rain 3")
    assert (answer.code, answer.counts) == (0, (1, 1, 0, 0))
    assert "Query v2 stays without a corpus language: query v1" in answer.notices[0]
    assert Query.objects.get(external_id="v2").stratum.corpus_language == "und"


def test_settling_ranks_the_gold_in_runs_that_were_there_before(corpus: Corpus, tmp_path: Path) -> None:
    query = Query.objects.get(external_id="q1")
    run = RankedRun.objects.create(corpus=corpus, name="bm25", k=3, measured_at=query.created_at)
    QueryScore.objects.create(run=run, query=query, k=3, hits=["rain", "hail-en", "fog-1"])
    settle(tmp_path, "q1 hail-tr 3")
    assert QueryScore.objects.get().gold_rank == 2


def test_c14_ids_stay_byte_for_byte_and_a_strange_file_is_refused_with_counts(cases: Path, tmp_path: Path) -> None:
    made = factories.a_corpus()
    for name in ("msg_12#3", "urn:claim:7/a", "#start"):
        Document.objects.create(corpus=made, external_id=name, canonical_id=name)
    rows = [{"id": f"q{n}", "text": f"soru {n}", "locale": "tr"} for n in (1, 2)]
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", *rows))
    assert bring("import_qrels", "claims", cases / "c14-qrels.tsv").counts == (3, 3, 0, 0)
    assert set(settled()) == {("q1", "msg_12#3"), ("q1", "urn:claim:7/a"), ("q2", "#start")}
    strange = bring(
        "import_qrels", "claims", written(tmp_path, "s.tsv", HEADER, "x1\t#start\t1", "x2\t#start\t1", "x3\t#start\t0")
    )
    assert strange.code == 2
    assert strange.reasons[-1].startswith("0 of 3 query ids known")


def test_c17_unknown_ids_are_listed_with_their_lines(cases: Path) -> None:
    bring("import_corpus", "claims", cases / "c17-corpus.jsonl")
    bring("import_queries", "claims", cases / "c17-queries.jsonl")
    answer = bring("import_qrels", "claims", cases / "c17-qrels.tsv")
    assert answer.counts == (3, 0, 0, 3)
    assert [(error["line"], error["id"]) for error in answer.json["errors"]] == [(3, "q1"), (4, "q7"), (0, "")]
    assert "d9" in answer.reasons[0]
    assert "q7" in answer.reasons[1]
    assert not Qrel.objects.exists()
    assert bring("import_qrels", "claims", cases / "c17-qrels.tsv", "--keep-good").counts == (3, 1, 0, 2)
    assert settled() == {("q1", "d1"): (0, "imported")}


def test_c53_quotes_in_tsv_are_text(cases: Path, tmp_path: Path) -> None:
    made = factories.a_corpus()
    for n in range(1, 6):
        Document.objects.create(corpus=made, external_id=f"d{n}", canonical_id=f"d{n}")
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", {"id": "q1", "text": "soru", "locale": "tr"}))
    assert bring("import_qrels", "claims", cases / "c53-qrels-notes.tsv").counts == (5, 5, 0, 0)
    assert [grade for _, (grade, _) in sorted(settled().items())] == [2, 1, 0, 3, 0]


def test_c54_007_and_7_are_different_ids(cases: Path) -> None:
    bring("import_corpus", "claims", cases / "c54-corpus.csv")
    bring("import_queries", "claims", cases / "c54-queries.csv")
    answer = bring("import_qrels", "claims", cases / "c54-qrels.tsv", "--keep-good")
    assert answer.counts == (2, 1, 0, 1)
    assert "document 7" in answer.reasons[0]
    assert settled() == {("q1", "007"): (3, "imported")}


def a_list(folder: Path, name: str, content: str, *words: str) -> Answer:
    """A file of grades by the texts of queries, as it lies there."""
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return bring("import_qrels", "claims", path, *words)


TEXT_1 = {"query": "soru 1", "ratings": [{"docId": "hail-tr", "rating": "3.0"}, {"docId": "rain", "rating": 0}]}
TEXT_2 = {"query": "soru 2", "ratings": [{"docId": "fog-1", "rating": 2}]}
RATED_1 = {"placeholders": {"$query": "soru 1"}, "relevant_documents": {"3": ["hail-tr"], "0": ["rain"]}}
RATED_2 = {"placeholders": {"$query": "soru 2"}, "relevant_documents": {"fog-1": {"gain": 2}}}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "told",
    [
        {"name": "of a workbench", "type": "IMPORT_JUDGMENT", "judgmentRatings": [TEXT_1, TEXT_2]},
        {"queries": [RATED_1, RATED_2]},
        {"q1": {"hail-tr": 3, "rain": 0}, "q2": {"fog-1": 2}},
    ],
    ids=["opensearch", "rated-ranking-evaluator", "ranx"],
)
def test_one_json_list_of_grades_is_read(corpus: Corpus, tmp_path: Path, told: object, indent: int | None) -> None:
    assert a_list(tmp_path, "grades.json", json.dumps(told, indent=indent)).counts == (3, 3, 0, 0)
    imported = {("q1", "hail"): 3, ("q1", "rain"): 0, ("q2", "fog"): 2}
    assert settled() == {pair: (grade, "imported") for pair, grade in imported.items()}


def test_a_table_names_queries_by_their_text_as_quepid_does(corpus: Corpus, tmp_path: Path) -> None:
    lines = ["query,docid,rating", "soru 1,hail-tr,3", " soru 2 ,fog-1,2", "soru 9,rain,3", "soru 3,rain,", ",rain,2"]
    told = a_list(tmp_path, "case.csv", "\n".join(lines), "--keep-good")
    assert told.counts == (5, 2, 0, 3)
    assert {(each["line"], each["id"], each["reason"]) for each in told.json["errors"]} == {
        (4, "soru 9", "The corpus holds no query that reads so."),
        (5, "soru 3", "The row has no grade. Write 0 to 3, or cannot judge."),
        (6, "", "The query id is empty."),
    }
    assert settled() == {("q1", "hail"): (3, "imported"), ("q2", "fog"): (2, "imported")}


def test_a_text_of_two_languages_names_a_query_with_its_language_alone(corpus: Corpus, tmp_path: Path) -> None:
    factories.a_query(factories.a_stratum(corpus, "de en Latn question keyword"), "soru 1", external_id="q7")
    content = "query,docid,rating\nsoru 1,rain,2\n"
    [why] = a_list(tmp_path, "case.csv", content).reasons
    assert why == "2 queries read so (q1 in tr, q7 in de): say which by its id, or give the locale (--locale)."
    assert a_list(tmp_path, "case.csv", content, "--locale", "DE").code == 0
    assert a_list(tmp_path, "case.csv", "query,locale,docid,rating\nsoru 1,tr,rain,3\n", "--locale", "de").code == 0
    assert settled() == {("q7", "rain"): (2, "imported"), ("q1", "rain"): (3, "imported")}
    [why] = a_list(tmp_path, "case.csv", content, "--locale", "Klingon!").reasons
    assert "Klingon!" in why


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{\n "judgmentRatings": [', "The file is not JSON: Expecting value at character"),
        ('{\n "judgmentRatings": 3}', "The file is one JSON value, and no list of grades; write one object a line"),
        ('{\n "judgmentRatings": [1]}', "The entry of a query has no ratings that can be read."),
        ('{"judgmentRatings": [{"query": "soru 1", "ratings": [3]}]}', "The row names neither a document nor"),
        ('{"judgmentRatings": [{"ratings": [{"docId": "rain", "rating": 3}]}]}', "The query id is empty."),
        ('{"judgmentRatings": [{"query": ["x"], "ratings": [{"docId": "rain", "rating": 3}]}]}', "query is not text"),
        ('{"judgmentRatings": [{"query": "soru 1", "ratings": [{"docId": [], "rating": 3}]}]}', "document id"),
        ('{"judgmentRatings": [{"query": "soru 1", "ratings": [{"docId": "rain", "rating": 0.5}]}]}', "0.5 is not a"),
        (
            '{"queries": [{"placeholders": "x", "relevant_documents": []}]}',
            "has no relevant_documents that can be read",
        ),
        ('{"queries": [{"placeholders": {"$query": "soru 1"}, "relevant_documents": {"9": ["rain"]}}]}', "above 3"),
        ('{"q1": {"rain": {}}}', "must hold text or a number"),
        ('{"q1": {"rain": 3}, "q1": {"rain": 2}}', "The key q1 stands twice"),
        ('{"q1": {}}', "The file is empty."),
        ("{}", "The query id is empty."),
        ('{"q\\u0000": {"rain": 3}}', "NUL"),
    ],
)
def test_a_broken_list_of_grades_is_refused_in_words(corpus: Corpus, tmp_path: Path, content: str, reason: str) -> None:
    told = a_list(tmp_path, "grades.json", content)
    assert (told.code, Qrel.objects.exists()) == (2, False)
    assert reason in told.reasons[0]
