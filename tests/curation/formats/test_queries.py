from pathlib import Path

import pytest

from curation.formats.queries import read_queries

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


def test_an_empty_query_is_refused_by_line_and_id(tmp_path: Path) -> None:
    path = written(tmp_path, "q.csv", "id,text\nq1,a\nq2, \n")
    (fault,) = faults_of(read_queries(path))
    assert (fault.line, fault.id, fault.reason) == (3, "q2", "The query is empty.")


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
