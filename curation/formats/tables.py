"""One reader of records for every table a user may hand over: JSONL, CSV, TSV, Parquet, packed or in a BEIR folder."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

from curation.formats.delimited import csv_rows, delimited_records, tsv_rows
from curation.formats.faults import Fault, FileRefused, Notice
from curation.formats.jsonl import jsonl_records
from curation.formats.kinds import bare_name, form_of
from curation.formats.lines import read_lines
from curation.formats.opening import Limits, Part, open_part, parts_of
from curation.formats.parquet import parquet_records
from curation.formats.records import JsonValue, Record

Content = Literal["corpus", "queries", "qrels"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read one file.

    `name` is what its owner calls it (the path's own name where empty); `columns` maps a field to the column that
    holds it; only rows whose columns equal every value of `where` are read.
    """

    name: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    where: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)


def read_records(path: Path, reading: Reading, *, content: Content) -> Iterator[Record | Fault | Notice]:
    """Records of the file, or of the one file that a folder or zip holds for `content`.

    Raises:
        FileRefused: nothing of the file may be stored; see the readers of each form.
    """
    for part in chosen_parts(path, reading, content=content):
        yield from _chosen(records_of(part, reading.limits), reading.where)


def chosen_parts(path: Path, reading: Reading, *, content: Content) -> tuple[Part, ...]:
    """The parts to read: the only one, else those a BEIR folder keeps for `content` (several for qrels)."""
    parts = parts_of(path, name=reading.name or path.name, limits=reading.limits)
    chosen = parts if len(parts) == 1 else tuple(part for part in parts if _beir_content(part.name) == content)
    if not chosen or (len(chosen) > 1 and content != "qrels"):
        raise FileRefused(
            f"{len(chosen) or 'None'} of the {len(parts):,} files inside could be the {content}. "
            f"Choose one file, or a BEIR folder with corpus.jsonl, queries.jsonl and qrels/*.tsv."
        )
    return chosen


def records_of(part: Part, limits: Limits) -> Iterator[Record | Fault | Notice]:
    """All records of one file, in its order."""
    with open_part(part, limits) as stream:
        form = form_of(part.name, stream.peek(4096)[:4096])
        if form == "parquet":
            yield from parquet_records(stream, path=part.path, most=limits.unpacked)
            return
        lines = read_lines(stream, most=limits.line)
        if form == "jsonl":
            yield from _some(jsonl_records(lines))
        elif form == "csv":
            yield from delimited_records(csv_rows(lines, most=limits.line))
        else:
            yield from delimited_records(tsv_rows(lines))


def _some(records: Iterator[Record | Fault | Notice]) -> Iterator[Record | Fault | Notice]:
    empty = True
    for record in records:
        empty = empty and isinstance(record, Notice)
        yield record
    if empty:
        raise FileRefused("The file is empty.")


def _chosen(records: Iterator[Record | Fault | Notice], where: Mapping[str, str]) -> Iterator[Record | Fault | Notice]:
    if not where:
        yield from records
        return
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


def _beir_content(name: str) -> Content | None:
    path = PurePosixPath(bare_name(name))
    if path.name == "corpus.jsonl":
        return "corpus"
    if path.name == "queries.jsonl":
        return "queries"
    in_qrels = path.parent.name == "qrels" and path.suffix == ".tsv"
    return "qrels" if in_qrels or path.name == "qrels.tsv" else None
