import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.formats.queries import query_object, read_queries, write_queries
from curation.formats.records import JsonValue
from curation.formats.runs import read_run
from curation.formats.spreadsheet import MARKED, write_spreadsheet

from .reads import CASES, rows_of, written


def sheet(rows: Sequence[Mapping[str, JsonValue]]) -> tuple[str, int]:
    out = io.StringIO(newline="")
    changed = write_spreadsheet(out, rows)
    return out.getvalue(), changed


def test_c56_texts_like_formulas_are_neutralised_for_spreadsheets_and_come_back(tmp_path: Path) -> None:
    rows = rows_of(read_queries(CASES / "c56-queries.jsonl"))
    text, changed = sheet([query_object(row) for row in rows])
    assert changed == 5
    assert "q2,en,'+49 30 hotline," in text
    assert "q6,en,'quoted start,\r\n" in text
    again = rows_of(read_queries(written(tmp_path, "sheet.csv", text)))
    assert [row.text for row in again] == [row.text for row in rows]
    assert all(not row.extra for row in again)


def test_c56_the_data_export_is_not_touched() -> None:
    rows = rows_of(read_queries(CASES / "c56-queries.jsonl"))
    out = io.StringIO(newline="")
    write_queries(out, rows, form="jsonl")
    original = (CASES / "c56-queries.jsonl").read_text(encoding="utf-8")
    assert out.getvalue() == original.replace('"id"', '"query_id"')


def test_c56_numbers_stay_numbers() -> None:
    rows = rows_of(read_run(CASES / "c56-scores.tsv"))
    text, changed = sheet(
        [{"query-id": row.query_id, "corpus-id": row.document_id, "cosine": row.score} for row in rows]
    )
    assert changed == 0
    assert text == f"\ufeffquery-id,corpus-id,cosine,{MARKED}\r\nq1,d1,-0.25,\r\nq2,d1,-1.0,\r\n"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_every_start_a_spreadsheet_may_run_is_neutralised(start: str) -> None:
    text, changed = sheet([{"query_id": "q", "text": f"{start}1"}])
    assert (changed, f"'{start}1" in text) == (1, True)


def test_lists_and_missing_cells_are_written_as_text_and_nothing() -> None:
    text, _ = sheet([{"a": ["x", 1], "b": True}, {"b": None, "c": 3}])
    assert text.splitlines()[1:] == ['"[""x"", 1]",true,,', ",,3,"]


def test_an_apostrophe_its_owner_took_away_is_not_missed(tmp_path: Path) -> None:
    mark = json.dumps(["text"]).replace('"', '""')
    path = written(tmp_path, "s.csv", f"query_id,text,{MARKED}\nq1,fixed,\"{mark}\"\nq2,'kept,\nq3,'x,no json\n")
    assert [row.text for row in rows_of(read_queries(path))] == ["fixed", "'kept", "'x"]


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)
STARTS = st.sampled_from(["", "=", "+", "-", "@", "\t", "\r", "'", "'=", "\ufeff", '"', "\n"])


@given(st.lists(st.tuples(STARTS, WORDS), min_size=1, max_size=4))
def test_any_text_comes_back_from_a_spreadsheet(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    wanted = [f"{start}{word}." for start, word in texts]
    given = [{"query_id": f"-{place}", "text": "a", "information_need": one} for place, one in enumerate(wanted)]
    text, _ = sheet(given)
    rows = rows_of(read_queries(written(tmp_path_factory.mktemp("any"), "s.csv", text)))
    told = [(row.external_id, row.need_text) for row in rows]
    assert told == [(f"-{place}", one) for place, one in enumerate(wanted)]
