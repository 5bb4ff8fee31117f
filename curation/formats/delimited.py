"""CSV as RFC 4180 writes it, and TSV, where a quote is a letter like any other. Every value stays text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from curation.formats.faults import Fault, FileRefused, Notice, RowRefused
from curation.formats.lines import NUL_REASON, Line
from curation.formats.records import Record, id_of
from curation.formats.spreadsheet import MARKED, restore

_INSIDE_QUOTES = re.compile(r'(?:[^"]++|"")*+')


class Row(NamedTuple):
    """The fields of one row, and the line it starts on."""

    number: int
    fields: list[str]


def tsv_rows(lines: Iterator[Line | Fault | Notice]) -> Iterator[Row | Fault | Notice]:
    """Rows split at tabs and nowhere else; blank lines are passed over."""
    for line in lines:
        if not isinstance(line, Line):
            yield line
        elif text := line.text.removesuffix("\r"):
            yield Row(line.number, text.split("\t"))


def csv_rows(lines: Iterator[Line | Fault | Notice], *, most: int) -> Iterator[Row | Fault | Notice]:
    """Rows of RFC 4180: quoted fields may hold commas, doubled quotes and line breaks (kept as written).

    A quote inside an unquoted field is text. A row of more than `most` characters counts as never closed.

    Raises:
        FileRefused: a quote is never closed (names the line where it opened), or a line inside one is too long.
    """
    for line in lines:
        if not isinstance(line, Line):
            yield line
        elif '"' not in line.text:
            if text := line.text.removesuffix("\r"):
                yield Row(line.number, text.split(","))
        else:
            try:
                yield _QuotedRow(line, lines, most).row()
            except RowRefused as refusal:
                yield Fault(line.number, "", str(refusal))


class _QuotedRow:
    """Walks one row that holds a quote, drawing further lines while a quote is open."""

    def __init__(self, line: Line, more: Iterator[Line | Fault | Notice], most: int) -> None:
        self._line, self._more, self._left = line, more, most
        self._first = line.number
        self._at = 0

    def row(self) -> Row:
        fields = [self._field()]
        while self._line.text.startswith(",", self._at):
            self._at += 1
            fields.append(self._field())
        if self._line.text[self._at :] not in {"", "\r"}:
            raise RowRefused("Text stands after a closing quote; double the quotes inside a quoted field.")
        return Row(self._first, fields)

    def _field(self) -> str:
        text = self._line.text
        if text.startswith('"', self._at):
            self._at += 1
            return self._quoted_field()
        comma = text.find(",", self._at)
        end = comma if comma >= 0 else len(text.removesuffix("\r"))
        value, self._at = text[self._at : end], max(end, self._at)
        return value

    def _quoted_field(self) -> str:
        opened, pieces = self._line.number, []
        while True:
            found = _INSIDE_QUOTES.match(self._line.text, self._at)
            end = found.end() if found else self._at
            pieces.append(self._line.text[self._at : end])
            if end < len(self._line.text):
                self._at = end + 1
                return "\n".join(pieces).replace('""', '"')
            self._draw(opened)

    def _draw(self, opened: int) -> None:
        line = next(self._more, None)
        if isinstance(line, Fault):
            # Where the open quote would have closed is lost with the line, and so is every later row.
            raise FileRefused(line.reason, line=line.line)
        self._left -= len(self._line.text)
        if not isinstance(line, Line) or self._left < 0:
            raise FileRefused(f"The quote that opens on line {opened:,} is never closed.", line=opened)
        self._line, self._at = line, 0


def delimited_records(rows: Iterator[Row | Fault | Notice]) -> Iterator[Record | Fault | Notice]:
    """Records keyed by the first row's names; a row with more or fewer fields is a fault.

    Raises:
        FileRefused: no row under the header, a name that is blank or stands twice, semicolons for commas.
    """
    header: list[str] = []
    count = 0
    for row in rows:
        if not isinstance(row, Row):
            yield row
        elif not header:
            header = _checked_header(row)
        else:
            count += 1
            yield _record(header, row)
    if not header:
        raise FileRefused("The file is empty.")
    if not count:
        raise FileRefused("The file has a header line and no row under it.")


def _checked_header(row: Row) -> list[str]:
    names = row.fields
    if len(names) == 1 and ";" in names[0]:
        raise FileRefused(
            "The columns are separated by semicolons; save the file with commas or tabs.", line=row.number
        )
    if any("\0" in name for name in names):
        raise FileRefused(NUL_REASON, line=row.number)
    seen: set[str] = set()
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise FileRefused(f"Column {place:,} of the header has no name.", line=row.number)
        if name in seen:
            raise FileRefused(f"The column {name} stands twice in the header.", line=row.number)
        seen.add(name)
    return names


def _record(header: list[str], row: Row) -> Record | Fault:
    if len(row.fields) != len(header):
        reason = f"The row has {len(row.fields):,} fields and the header names {len(header):,}."
        return Fault(row.number, "", reason)
    fields = dict(zip(header, row.fields, strict=True))
    if any("\0" in value for value in row.fields):
        return Fault(row.number, id_of(fields), NUL_REASON)
    return Record(row.number, restore(fields) if MARKED in fields else fields, tabular=True)
