"""Rows of a file of information needs: what people want to know, in English, with the article that answers it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from curation.formats.columns import Columns, Field
from curation.formats.faults import Fault, Notice, RowRefused
from curation.formats.ids import IdForms
from curation.formats.json_lines import json_line
from curation.formats.records import JsonValue
from curation.formats.tables import Reading, read_records
from curation.formats.taken import Taken, is_empty
from curation.formats.typed import typed_rows

FIELDS = (
    Field("information_need_id", ("need_id", "_id", "id")),
    Field("information_need", ("need", "text"), required=True),
    Field("context", ("description",)),
    Field("gold_canonical_id"),
    Field("slice", ("slice_hint",)),
    Field("is_english"),
)


@dataclass(frozen=True, slots=True)
class NeedRow:
    """One need. Everything but the text may be "", and is as written; one without an id is known by its text.

    `is_english` is False where the text is a wording in another language, for want of an English one.
    """

    line: int
    external_id: str
    text: str
    context: str = ""
    gold_canonical_id: str = ""
    slice: str = ""
    is_english: bool = True


def read_needs(
    path: Path, reading: Reading | None = None, *, ids: IdForms | None = None
) -> Iterator[NeedRow | Fault | Notice]:
    """Needs of a file; `ids` carries the ids of needs that the corpus already holds.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    forms = ids or IdForms()
    records = read_records(path, reading, content="needs")
    return typed_rows(records, Columns(FIELDS, reading.columns), lambda taken: _need(taken, forms))


def write_needs(out: TextIO, rows: Iterable[NeedRow]) -> None:
    """Write rows as JSON Lines in the order given. Open `out` with `newline=""`."""
    out.writelines(json_line(need_object(row)) for row in rows)


def need_object(row: NeedRow) -> dict[str, JsonValue]:
    """A need as JSON Lines hold it; what is empty is left out, and so is that it is English."""
    fields: dict[str, JsonValue] = {
        "information_need_id": row.external_id,
        "information_need": row.text,
        "context": row.context,
        "gold_canonical_id": row.gold_canonical_id,
        "slice": row.slice,
        "is_english": None if row.is_english else "false",
    }
    return {name: value for name, value in fields.items() if not is_empty(value)}


def _need(taken: Taken, forms: IdForms) -> NeedRow:
    external_id = taken.external_id = taken.optional_id("information_need_id", what="need id")
    if external_id:
        forms.add(external_id)
    text = taken.text("information_need").strip()
    if not text:
        raise RowRefused("The need is empty; it says what someone wants to know.")
    return NeedRow(
        line=taken.line,
        external_id=external_id,
        text=text,
        context=taken.text("context").strip(),
        gold_canonical_id=taken.optional_id("gold_canonical_id", what="gold canonical id"),
        slice=taken.text("slice"),
        is_english=is_empty(taken.value("is_english")) or taken.flag("is_english"),
    )
