import datetime as dt
from pathlib import Path

import pytest

from curation.formats.query_log import LogRow, read_query_log

from .reads import faults_of, rows_of, written


def test_a_log_line_keeps_its_other_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "l.csv", "date,query,country,popularity\n2020-01-02,kasko,Turkey,15\n")
    assert rows_of(read_query_log(path)) == [LogRow(2, "kasko", "", dt.date(2020, 1, 2), 15, {"country": "Turkey"})]


def test_count_is_stronger_than_popularity_and_one_where_there_is_none(tmp_path: Path) -> None:
    path = written(tmp_path, "l.csv", "text,count,popularity,lang\na,7,3,tr\nb,,3,\nc,,,\n")
    assert [(row.text, row.count, row.language) for row in rows_of(read_query_log(path))] == [
        ("a", 7, "tr"),
        ("b", 3, ""),
        ("c", 1, ""),
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (" ,1,2020-01-01", "The query is empty."),
        ("a,0,2020-01-01", "The count 0 is not a whole number of 1 or more."),
        ("a,1.5,2020-01-01", "The count 1.5 is not a whole number of 1 or more."),
        ("a,-3,2020-01-01", "The count -3 is not a whole number of 1 or more."),
        ("a,1,01.02.2020", "The date 01.02.2020 is not of the form 2026-03-04."),
    ],
)
def test_a_log_line_that_does_not_fit_is_refused(tmp_path: Path, row: str, reason: str) -> None:
    (fault,) = faults_of(read_query_log(written(tmp_path, "l.csv", f"query,count,date\n{row}\n")))
    assert (fault.line, fault.reason) == (2, reason)


def test_a_time_of_day_is_read_as_its_date(tmp_path: Path) -> None:
    path = written(tmp_path, "l.jsonl", '{"query": "a", "count": 2, "date": "2026-03-04T23:59:00Z"}')
    assert [(row.date, row.count) for row in rows_of(read_query_log(path))] == [(dt.date(2026, 3, 4), 2)]


def test_a_real_log_is_read_whole(shared: Path) -> None:
    rows = rows_of(read_query_log(shared / "data" / "covid-query-log" / "querylog.csv"))
    countries = {str(row.extra["country"]) for row in rows}
    assert (len(rows), len({row.text for row in rows}), len(countries)) == (33_871, 6_265, 186)
    assert (min(row.count for row in rows), max(row.count for row in rows)) == (1, 100)
    assert {row.date.month for row in rows if row.date} == {1}
