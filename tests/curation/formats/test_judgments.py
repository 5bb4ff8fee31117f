import datetime as dt
import io
import json
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest

from curation.formats.faults import FileRefused, WriteRefused
from curation.formats.judgments import JudgmentRow, read_judgments, write_judgments

from .reads import CASES, faults_of, notices_of, rows_of, written


def exported(rows: list[JudgmentRow], form: Literal["trec", "beir", "jsonl"] = "jsonl") -> str:
    out = io.StringIO(newline="")
    write_judgments(out, rows, form=form)
    return out.getvalue()


def read_lines(folder: Path, *objects: dict[str, object]) -> list[JudgmentRow]:
    content = "\n".join(json.dumps(one) for one in objects)
    return rows_of(read_judgments(written(folder, "j.jsonl", content)))


def test_c04_each_judge_keeps_their_own_grade_and_cannot_judge_is_none_of_them() -> None:
    rows = rows_of(read_judgments(CASES / "c04-judgments.jsonl"))
    assert [(row.judge, row.state, row.grade, row.note) for row in rows] == [
        ("a", "graded", 0, ""),
        ("b", "graded", 3, ""),
        ("c", "cannot_judge", None, "page is cut off"),
    ]
    assert exported(rows, "trec") == "q1 a d001 0\nq1 b d001 3\nq1 c d001 -1\n"
    assert [json.loads(line)["grade"] for line in exported(rows).splitlines()] == [0, 3, None]


def test_c09_thirty_pairs_of_ten_queries_are_read() -> None:
    rows = rows_of(read_judgments(CASES / "c09-judgments.tsv"))
    assert (len(rows), len({row.query_id for row in rows}), {row.judge for row in rows}) == (30, 10, {"a"})
    assert rows[0].extra == {"stratum": "tr/natural_language"}


def test_c12_a_second_export_has_the_bytes_of_the_first(tmp_path: Path) -> None:
    rows = rows_of(read_judgments(CASES / "c12-judgments.jsonl"))
    assert [(row.judge, row.grade, row.note) for row in rows] == [
        ("ayse", 3, 'line one\nline two, with "quotes"'),
        ("ayse", 0, ""),
        ("bora", 2, ""),
        ("bora", 1, "=not a formula"),
    ]
    assert rows[1].at == dt.datetime(2026, 3, 4, 9, 0, 5, tzinfo=dt.UTC)
    first = exported(rows)
    again = rows_of(read_judgments(written(tmp_path, "j.jsonl", first)))
    assert again == rows
    assert exported(again) == first


def test_c12_a_line_of_our_own_shape_comes_out_with_its_bytes() -> None:
    rows = rows_of(read_judgments(CASES / "c12-judgments.jsonl"))
    original = (CASES / "c12-judgments.jsonl").read_text(encoding="utf-8").splitlines()
    assert exported(rows).splitlines()[:2] == original[:2]


def test_swept_and_unseen_stay_what_they_are(tmp_path: Path) -> None:
    pair: dict[str, object] = {"query_id": "q", "judge": "a"}
    rows = read_lines(tmp_path, pair | {"doc_id": "d1", "state": "swept"}, pair | {"doc_id": "d2", "state": "UNSEEN"})
    assert [(row.state, row.grade) for row in rows] == [("swept", None), ("unseen", None)]
    assert read_lines(tmp_path, *map(json.loads, exported(rows).splitlines())) == rows
    assert exported(rows, "beir") == "query-id\tcorpus-id\tscore\tjudge\nq\td1\t0\ta\n"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"state": "swept", "grade": 2}, "The row is swept and has a grade; only one of the two can be."),
        ({"state": "lost"}, "The state lost is not one of cannot_judge, graded, swept, unseen."),
        ({}, "The row has no grade. Write 0 to 3, or cannot judge."),
        ({"grade": 1, "at": "yesterday"}, "The time yesterday is not of the form 2026-03-04T09:00:00Z."),
        ({"grade": 1, "at": "0001-01-01T00:00:00+14:00"}, "The time 0001-01-01T00:00:00+14:00 is not of the form"),
        ({"grade": 1, "judge": " "}, "The row does not say who judged."),
        ({"grade": 1, "text_sha256": "f" * 65}, "The fingerprint of the text has 65 characters; SHA-256 has 64."),
        ({"grade": f"2.{'0' * 40}"}, "The grade has 42 characters; at most 40 are kept."),
        ({"grade": 1, "cannot_judge": "perhaps"}, "The field cannot_judge holds perhaps; write true or false."),
    ],
)
def test_a_row_that_contradicts_itself_or_cannot_be_kept_is_refused(
    tmp_path: Path, more: dict[str, object], reason: str
) -> None:
    line = json.dumps({"query_id": "q", "doc_id": "d", "judge": "a"} | more)
    (fault,) = faults_of(read_judgments(written(tmp_path, "j.jsonl", line)))
    assert (fault.line, fault.id, fault.reason[: len(reason)]) == (1, "q", reason)


def test_times_are_brought_to_utc_and_one_without_a_zone_is_told(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "j.csv",
        "query_id,doc_id,judge,grade,time\nq,d1,a,1,2026-03-04T10:00:00+01:00\nq,d2,a,1,2026-03-04 09:00\n",
    )
    read = list(read_judgments(path))
    assert [row.at for row in rows_of(read)] == [dt.datetime(2026, 3, 4, 9, tzinfo=dt.UTC)] * 2
    assert [(notice.line, notice.text) for notice in notices_of(read)] == [
        (3, "In 1 row, a time without a zone was read as UTC.")
    ]


def test_a_file_that_names_no_judge_needs_one_given() -> None:
    with pytest.raises(FileRefused, match=r"no column for judge \(judge \| rater \| assessor"):
        list(read_judgments(CASES / "c19-judgments.tsv"))
    assert {row.judge for row in rows_of(read_judgments(CASES / "c19-judgments.tsv", judge="ayse"))} == {"ayse"}


def test_the_fingerprint_of_the_judged_text_and_other_columns_are_kept(tmp_path: Path) -> None:
    line: dict[str, object] = {
        "query_id": "q",
        "canonical_id": "c",
        "judge": "a",
        "grade": 1,
        "text_sha256": "ab",
        "tool": "x",
    }
    rows = read_lines(tmp_path, line)
    assert (rows[0].canonical_id, rows[0].document_id, rows[0].text_sha256) == ("c", "", "ab")
    assert json.loads(exported(rows)) == line | {"at": None, "note": ""}


def test_a_judge_with_a_space_cannot_stand_in_a_trec_column(tmp_path: Path) -> None:
    rows = read_lines(tmp_path, {"query_id": "q", "doc_id": "d", "judge": "Ayse B", "grade": 1})
    with pytest.raises(WriteRefused, match="'Ayse B'"):
        exported(rows, "trec")


def test_real_ratings_are_read_whole(shared: Path) -> None:
    rows = rows_of(read_judgments(shared / "data" / "electronics-keywords" / "ratings.csv"))
    assert (len(rows), Counter(row.grade for row in rows)) == (9564, {0: 4623, 1: 276, 2: 445, 3: 4220})
    assert {row.judge for row in rows} == {"rater1", "rater2", "rater3"}
