"""Runs from files: ordered by score then id, cut at k, never better than the file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from django.core.management import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.actions import many_rows
from curation.models import Document, QueryScore, RankedRun
from tests import factories
from tests.bringing import bring, run, written

pytestmark = pytest.mark.django_db
LONG_AGO = datetime(2026, 1, 31, tzinfo=UTC)


@pytest.fixture(autouse=True)
def corpus(tmp_path: Path) -> None:
    made = factories.a_corpus()
    for name, canonical in (("d0", "d0"), ("d1", "d1"), ("d2", "d2"), ("d3", "d3"), ("d3-tr", "d3")):
        Document.objects.create(corpus=made, external_id=name, canonical_id=canonical)
    rows = [{"id": f"q{n}", "text": f"soru {n}", "locale": "tr", "gold_canonical_id": "d3"} for n in (1, 2)]
    bring("import_queries", "claims", written(tmp_path, "queries.jsonl", *rows))


def test_a_trec_run_becomes_ranked_scores_with_the_golds_rank(tmp_path: Path) -> None:
    path = written(tmp_path, "r.run", "q1 Q0 d1 1 0.9 x", "q1 Q0 d3-tr 2 0.8 x", "q1 Q0 d3 3 0.7 x", "q2 Q0 d1 1 0.9 x")
    answer = bring("import_run", "claims", path, "--name", "bm25")
    assert (answer.code, answer.counts) == (0, (4, 4, 0, 0))
    run = RankedRun.objects.get()
    assert (run.name, run.k) == ("bm25", 3)
    assert sorted(run.scores.values_list("query__external_id", "gold_rank")) == [("q1", 2), ("q2", None)]


def test_postgresql_looks_at_many_new_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(many_rows, "MANY", 2)
    path = written(tmp_path, "r.run", "q1 Q0 d1 1 0.9 x", "q2 Q0 d3 1 0.8 x")
    with CaptureQueriesContext(connection) as asked, django_capture_on_commit_callbacks(execute=True):
        bring("import_run", "claims", path, "--name", "bm25")
    analysed = [each["sql"] for each in asked if each["sql"].startswith("ANALYZE")]
    assert analysed == (['ANALYZE "curation_queryscore"'] if connection.vendor == "postgresql" else [])


def test_a_run_is_cut_at_k_documents(tmp_path: Path) -> None:
    path = written(tmp_path, "r.run", "q1 Q0 d1 1 0.9 x", "q1 Q0 d3 2 0.8 x", "q2 Q0 d3 1 0.8 x")
    bring("import_run", "claims", path, "--name", "bm25", "--k", 1)
    assert sorted(QueryScore.objects.values_list("query__external_id", "gold_rank", "k")) == [
        ("q1", None, 1),
        ("q2", 1, 1),
    ]


def test_a_cut_below_the_end_of_the_file_makes_a_run_no_deeper(tmp_path: Path) -> None:
    path = written(tmp_path, "r.run", "q1 Q0 d1 1 0.9 x", "q1 Q0 d3 2 0.8 x", "q2 Q0 d3 1 0.8 x")
    bring("import_run", "claims", path, "--name", "bm25", "--k", 200)
    assert RankedRun.objects.get().k == 2


def test_a_refused_run_says_nothing_of_queries_that_it_misses(tmp_path: Path) -> None:
    path = written(tmp_path, "r.run", "q1 Q0 d9 1 0.9 x")
    assert bring("import_run", "claims", path, "--name", "bm25").notices == []
    picture = tmp_path / "r.png"
    picture.write_bytes(b"\x89PNG")
    [told] = bring("import_run", "claims", picture, "--name", "bm25").reasons
    assert "Expected is TREC's columns, JSONL, CSV, TSV or Parquet" in told


def test_judged_queries_that_a_run_misses_are_listed(tmp_path: Path) -> None:
    answer = bring("import_run", "claims", written(tmp_path, "r.run", "q1 Q0 d1 1 0.9 x"), "--name", "bm25")
    assert answer.notices == ["1 judged queries are not in the run and count as missed: q2."]


def test_the_same_run_again_merges_and_another_of_its_name_makes_it_way(tmp_path: Path) -> None:
    path = written(tmp_path, "r.run", "q1 Q0 d1 1 0.9 x", "q2 Q0 d1 1 0.9 x")
    bring("import_run", "claims", path, "--name", "bm25")
    RankedRun.objects.update(measured_at=LONG_AGO)
    assert bring("import_run", "claims", path, "--name", "bm25").counts == (2, 0, 2, 0)
    assert RankedRun.objects.get().measured_at > LONG_AGO  # brought again, they are the answers of today
    other = written(tmp_path, "o.run", "q1 Q0 d3 1 0.9 x", "q2 Q0 d3 1 0.9 x")
    answer = bring("import_run", "claims", other, "--name", "bm25")
    assert answer.counts == (2, 2, 0, 0)
    assert "makes way" in answer.notices[0]
    assert list(QueryScore.objects.values_list("gold_rank", flat=True)) == [1, 1]


def test_an_unknown_document_is_refused_and_keeps_its_place_where_the_good_rows_stay(tmp_path: Path) -> None:
    path = written(tmp_path, "r.run", "q1 Q0 lost 1 0.9 x", "q1 Q0 d3 2 0.8 x", "q2 Q0 d3 1 0.8 x", "q2 Q0 d3 2 0.7 x")
    assert bring("import_run", "claims", path, "--name", "bm25").counts == (4, 0, 0, 4)
    assert not RankedRun.objects.exists()
    answer = bring("import_run", "claims", path, "--name", "bm25", "--keep-good")
    assert answer.counts == (4, 2, 0, 2)
    assert sorted(QueryScore.objects.values_list("query__external_id", "gold_rank")) == [("q1", 2), ("q2", 1)]


@pytest.mark.parametrize(
    "words", [("--name", "exact"), ("--name", " "), ("--name", "x", "--k", "0"), ("--name", "x", "--k", "9" * 25)]
)
def test_a_name_or_depth_that_cannot_be_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    answer = bring("import_run", "claims", written(tmp_path, "r.run", "q1 Q0 d1 1 0.9 x"), *words)
    assert (answer.code, len(answer.reasons)) == (2, 1)


def test_c14_a_run_of_other_topics_is_refused_with_counts(cases: Path) -> None:
    answer = bring("import_run", "claims", cases / "c14-other-topics.run", "--name", "other")
    assert answer.counts == (3, 0, 0, 3)
    assert answer.reasons[-1].startswith("0 of 3 query ids known")


def test_c15_equal_scores_are_ordered_by_document_id(cases: Path) -> None:
    assert bring("import_run", "claims", cases / "c15-run.tsv", "--name", "ties").counts == (4, 4, 0, 0)
    assert QueryScore.objects.get().hits == ["d1", "d2", "d3", "d0"]
    assert QueryScore.objects.get().gold_rank == 3


def test_c15_a_public_evaluator_reads_our_order_from_our_export(cases: Path, tmp_path: Path) -> None:
    assert bring("import_run", "claims", cases / "c15-run.tsv", "--name", "ties").code == 0
    exported = tmp_path / "ties.run"
    run("export_run", "claims", "ties", "--out", exported)
    columns = [line.split() for line in exported.read_text().splitlines()]
    assert [row[2] for row in columns] == ["d1", "d2", "d3", "d0"]
    answers = [ir_measures.ScoredDoc(row[0], row[2], float(row[4])) for row in columns]
    judged = [ir_measures.Qrel("q1", "d3", 1)]
    assert ir_measures.calc_aggregate([ir_measures.RR], judged, answers)[ir_measures.RR] == pytest.approx(1 / 3)


def test_a_run_goes_out_cut_and_never_deeper_than_it_is(tmp_path: Path) -> None:
    path = written(tmp_path, "r.run", "q1 Q0 d1 1 0.9 x", "q1 Q0 d3 2 0.8 x")
    bring("import_run", "claims", path, "--name", "bm25")
    exported = tmp_path / "cut.run"
    run("export_run", "claims", "bm25", "--k", 1, "--out", exported)
    assert exported.read_text() == "q1 Q0 d1 1 1 hardset\n"
    for k, words in ((3, "holds the first 2 documents of a query, fewer than 3"), (0, "1 or more")):
        with pytest.raises(CommandError, match=words):
            run("export_run", "claims", "bm25", "--k", k)


def test_an_unknown_run_cannot_go_out() -> None:
    with pytest.raises(CommandError, match="no run called bm25"):
        run("export_run", "claims", "bm25")


def test_the_folder_at_hand_is_refused_as_a_run_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    answer = bring("import_run", "claims", "", "--name", "bm25")
    assert (answer.code, len(answer.reasons)) == (2, 1)
