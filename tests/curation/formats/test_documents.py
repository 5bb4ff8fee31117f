import json
from pathlib import Path

import pytest

from curation.formats.documents import read_documents
from curation.formats.faults import FileRefused
from curation.formats.ids import IdForms
from curation.formats.tables import Reading

from .reads import CASES, faults_of, notices_of, rows_of, written


def test_c46_two_ids_that_differ_only_by_form_are_refused() -> None:
    (fault,) = faults_of(read_documents(CASES / "c46-corpus.jsonl"))
    assert (fault.line, fault.id) == (2, "d-cafe\u0301")
    assert "U+0301 against U+00E9" in fault.reason


def test_c46_an_id_that_differs_by_form_from_a_known_one_is_refused() -> None:
    known = IdForms(["d-cafe\u0301"])
    (fault,) = faults_of(read_documents(CASES / "c46-corpus.jsonl", ids=known))
    assert (fault.line, fault.id) == (1, "d-caf\u00e9")


def test_c51_the_mark_at_the_start_goes_and_the_mark_in_a_text_stays() -> None:
    read = list(read_documents(CASES / "c51-corpus.csv"))
    assert [(row.external_id, row.text) for row in rows_of(read)] == [("d1", "Größe"), ("d2", "\ufeffkeep me")]
    assert [(notice.line, notice.text) for notice in notices_of(read)] == [
        (1, "The file began with a byte order mark, which was dropped.")
    ]


def test_c52_only_line_feeds_end_a_line_of_jsonl() -> None:
    rows = rows_of(read_documents(CASES / "c52-corpus.jsonl"))
    assert [row.text for row in rows] == ["a\u2028b", "a\u2029b", "a\u0085b", "tab\x0bhere", "no line end"]
    assert [row.line for row in rows] == [1, 2, 3, 4, 5]


def test_c52_a_fault_after_such_characters_has_the_line_an_editor_shows(tmp_path: Path) -> None:
    path = written(tmp_path, "x.jsonl", (CASES / "c52-corpus.jsonl").read_bytes() + b"\n\n{oops}\n")
    assert [fault.line for fault in faults_of(read_documents(path))] == [7]


def test_c53_a_quoted_line_break_is_kept() -> None:
    rows = rows_of(read_documents(CASES / "c53-corpus.csv"))
    assert [(row.line, row.text) for row in rows] == [(2, "two\nlines, and a comma"), (4, "plain")]


def test_c53_an_unclosed_quote_is_refused_with_the_line_where_it_opened() -> None:
    with pytest.raises(FileRefused, match="opens on line 3 is never closed") as refusal:
        list(read_documents(CASES / "c53-unclosed.csv"))
    assert refusal.value.fault.line == 3


def test_c54_ids_and_texts_of_a_csv_stay_as_written() -> None:
    rows = rows_of(read_documents(CASES / "c54-corpus.csv"))
    assert [row.external_id for row in rows] == ["NA", "null", "007", "1e3", "TRUE", "12345678901234567890", "3.0"]


def test_c74_a_broken_line_is_named_by_the_id_that_can_still_be_seen() -> None:
    (fault,) = faults_of(read_documents(CASES / "c74-bad-line.jsonl"))
    assert (fault.line, fault.id) == (1, "d6")


def test_every_field_no_one_asked_for_is_kept_as_metadata(tmp_path: Path) -> None:
    row = {"_id": "a", "text": "t", "lang": "de", "locale": "tr", "brand": "X", "n": 3, "tags": ["p", {"q": None}]}
    (read,) = rows_of(read_documents(written(tmp_path, "c.jsonl", json.dumps(row))))
    assert read.language == "tr"
    assert read.metadata == {"lang": "de", "brand": "X", "n": 3, "tags": ["p", {"q": None}]}


def test_an_empty_locale_leaves_the_word_to_the_language_column(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "id,text,locale,language\na,t,,de\n")
    assert [row.language for row in rows_of(read_documents(path))] == ["de"]


def test_facts_are_taken_as_written_under_either_name(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "text": "t", "effective_from": "2014-01-10", "limit_amount": 500, "jurisdiction": "AT"},
        {"id": "b", "text": "t", "effective_date": "2015", "effective_from": "2013", "limit_amount": "EUR 1.20"},
    ]
    path = written(tmp_path, "c.jsonl", "\n".join(json.dumps(line) for line in lines))
    first, second = rows_of(read_documents(path))
    assert first.facts == {"effective_date": "2014-01-10", "limit_amount": "500", "jurisdiction": "AT"}
    assert second.facts == {"effective_date": "2015", "limit_amount": "EUR 1.20"}
    assert second.metadata == {"effective_from": "2013"}


def test_a_document_without_canonical_id_is_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "id,canonical_id,text\na,,t\nb,x,t\n")
    assert [row.canonical_id for row in rows_of(read_documents(path))] == ["a", "x"]


def test_a_title_is_enough_and_nothing_that_can_be_seen_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "id,title,text\na,T,\nb,,x\nc, , \nd,,\u200b\u00ad\ne,,💥\n")
    read = list(read_documents(path))
    assert [(fault.line, fault.id, fault.reason) for fault in faults_of(read)] == [
        (4, "c", "The document has neither a title nor a text."),
        (5, "d", "The document has neither a title nor a text."),
    ]
    assert len(read) == 5


@pytest.mark.parametrize(("cell", "flag"), [("true", True), ("Yes", True), ("1", True), ("no", False), ("", False)])
def test_is_source_is_read_in_the_usual_words(tmp_path: Path, cell: str, flag: bool) -> None:
    path = written(tmp_path, "c.csv", f"id,text,is_source\na,t,{cell}\n")
    assert [row.is_source for row in rows_of(read_documents(path))] == [flag]


def test_is_source_in_other_words_is_refused(tmp_path: Path) -> None:
    (fault,) = faults_of(read_documents(written(tmp_path, "c.csv", "id,text,is_source\na,t,maybe\n")))
    assert fault.reason == "The field is_source holds maybe; write true or false."


@pytest.mark.parametrize(("written_id", "kept"), [("7", "7"), ("12345678901234567890123", "12345678901234567890123")])
def test_a_whole_number_as_a_json_id_is_kept_as_its_digits(tmp_path: Path, written_id: str, kept: str) -> None:
    path = written(tmp_path, "c.jsonl", f'{{"id": {written_id}, "text": "t"}}')
    assert [row.external_id for row in rows_of(read_documents(path))] == [kept]


@pytest.mark.parametrize("written_id", ["3.0", "1e3", "true", "[1]", "{}"])
def test_any_other_json_value_as_an_id_is_refused(tmp_path: Path, written_id: str) -> None:
    path = written(tmp_path, "c.jsonl", f'{{"id": {written_id}, "text": "t"}}')
    (fault,) = faults_of(read_documents(path))
    assert "put it in quotes" in fault.reason


@pytest.mark.parametrize("written_id", ["null", '""', '" "', '"a\\nb"', '"a\\tb"', f'"{"x" * 501}"'])
def test_an_id_that_no_line_format_can_carry_is_refused(tmp_path: Path, written_id: str) -> None:
    path = written(tmp_path, "c.jsonl", f'{{"id": {written_id}, "text": "t"}}')
    assert len(faults_of(read_documents(path))) == 1


def test_vectors_beside_the_texts_are_left_for_their_own_import() -> None:
    read = list(read_documents(CASES / "c21-corpus.jsonl"))
    assert "vector" not in rows_of(read)[0].metadata
    assert [notice.text for notice in notices_of(read)] == [
        "In 7 rows, the field vector was passed over, because vectors are imported on their own."
    ]


def test_a_column_is_mapped_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "Nummer,id,inhalt\nn1,x,Hallo\n")
    (row,) = rows_of(read_documents(path, Reading(columns={"doc_id": "Nummer", "text": "inhalt"})))
    assert (row.external_id, row.text, row.metadata) == ("n1", "Hallo", {"id": "x"})


def test_a_mapping_to_a_column_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "c.jsonl", '{"id": "a", "text": "t"}')
    with pytest.raises(FileRefused, match="No row has the column titel, which was named for title"):
        list(read_documents(path, Reading(columns={"title": "titel"})))


def test_a_mapping_of_a_field_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "c.jsonl", '{"id": "a", "text": "t"}')
    with pytest.raises(FileRefused, match="There is no field colour"):
        list(read_documents(path, Reading(columns={"colour": "x"})))


def test_a_missing_column_is_the_files_fault_and_names_the_way_out(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "nr,text\n1,t\n")
    with pytest.raises(FileRefused, match=r"no column for doc_id .* columns are nr, text\. .*say doc_id=COLUMN there"):
        list(read_documents(path))


def test_column_names_may_vary_in_case_and_space(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "Doc ID,TEXT, Canonical-Id \na,t,c\n")
    (row,) = rows_of(read_documents(path))
    assert (row.external_id, row.text, row.canonical_id) == ("a", "t", "c")


def test_only_the_rows_asked_for_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "id,lang,text\na,en,t\nb,de,t\nc,en,t\n")
    read = list(read_documents(path, Reading(where={"lang": "en"})))
    assert [row.external_id for row in rows_of(read)] == ["a", "c"]
    assert [notice.text for notice in notices_of(read)] == ["2 of 3 rows have lang = en; the others were left out."]


def test_a_condition_that_no_row_meets_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "id,lang,text\na,en,t\n")
    with pytest.raises(FileRefused, match="None of the 1 rows has lang = tr"):
        list(read_documents(path, Reading(where={"lang": "tr"})))


@pytest.mark.parametrize(
    ("folder", "count"),
    [
        ("covid-query-log", 88),
        ("electronics-keywords", 2349),
        ("faq-locales", 1287),
        ("us-consumer-rules", 2400),
        ("xquad-locales", 2880),
    ],
)
def test_real_corpora_are_read_whole(shared: Path, folder: str, count: int) -> None:
    rows = rows_of(read_documents(shared / "data" / folder / "corpus.jsonl"))
    assert len({row.external_id for row in rows}) == count == len(rows)
