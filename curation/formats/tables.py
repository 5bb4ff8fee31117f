"""One reader of records for every table a user may hand over, packed or not."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, TypeVar

from curation.formats.beir import Content, parts_with
from curation.formats.delimited import csv_rows, delimited_records, tsv_rows
from curation.formats.faults import Fault, FileRefused, Notice
from curation.formats.jsonl import jsonl_records
from curation.formats.kinds import BYTE_ORDER_MARK, form_of
from curation.formats.lines import Line, read_lines
from curation.formats.opening import Limits, Part, Stream, open_part, parts_of
from curation.formats.parquet import parquet_records
from curation.formats.records import JsonValue, Record

Lines = Iterator[Line | Fault | Notice]
Records = Iterator[Record | Fault | Notice]
Row = TypeVar("Row")
MOST_WHOLE = 64 << 20
"""Bytes of a file that is one JSON object, which is held at once."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read one file.

    `name` is what its owner calls it (the path's own name where empty); `columns` maps a field to the column
    that holds it; only rows whose columns equal every value of `where` are read.
    """

    name: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    where: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Bare(Generic[Row]):
    """A form of lines without a header, such as TREC's; `fits` looks at a file's first line that is not blank.

    `records` may give the plain ones of millions of lines as finished rows, and the others as records.
    """

    fits: Callable[[str], bool]
    records: Callable[[Lines], Iterator[Row | Record | Fault | Notice]]


@dataclass(frozen=True, slots=True)
class Whole:
    """A form of one JSON object a file; `fits` looks at its first bytes, `records` takes all of its text."""

    fits: Callable[[bytes], bool]
    records: Callable[[str], Records]


def read_records(
    path: Path, reading: Reading, *, content: Content, bare: Bare[Row] | None = None, whole: Whole | None = None
) -> Iterator[Row | Record | Fault | Notice]:
    """Records of the file, or of what a folder or zip holds as `content`.

    Raises:
        FileRefused: nothing of the file may be stored; see the readers of each form.
    """
    parts = parts_of(path, name=reading.name or path.name, limits=reading.limits)
    chosen = parts_with(content, parts)
    for part in chosen:
        records = _records_of(part, reading.limits, bare=bare, whole=whole)
        kept = _where(records, reading.where) if reading.where else records
        yield from kept if len(chosen) == 1 else _named(kept, part.name)


def _records_of(
    part: Part, limits: Limits, *, bare: Bare[Row] | None, whole: Whole | None
) -> Iterator[Row | Record | Fault | Notice]:
    with open_part(part, limits) as stream:
        head = stream.peek(4096)[:4096]
        form = form_of(part.name, head, lines_too=bare is not None)
        if form == "parquet":
            yield from parquet_records(stream, path=part.path, most=limits.unpacked)
            return
        if whole and form == "jsonl" and whole.fits(head):
            yield from _some(whole.records(_text_of(stream)))
            return
        lines = read_lines(stream, most=limits.line)
        if form == "jsonl":
            yield from _some(jsonl_records(lines))
        elif bare and bare.fits(_first_line(head)):
            yield from _some(bare.records(lines))
        elif form == "csv":
            yield from delimited_records(csv_rows(lines, most=limits.line))
        else:
            yield from delimited_records(tsv_rows(lines))


def _text_of(stream: Stream) -> str:
    """All of a file that is one value.

    Raises:
        FileRefused: it is longer than is held at once, or not UTF-8.
    """
    raw = stream.read(MOST_WHOLE + 1)
    if len(raw) > MOST_WHOLE:
        raise FileRefused(f"The file is one JSON value of more than {MOST_WHOLE:,} bytes; write one object a line.")
    try:
        return raw.removeprefix(BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError as fault:
        told = f"byte 0x{raw[fault.start]:02X} at offset {fault.start:,}"
        raise FileRefused(f"The file is not UTF-8: {told}. Save it as UTF-8.") from fault


def _first_line(head: bytes) -> str:
    text = head.removeprefix(BYTE_ORDER_MARK).decode("utf-8", errors="replace")
    return text.lstrip("\r\n").split("\n", 1)[0]


def _some(records: Iterator[Row | Record | Fault | Notice]) -> Iterator[Row | Record | Fault | Notice]:
    for record in records:
        yield record
        if not isinstance(record, Notice):
            yield from records
            return
    raise FileRefused("The file is empty.")


def _named(records: Iterator[Row | Record | Fault | Notice], name: str) -> Iterator[Row | Record | Fault | Notice]:
    """Of several files read as one, each record and fault says in which it stands."""
    try:
        for record in records:
            if isinstance(record, Fault):
                yield replace(record, reason=f"{name}: {record.reason}")
            else:
                yield replace(record, part=name) if isinstance(record, Record) else record
    except FileRefused as refusal:
        raise FileRefused(f"{name}: {refusal}", line=refusal.line) from refusal


def _where(
    records: Iterator[Row | Record | Fault | Notice], where: Mapping[str, str]
) -> Iterator[Row | Record | Fault | Notice]:
    wanted = ", ".join(f"{column} = {value}" for column, value in where.items())
    read = kept = 0
    for record in records:
        if not isinstance(record, Record):
            yield record
            continue
        read += 1
        if all(_written(record.fields.get(column)) == value for column, value in where.items()):
            kept += 1
            yield record
    if not kept:
        raise FileRefused(f"None of the {read:,} rows has {wanted}.")
    yield Notice(0, "", f"{kept:,} of {read:,} rows have {wanted}; the others were left out.")


def _written(value: JsonValue) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None
