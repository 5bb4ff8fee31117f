"""Rows of a query log: what was typed, how often, and when and where the log says so."""

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.formats.columns import Columns, Field
from curation.formats.faults import Fault, Notice, RowRefused
from curation.formats.records import JsonValue
from curation.formats.tables import Reading, read_records
from curation.formats.taken import Taken
from curation.formats.typed import typed_rows

FIELDS = (
    Field("query", ("text",), required=True),
    Field("locale", ("lang", "language")),
    Field("date"),
    Field("count", ("popularity",)),
)
_COUNT = re.compile(r"\d{1,15}", re.ASCII)


@dataclass(frozen=True, slots=True)
class LogRow:
    """One line of a log. `count` is 1 where the log has none; `language` is as written; `extra` is the rest."""

    line: int
    text: str
    language: str
    date: dt.date | None
    count: int
    extra: Mapping[str, JsonValue]


def read_query_log(path: Path, reading: Reading | None = None) -> Iterator[LogRow | Fault | Notice]:
    """Rows of a log in any table form; its rows have no ids, so faults name the line alone.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    records = read_records(path, reading, content="query log")
    return typed_rows(records, Columns(FIELDS, reading.columns), _log_row)


def _log_row(taken: Taken) -> LogRow:
    text = taken.text("query")
    if not text.strip():
        raise RowRefused("The query is empty.")
    return LogRow(taken.line, text, taken.text("locale"), _date(taken), _count(taken), taken.rest)


def _date(taken: Taken) -> dt.date | None:
    written = taken.text("date")
    if not written:
        return None
    try:
        return dt.datetime.fromisoformat(written).date()
    except ValueError as error:
        raise RowRefused(f"The date {written[:40]} is not of the form 2026-03-04.") from error


def _count(taken: Taken) -> int:
    written = taken.plain("count").strip() or "1"
    if not _COUNT.fullmatch(written) or int(written) < 1:
        raise RowRefused(f"The count {written[:40]} is not a whole number of 1 or more.")
    return int(written)
