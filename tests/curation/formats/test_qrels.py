import io
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.formats.faults import FileRefused, WriteRefused
from curation.formats.grades import grade_mapping
from curation.formats.qrels import QrelRow, graded, read_qrels, write_qrels

from .reads import CASES, faults_of, notices_of, rows_of, written

Form = Literal["trec", "beir", "jsonl"]


def exported(rows: list[QrelRow], form: Form) -> str:
    out = io.StringIO(newline="")
    write_qrels(out, rows, form=form)
    return out.getvalue()


def test_c04_cannot_judge_is_a_value_of_its_own_and_never_0() -> None:
    assert [row.grade for row in rows_of(read_qrels(CASES / "c04-judgments.jsonl"))] == [0, 3, None]


def test_c04_a_qrels_line_says_how_it_was_settled() -> None:
    row = QrelRow(0, "q1", "d1", "", 2, "", "adjudicated")
    assert exported([row], "trec") == "q1 adjudicated d1 2\n"
    assert exported([row], "jsonl") == '{"query_id": "q1", "doc_id": "d1", "grade": 2, "origin": "adjudicated"}\n'


def test_c14_ids_survive_import_and_export_byte_for_byte() -> None:
    path = CASES / "c14-qrels.tsv"
    rows = rows_of(read_qrels(path))
    assert [row.document_id for row in rows] == ["msg_12#3", "urn:claim:7/a", "#start"]
    assert exported(rows, "beir").encode() == path.read_bytes()


def test_c17_a_bad_reference_can_be_named_by_its_line() -> None:
    assert [(row.line, row.query_id, row.document_id) for row in rows_of(read_qrels(CASES / "c17-qrels.tsv"))] == [
        (2, "q1", "d1"),
        (3, "q1", "d9"),
        (4, "q7", "d2"),
    ]


def test_c53_quotes_in_a_tsv_are_text() -> None:
    rows = rows_of(read_qrels(CASES / "c53-qrels-notes.tsv"))
    assert [(row.document_id, row.grade) for row in rows] == [("d1", 2), ("d2", 1), ("d3", 0), ("d4", 3), ("d5", 0)]


def test_c54_007_and_7_are_two_documents() -> None:
    rows = rows_of(read_qrels(CASES / "c54-qrels.tsv"))
    assert [row.document_id for row in rows] == ["007", "7"]
    assert exported(rows, "beir").encode() == (CASES / "c54-qrels.tsv").read_bytes()


def test_trec_columns_are_split_at_any_gap_and_nowhere_inside_an_id(tmp_path: Path) -> None:
    path = written(tmp_path, "qrels.txt", " q1  0\td\u00a01 \t 2\r\n\r\nq\u20282\t0   #d2 -1\n")
    rows = rows_of(read_qrels(path))
    assert [(row.line, row.query_id, row.document_id, row.grade, row.score) for row in rows] == [
        (1, "q1", "d\u00a01", 2, "2"),
        (3, "q\u20282", "#d2", None, "-1"),
    ]


def test_a_trec_line_with_a_column_too_few_is_refused_by_line(tmp_path: Path) -> None:
    (fault,) = faults_of(read_qrels(written(tmp_path, "q", "q1 0 d1 1\nq2 0 d1\n")))
    assert (fault.line, fault.id, fault.reason) == (2, "q2", "The line has 3 columns, which is no TREC form.")


@pytest.mark.parametrize(
    "content",
    ["Query ID\tDocID\trel\nq1\td1\t2\n", "qid,docno,relevance\r\nq1,d1,2\r\n", "topic\tcorpus-id\tscore\nq1\td1\t2"],
)
def test_a_header_is_recognised_under_the_usual_names(tmp_path: Path, content: str) -> None:
    (row,) = rows_of(read_qrels(written(tmp_path, "q", content)))
    assert (row.line, row.query_id, row.document_id, row.grade) == (2, "q1", "d1", 2)


def test_a_canonical_column_is_kept_apart_from_a_document_column(tmp_path: Path) -> None:
    path = written(tmp_path, "q.csv", "query_id,canonical_id,doc_id,grade\nq1,c,d,1\nq1,c2,,1\nq1,,,1\n")
    read = list(read_qrels(path))
    assert [(row.document_id, row.canonical_id) for row in rows_of(read[:2])] == [("d", "c"), ("", "c2")]
    assert [(fault.line, fault.reason) for fault in faults_of(read)] == [
        (4, "The row names neither a document nor a canonical id.")
    ]


@pytest.mark.parametrize(
    ("score", "reason"),
    [
        ("4", "The grade 4 is above 3. Map it, such as 4=3 (--map-grade)."),
        ("0.5", "The grade 0.5 is not a whole number. Grades are 0 to 3, or cannot judge."),
        ("1_0", "The grade 1_0 is not a whole number. Grades are 0 to 3, or cannot judge."),
        ("٣", "The grade ٣ is not a whole number. Grades are 0 to 3, or cannot judge."),
        ("yes", "The grade yes is not a whole number. Grades are 0 to 3, or cannot judge."),
        ("", "The row has no grade. Write 0 to 3, or cannot judge."),
    ],
)
def test_a_grade_that_is_none_is_refused_by_line_and_id(tmp_path: Path, score: str, reason: str) -> None:
    path = written(tmp_path, "q.tsv", f"query-id\tcorpus-id\tscore\nq1\td1\t{score}\n")
    (fault,) = faults_of(read_qrels(path))
    assert (fault.line, fault.id, fault.reason) == (2, "q1", reason)


@pytest.mark.parametrize("score", ["-1", "-2", "cannot judge", "Cannot_Judge", "can't tell"])
def test_what_no_judge_could_tell_is_never_0(tmp_path: Path, score: str) -> None:
    path = written(tmp_path, "q.tsv", f"query-id\tcorpus-id\tscore\nq1\td1\t{score}\n")
    assert [(row.grade, row.score) for row in rows_of(read_qrels(path))] == [(None, score)]


def test_a_whole_number_written_as_a_decimal_is_read_with_one_notice(tmp_path: Path) -> None:
    path = written(tmp_path, "q.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1.0\nq2\td1\t2.00\n")
    read = list(read_qrels(path))
    assert [(row.grade, row.score) for row in rows_of(read)] == [(1, "1.0"), (2, "2.00")]
    assert [(notice.line, notice.id, notice.text) for notice in notices_of(read)] == [
        (2, "q1", "In 2 rows, a grade written as a decimal, such as 1.0, was read as a whole number.")
    ]


def test_grades_are_mapped_before_they_are_checked(tmp_path: Path) -> None:
    path = written(tmp_path, "q", "q1 0 d1 4\nq1 0 d2 1\n")
    assert [row.grade for row in rows_of(read_qrels(path, grades=grade_mapping(["4=3"])))] == [3, 1]


@pytest.mark.parametrize("word", ["4", "=3", "a=3", "4=4", "4=-1", "-1=0", "4=3.0"])
def test_a_grade_mapping_that_leads_nowhere_is_refused(word: str) -> None:
    with pytest.raises(FileRefused, match="--map-grade"):
        grade_mapping([word])


def test_a_grade_is_mapped_once() -> None:
    with pytest.raises(FileRefused, match="--map-grade names 4 twice"):
        grade_mapping(["4=3", "4=2"])


def test_a_binary_file_means_3_where_it_says_1_and_keeps_its_score(tmp_path: Path) -> None:
    rows = rows_of(read_qrels(written(tmp_path, "q", "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 -1\n")))
    assert [(row.grade, row.score) for row in graded(rows)] == [(3, "1"), (0, "0"), (None, "-1")]
    assert exported(graded(rows), "trec") == "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 -1\n"


@pytest.mark.parametrize("highest", ["0", "2", "3", "-1"])
def test_a_file_with_another_highest_grade_is_taken_as_it_is(tmp_path: Path, highest: str) -> None:
    rows = rows_of(read_qrels(written(tmp_path, "q", f"q1 0 d1 0\nq1 0 d2 {highest}\n")))
    assert graded(rows) == rows


def test_a_run_is_not_taken_for_qrels() -> None:
    with pytest.raises(FileRefused, match="looks like a TREC run"):
        list(read_qrels(CASES / "c14-other-topics.run"))


def test_all_splits_of_a_beir_folder_are_read_and_faults_name_theirs(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    written(tmp_path, "corpus.jsonl", "{}")
    for name, grade in [("dev.tsv", "1"), ("test.tsv", "9")]:
        written(tmp_path / "qrels", name, f"query-id\tcorpus-id\tscore\nq1\td1\t{grade}\n")
    read = list(read_qrels(tmp_path))
    assert [row.grade for row in rows_of(read[:1])] == [1]
    assert [(fault.line, fault.reason[:30]) for fault in faults_of(read)] == [(2, "qrels/test.tsv: The grade 9 is")]


@pytest.mark.parametrize(
    ("query_id", "document_id", "origin"), [("q 1", "d", "0"), ("q", "d\u00a01", "0"), ("q", "d", "a b")]
)
def test_an_id_with_white_space_is_refused_for_trec_before_a_byte_is_written(
    *, query_id: str, document_id: str, origin: str
) -> None:
    out = io.StringIO()
    with pytest.raises(WriteRefused, match="Export JSONL instead"):
        write_qrels(
            out, [QrelRow(0, "q", "d", "", 1, ""), QrelRow(0, query_id, document_id, "", 1, "", origin)], form="trec"
        )
    assert out.getvalue() == ""


def test_the_refusal_lists_the_ids_and_counts_the_rest() -> None:
    rows = [QrelRow(0, f"q {number:02}", "d", "", 1, "") for number in range(52)]
    with pytest.raises(WriteRefused, match=r"these ids hold: 'q 00', 'q 01', .*'q 49' and 2 more\. Export JSONL"):
        exported(rows, "beir")


IDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=5)


NAMES: dict[Form, str] = {"trec": "q.qrels", "beir": "q.tsv", "jsonl": "q.jsonl"}


@given(
    triples=st.lists(st.tuples(IDS, IDS, st.integers(0, 3) | st.none()), min_size=1, max_size=4),
    form=st.sampled_from(["trec", "beir", "jsonl"]),
)
def test_any_qrels_come_back_and_go_out_again_with_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, triples: list[tuple[str, str, int | None]], form: Form
) -> None:
    rows = [QrelRow(0, query_id, document_id, "", grade, "") for query_id, document_id, grade in triples]
    text = exported(rows, form)
    again = rows_of(read_qrels(written(tmp_path_factory.mktemp("any"), NAMES[form], text)))
    assert [(row.query_id, row.document_id, row.grade) for row in again] == triples
    assert exported(again, form) == text


@pytest.mark.parametrize(
    ("name", "count", "relevant"),
    [
        ("trec-samples/nist-qrels.test", 3681, 561),
        ("trec-samples/cacm-qrels.txt", 796, 796),
        ("electronics-keywords/qrels.tsv", 3188, 1426 + 93 + 198),
        ("faq-locales/qrels.tsv", 1287, 1287),
        ("us-consumer-rules/qrels.tsv", 181, 45),
        ("xquad-locales/qrels.tsv", 6186, 6186),
        ("xquad-locales", 6186, 6186),
    ],
)
def test_real_qrels_are_read_whole_and_come_out_with_the_same_bytes(
    shared: Path, *, name: str, count: int, relevant: int
) -> None:
    path = shared / "data" / name
    rows = rows_of(read_qrels(path))
    assert (len(rows), sum(1 for row in rows if row.grade)) == (count, relevant)
    if path.is_file():
        assert exported(rows, "beir" if name.endswith("tsv") else "trec").encode() == path.read_bytes()


def test_real_qrels_above_3_are_refused_by_line_or_mapped(shared: Path) -> None:
    path = shared / "data" / "trec-samples" / "nist-qrels.rel_level"
    assert [(fault.line, fault.id) for fault in faults_of(read_qrels(path))][:2] == [(19, "301"), (22, "301")]
    rows = rows_of(read_qrels(path, grades={4: 3}))
    assert [sum(1 for row in rows if row.grade == grade) for grade in (0, 1, 2, 3, None)] == [2818, 462, 14, 83, 304]
