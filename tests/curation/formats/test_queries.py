import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from curation.formats.faults import WriteRefused
from curation.formats.queries import QueryRow, read_queries, write_queries
from curation.formats.tables import Reading

from .reads import CASES, faults_of, rows_of, written


def test_c46_the_text_of_a_query_stays_as_given() -> None:
    first, second, _ = rows_of(read_queries(CASES / "c46-queries.jsonl"))
    assert (first.text == second.text, len(first.text), len(second.text)) == (False, 13, 16)


def test_c50_language_tags_are_carried_as_written() -> None:
    rows = rows_of(read_queries(CASES / "c50-queries.csv"))
    assert [row.language for row in rows[:4]] == ["tr", "TR", "tr_TR", "tr-TR"]
    assert [(row.line, row.language) for row in rows[10:]] == [(12, "sr"), (13, "xx-nope-")]


def test_c51_a_byte_order_mark_does_not_hide_the_first_query() -> None:
    (row,) = rows_of(read_queries(CASES / "c51-queries.jsonl"))
    assert (row.external_id, row.language, row.text) == ("q1", "de", "Größe")


def test_c54_the_word_none_is_a_query() -> None:
    assert [row.text for row in rows_of(read_queries(CASES / "c54-queries.csv"))] == ["None", "nan bread insurance"]


def test_all_fields_of_a_query_are_found_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "q.tsv",
        "query_id\tinformation_need_id\tinformation_need\ttext\tlocale\tscript\tquery_type\tslice\t"
        "gold_canonical_id\tgold_doc_id\torigin\n"
        'q1\tn1\tHow do I file\t"hasar\ttr-TR\tLatn\tquestion\tkeyword\tg\tg-tr\telif\n',
    )
    (row,) = rows_of(read_queries(path))
    assert (row.external_id, row.need_id, row.need_text, row.text) == ("q1", "n1", "How do I file", '"hasar')
    assert (row.language, row.script, row.query_type, row.slice) == ("tr-TR", "Latn", "question", "keyword")
    assert (row.gold_canonical_id, row.gold_document_id, row.extra) == ("g", "g-tr", {"origin": "elif"})


def test_what_cannot_be_searched_for_is_refused_by_line_and_id(tmp_path: Path) -> None:
    path = written(tmp_path, "q.csv", "id,text\nq1,a\nq2, \nq3,🛳️🛳️\nq4,a\u202eb\nq5,\u200fهل؟\nq6,404\n")
    told = [(fault.line, fault.id, fault.reason.split(".")[0].split(",")[0]) for fault in faults_of(read_queries(path))]
    assert told == [
        (3, "q2", "The query is empty"),
        (4, "q3", "The query has no letter and no digit"),
        (5, "q4", "The query holds the character U+202E"),
    ]


def test_a_number_as_a_query_is_refused_because_it_would_not_stay_as_written(tmp_path: Path) -> None:
    path = written(tmp_path, "q.jsonl", '{"id": "q1", "text": 1.50}')
    (fault,) = faults_of(read_queries(path))
    assert fault.reason == "The field text is not text; put it in quotes so that it stays as written."


@pytest.mark.parametrize(
    ("folder", "count", "needs"),
    [
        ("electronics-keywords", 135, 135),
        ("faq-locales", 1287, 46),
        ("us-consumer-rules", 45, 45),
        ("xquad-locales", 6186, 477),
    ],
)
def test_real_queries_are_read_whole(shared: Path, *, folder: str, count: int, needs: int) -> None:
    rows = rows_of(read_queries(shared / "data" / folder / "queries.jsonl"))
    assert (len(rows), len({row.need_id for row in rows})) == (count, needs)


def exported(rows: list[QueryRow], form: Literal["jsonl", "beir", "trec"]) -> str:
    out = io.StringIO(newline="")
    write_queries(out, rows, form=form)
    return out.getvalue()


@pytest.mark.parametrize("form", ["jsonl", "beir"])
@pytest.mark.parametrize("case", ["c46-queries.jsonl", "c51-queries.jsonl", "c54-queries.csv", "c56-queries.jsonl"])
def test_queries_come_back_equal_and_go_out_again_with_the_same_bytes(
    tmp_path: Path, *, case: str, form: Literal["jsonl", "beir"]
) -> None:
    rows = rows_of(read_queries(CASES / case))
    text = exported(rows, form)
    again = rows_of(read_queries(written(tmp_path, "again.jsonl", text)))
    assert [replace(row, line=0) for row in again] == [replace(row, line=0) for row in rows]
    assert exported(again, form) == text


def test_a_column_with_the_name_of_a_field_is_not_lost_on_the_way_out(tmp_path: Path) -> None:
    path = written(tmp_path, "q.csv", "query_id,text,wording\nq1,note,hasar\n")
    rows = rows_of(read_queries(path, Reading(columns={"text": "wording"})))
    assert exported(rows, "jsonl") == '{"query_id": "q1", "text": "hasar", "text_": "note"}\n'


def test_topics_are_an_id_a_tab_and_a_text() -> None:
    rows = rows_of(read_queries(CASES / "c51-queries.jsonl"))
    assert exported(rows, "trec") == "q1\tGröße\n"


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\u2028b", "a\n"])
def test_a_text_that_breaks_its_line_is_refused_for_topics(tmp_path: Path, text: str) -> None:
    rows = rows_of(read_queries(written(tmp_path, "q.jsonl", json.dumps({"id": "q1", "text": text}))))
    with pytest.raises(WriteRefused, match=r"these texts hold a tab or a line break: 'q1'\. Export JSONL instead"):
        exported(rows, "trec")
