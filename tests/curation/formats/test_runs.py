import io
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.formats.faults import FileRefused, WriteRefused
from curation.formats.qrels import read_qrels
from curation.formats.runs import Ranking, RunRow, rankings, read_rankings, read_run, write_run
from curation.formats.tables import Reading
from curation.measures.per_query import per_query
from curation.measures.recall import recall_at

from .reads import CASES, faults_of, notices_of, rows_of, written


def exported(ranked: list[Ranking], tag: str = "hardset") -> str:
    out = io.StringIO(newline="")
    write_run(out, ranked, tag=tag)
    return out.getvalue()


def trec_eval_rows(path: Path) -> list[Any]:
    return list(ir_measures.read_trec_run(str(path)))  # type: ignore[no-untyped-call]  # ships no types


def ranked(path: Path) -> list[Ranking]:
    return rows_of(rankings(read_run(path)))


def test_c14_the_ids_of_a_run_survive() -> None:
    rows = rows_of(read_run(CASES / "c14-other-topics.run"))
    assert [(row.query_id, row.document_id) for row in rows] == [
        ("q91", "msg_12#3"),
        ("q92", "#start"),
        ("q93", "urn:claim:7/a"),
    ]


def test_c15_hits_are_ordered_by_score_then_by_document_id() -> None:
    read = list(rankings(read_run(CASES / "c15-run.tsv")))
    (one,) = rows_of(read)
    assert (one.document_ids, one.scores, one.tied) == (("d1", "d2", "d3", "d0"), (0.5, 0.5, 0.5, 0.25), 3)
    assert [notice.text for notice in notices_of(read)] == [
        "In 1 row, hits with equal scores are ordered by document id."
    ]


def test_c15_a_public_evaluator_sees_the_order_of_our_export(tmp_path: Path) -> None:
    run = written(tmp_path, "ours.run", exported(ranked(CASES / "c15-run.tsv")))
    assert run.read_text() == (
        "q1 Q0 d1 1 4 hardset\nq1 Q0 d2 2 3 hardset\nq1 Q0 d3 3 2 hardset\nq1 Q0 d0 4 1 hardset\n"
    )
    scored = ir_measures.calc_aggregate([ir_measures.RR], [ir_measures.Qrel("q1", "d3", 1)], trec_eval_rows(run))
    assert scored[ir_measures.RR] == pytest.approx(1 / 3)


def test_six_columns_are_read_with_tabs_and_padding_mixed(tmp_path: Path) -> None:
    path = written(tmp_path, "r", "301\tQ0\tFR1\t104\t  2.129133\tSTD\n  301 Q0   FR2 1 -1e-3 STD\r\n")
    assert rows_of(read_run(path)) == [
        RunRow(1, "301", "FR1", 2.129133, "STD"),
        RunRow(2, "301", "FR2", -0.001, "STD"),
    ]


@given(
    lines=st.lists(
        st.lists(
            st.sampled_from(["q1", "q2", "Q0", "d1", "d\u00a01", "d\u200d2", "\u00a0", "x" * 501, "d\x1f", "\0"])
            | st.sampled_from(["1", "-2.5e3", "nan", "1e999", "1_0", "٣", "tag"]),
            min_size=3,
            max_size=8,
        ).map(" ".join),
        min_size=1,
        max_size=6,
    )
)
def test_plain_lines_are_read_as_those_that_are_looked_at_closely(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    path = written(tmp_path_factory.mktemp("any"), "r", "\n".join(["q Q0 d 1 2 t", *lines]))
    closely = Reading(columns={"query_id": "query_id"})
    assert list(read_run(path)) == list(read_run(path, closely))
    assert list(read_rankings(path)) == list(rankings(read_run(path, closely)))


def test_words_after_the_sixth_column_are_told_once(tmp_path: Path) -> None:
    path = written(tmp_path, "r", "q Q0 d1 1 2 tag\nq Q0 d2 2 1 tag more junk\nq Q0 d3 2 0 tag more\n")
    read = list(read_run(path))
    assert [row.tag for row in rows_of(read)] == ["tag"] * 3
    assert [(notice.line, notice.text) for notice in notices_of(read)] == [
        (2, "In 2 rows, words after the sixth column were passed over.")
    ]


@pytest.mark.parametrize("score", ["nan", "NaN", "inf", "-Infinity", "1e999", "1_0", "٣", "0x1", "high", "1,5"])
def test_a_score_that_is_no_finite_number_is_refused(tmp_path: Path, score: str) -> None:
    (fault,) = faults_of(read_run(written(tmp_path, "r", f"q Q0 d1 1 2 t\nq Q0 d2 2 {score} t\n")))
    assert (fault.line, fault.id, fault.reason) == (2, "q", f"The score {score} is not a finite number.")


@pytest.mark.parametrize("line", ["q d2 1", "q Q0 d2 2 0.5"])
def test_a_line_with_another_number_of_columns_is_refused(tmp_path: Path, line: str) -> None:
    (fault,) = faults_of(read_run(written(tmp_path, "r", f"q Q0 d1 1 2 t\n{line}\n")))
    assert (fault.line, fault.id) == (2, "q")
    assert "which is no TREC form" in fault.reason


def test_a_document_twice_under_one_query_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "r", "q Q0 d1 1 2 t\nr Q0 d1 1 2 t\nq Q0 d1 2 1 t\n")
    assert [(fault.line, fault.id, fault.reason) for fault in faults_of(rankings(read_run(path)))] == [
        (3, "q", "The document d1 stands twice under this query.")
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t0.5\nq1\td1\t0.75\n"),
        (
            "r.jsonl",
            '{"query_id": "q1", "doc_id": "d2", "score": 0.5}\n{"query_id": "q1", "doc_id": "d1", "score": 0.75}',
        ),
        ("r.jsonl", '{"query_id": "q1", "hits": [{"id": "d2", "score": 0.5}, {"id": "d1", "score": 0.75}]}'),
        (
            "r.jsonl",
            '{"id": 7, "qid": "q1", "score": 9, "hits": [{"id": "d2", "score": 0.5}, {"id": "d1", "score": 0.75}]}',
        ),
    ],
)
def test_hits_are_read_from_tables_and_json_lines(tmp_path: Path, name: str, content: str) -> None:
    assert ranked(written(tmp_path, name, content)) == [Ranking("q1", ("d1", "d2"), (0.75, 0.5), 0)]


def test_a_hit_that_is_no_object_is_refused(tmp_path: Path) -> None:
    (fault,) = faults_of(read_run(written(tmp_path, "r.jsonl", '{"query_id": "q1", "hits": ["d2"]}')))
    assert fault.reason == "A hit is not an object with doc_id and score."


def test_qrels_are_not_taken_for_a_run(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match="looks like TREC qrels"):
        list(read_run(written(tmp_path, "r", "301 0 CR93E-10279 0\n")))


def test_an_id_with_white_space_is_refused_before_a_byte_is_written() -> None:
    out = io.StringIO()
    with pytest.raises(WriteRefused, match=r"'d 1'\. A run has no other form; give them ids without white space\."):
        write_run(out, [Ranking("q", ("d0", "d 1"), (2.0, 1.0), 0)], tag="t")
    assert out.getvalue() == ""


SCORES = st.dictionaries(
    st.text("abAB01", min_size=1, max_size=3),
    st.sampled_from([-1.0, -0.0, 0.0, 0.5, 1e-9, 3.0]),
    min_size=1,
    max_size=12,
)


@given(hits=SCORES)
def test_a_ranking_is_the_same_for_any_order_of_lines_and_its_export_keeps_it(
    tmp_path_factory: pytest.TempPathFactory, hits: dict[str, float]
) -> None:
    rows = [RunRow(0, "q", document_id, score, "t") for document_id, score in hits.items()]
    (one,) = [read for read in rankings(rows) if isinstance(read, Ranking)]
    (same,) = [read for read in rankings(reversed(rows)) if isinstance(read, Ranking)]
    assert one == same
    order = [(-score, document_id) for score, document_id in zip(one.scores, one.document_ids, strict=True)]
    assert order == sorted(order)
    (again,) = ranked(written(tmp_path_factory.mktemp("any"), "r", exported([one])))
    assert (again.document_ids, again.tied) == (one.document_ids, 0)


@pytest.mark.parametrize(
    ("name", "count", "queries", "notices"),
    [("nist-results.test", 1500, 3, 0), ("nist-results.trunc", 584, 2, 1), ("cacm-bm25-run.txt", 1920, 64, 0)],
)
def test_real_runs_are_read_whole(shared: Path, *, name: str, count: int, queries: int, notices: int) -> None:
    read = list(read_run(shared / "data" / "trec-samples" / name))
    rows = rows_of(read)
    assert (len(rows), len({row.query_id for row in rows}), len(notices_of(read))) == (count, queries, notices)
    assert sum(len(one.document_ids) for one in rows_of(rankings(rows))) == count


def test_a_real_run_scores_the_same_after_our_export(shared: Path, tmp_path: Path) -> None:
    """trec_eval prints a reciprocal rank and a P@10 for this pair (nist-out.test); no ties decide them."""
    folder = shared / "data" / "trec-samples"
    qrels = list(ir_measures.read_trec_qrels(str(folder / "nist-qrels.test")))  # type: ignore[no-untyped-call]  # no types
    run = written(tmp_path, "r", exported(ranked(folder / "nist-results.test")))
    scored = ir_measures.calc_aggregate([ir_measures.P @ 10, ir_measures.RR], qrels, trec_eval_rows(run))
    lines = (folder / "nist-out.test").read_text().splitlines()
    printed = {name: figure for name, _, figure in (line.split() for line in lines)}
    assert scored[ir_measures.P @ 10] == pytest.approx(float(printed["P_10"]), abs=5e-5)
    assert scored[ir_measures.RR] == pytest.approx(float(printed["recip_rank"]), abs=5e-5)


def recalls(qrels: Path, run: Path, k: int) -> dict[str, float]:
    """Our recall@k of each query that has a relevant document."""
    relevant: dict[str, set[str]] = {}
    for row in rows_of(read_qrels(qrels)):
        relevant.setdefault(row.query_id, set()).update({row.document_id} if row.grade else ())
    answers = {one.query_id: one.document_ids for one in ranked(run)}
    return dict(per_query(answers, relevant, lambda found, judged: recall_at(found, judged, k=k)).scores)


@pytest.mark.parametrize(
    ("qrels", "run"),
    [("nist-qrels.test", "nist-results.test"), ("cacm-qrels.txt", "cacm-bm25-run.txt")],
)
def test_recall_of_real_runs_is_what_ir_measures_finds(shared: Path, tmp_path: Path, qrels: str, run: str) -> None:
    folder = shared / "data" / "trec-samples"
    judged = list(ir_measures.read_trec_qrels(str(folder / qrels)))  # type: ignore[no-untyped-call]  # no types
    rows = trec_eval_rows(written(tmp_path, "r", exported(ranked(folder / run))))
    for k in (10, 50, 200):
        theirs = {each.query_id: each.value for each in ir_measures.iter_calc([ir_measures.R @ k], judged, rows)}
        assert recalls(folder / qrels, folder / run, k) == pytest.approx(theirs, abs=1e-9)


def test_recall_of_a_real_run_is_what_trec_eval_printed(shared: Path) -> None:
    folder = shared / "data" / "trec-samples"
    printed = [line.split() for line in (folder / "nist-out.test.a").read_text().splitlines()]
    theirs = {int(name.removeprefix("recall_")): float(figure) for name, _, figure in printed if name[:7] == "recall_"}
    assert 200 in theirs
    for k, figure in theirs.items():
        found = recalls(folder / "nist-qrels.test", folder / "nist-results.test", k)
        assert sum(found.values()) / len(found) == pytest.approx(figure, abs=5e-5)
