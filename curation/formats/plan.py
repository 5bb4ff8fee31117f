"""Rows of a plan: one stratum each, with how many queries it shall hold."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from curation.formats.columns import Columns, Field
from curation.formats.faults import Fault, Notice, RowRefused
from curation.formats.records import JsonValue
from curation.formats.tables import Reading, read_records
from curation.formats.taken import Taken
from curation.formats.typed import typed_rows

FIELDS = (
    Field("query_language", ("locale", "lang", "language"), required=True),
    Field("corpus_language", ("document_language",)),
    Field("script", required=True),
    Field("query_type", ("type",), required=True),
    Field("slice"),
    Field("use"),
    Field("planned", required=True),
    Field("priority"),
)
WRITTEN = (*(field.name for field in FIELDS), "n", "ready", "coming", "passing", "undecided")
"""The columns of a written plan; the last four tell what the stratum has, and are not read."""


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One stratum of a plan, its words as written; `priority` is None where the file has none."""

    line: int
    query_language: str
    corpus_language: str
    script: str
    query_type: str
    slice: str
    use: str
    planned: int
    priority: int | None


def read_plan(path: Path, reading: Reading | None = None) -> Iterator[PlanRow | Fault | Notice]:
    """Rows of a plan in any table form; they have no ids, so faults name the line alone.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    return typed_rows(read_records(path, reading, content="plan"), Columns(FIELDS, reading.columns), _plan_row)


def write_plan(out: TextIO, rows: Iterable[Mapping[str, JsonValue]]) -> None:
    """Write strata as CSV, their columns named as `read_plan` reads them. Open `out` with `newline=""`."""
    writer = csv.DictWriter(out, WRITTEN, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _plan_row(taken: Taken) -> PlanRow:
    planned = _number(taken, "planned")
    if planned is None:
        raise RowRefused("The row does not say how many queries are planned.")
    return PlanRow(
        line=taken.line,
        query_language=taken.text("query_language"),
        corpus_language=taken.text("corpus_language") or "und",
        script=taken.text("script"),
        query_type=taken.text("query_type"),
        slice=taken.text("slice") or "distinctive",
        use=taken.text("use") or "gate",
        planned=planned,
        priority=_number(taken, "priority"),
    )


def _number(taken: Taken, name: str) -> int | None:
    """A whole number of 0 or more, None where there is none."""
    written = taken.plain(name).strip()
    if not written:
        return None
    if not (written.isascii() and written.isdigit()):
        raise RowRefused(f"The field {name} holds {written[:40]}; write a whole number of 0 or more.")
    return int(written[:15])
