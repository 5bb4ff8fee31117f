import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.formats.delimited import Row, csv_rows, tsv_rows
from curation.formats.documents import read_documents
from curation.formats.faults import Fault, FileRefused
from curation.formats.lines import Line
from curation.formats.opening import Limits
from curation.formats.tables import Reading

from .reads import faults_of, rows_of, written


def lines(text: str) -> "list[Line | Fault]":
    split = text.split("\n")
    return [Line(number, line) for number, line in enumerate(split, 1) if number < len(split) or line]


def parsed(text: str) -> list[list[str]]:
    return [row.fields for row in csv_rows(iter(lines(text)), most=10_000) if isinstance(row, Row)]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("a,b", [["a", "b"]]),
        ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
        ('"a,1","b ""x"""', [["a,1", 'b "x"']]),
        ('"",""', [["", ""]]),
        ('""', [[""]]),
        (",,", [["", "", ""]]),
        ('"a",', [["a", ""]]),
        (',"a"\r\n', [["", "a"]]),
        ('"a\r\n\r\nb",c\r\n', [["a\r\n\r\nb", "c"]]),
        ('"a\n""\n""b",c', [['a\n"\n"b', "c"]]),
        ('19" rack,5\'10"', [['19" rack', "5'10\""]]),
        ('a, "b,c"', [["a", ' "b', 'c"']]),
        ("\n\na\n\nb\n", [["a"], ["b"]]),
    ],
)
def test_csv_is_read_as_rfc_4180_says(text: str, fields: list[list[str]]) -> None:
    assert parsed(text) == fields


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_any_csv_that_python_writes_is_read_back(rows: list[list[str]], end: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=end).writerows(rows)
    assert parsed(out.getvalue()) == rows


def test_text_after_a_closing_quote_is_refused_and_reading_goes_on(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", 'id,text\na,"x"y\nb,z\n')
    read = list(read_documents(path))
    assert [(fault.line, fault.reason[:35]) for fault in faults_of(read)] == [
        (2, "Text stands after a closing quote; ")
    ]
    assert len(read) == 2


def test_a_quote_that_stays_open_past_the_line_limit_counts_as_never_closed(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", 'id,text\na,"open\n' + "x,y\n" * 1000 + '"\n')
    with pytest.raises(FileRefused, match="The quote that opens on line 2 is never closed"):
        list(read_documents(path, Reading(limits=Limits(line=500))))


def test_a_row_with_too_few_or_too_many_fields_is_refused_with_both_counts(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "id,text\na\nb,t\nc,t,u\n")
    assert [(fault.line, fault.reason) for fault in faults_of(read_documents(path))] == [
        (2, "The row has 1 fields and the header names 2."),
        (4, "The row has 3 fields and the header names 2."),
    ]


def test_a_nul_character_is_refused_by_line(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", 'id,text\na,"x\n\0"\nb,t\n')
    (fault,) = faults_of(read_documents(path))
    assert (fault.line, fault.reason) == (2, "The row holds a NUL character, which no text can keep; remove it.")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("id;text", "The columns are separated by semicolons"),
        ("id,text,", "Column 3 of the header has no name."),
        ("id,text,id", "The column id stands twice in the header."),
        ("id,text,a\0b", "The row holds a NUL character"),
    ],
)
def test_a_header_that_cannot_name_columns_is_refused(tmp_path: Path, header: str, reason: str) -> None:
    with pytest.raises(FileRefused, match=reason):
        list(read_documents(written(tmp_path, "c.csv", f"{header}\na,t,x\n")))


def test_a_header_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match="a header line and no row under it"):
        list(read_documents(written(tmp_path, "c.csv", "id,text\r\n")))


def test_tsv_splits_at_tabs_and_nowhere_else() -> None:
    rows = tsv_rows(iter(lines('a\t"b\r\nc"\t\u2028d\n\n')))
    assert list(rows) == [Row(1, ["a", '"b']), Row(2, ['c"', "\u2028d"])]


def test_an_overlong_line_inside_an_open_quote_ends_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", 'id,text\na,"x\n' + "y" * 900 + '\n"\nb,t\n')
    with pytest.raises(FileRefused, match="The line is longer than 500 bytes") as refusal:
        list(read_documents(path, Reading(limits=Limits(line=500))))
    assert refusal.value.line == 3


def test_reading_takes_one_row_at_a_time(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "id,text\na,t\nb\n" + "c,t\n" * 50_000 + 'd,"open')
    assert (
        next(iter(read_documents(path))) == rows_of(read_documents(written(tmp_path, "one.csv", "id,text\na,t\n")))[0]
    )
