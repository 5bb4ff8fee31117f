"""Rows of a corpus: one document each, its language tag as written."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

from curation.formats.columns import Columns, Field
from curation.formats.faults import Fault, Notice, RowRefused
from curation.formats.ids import IdForms
from curation.formats.json_lines import beir_object, json_line, with_extra
from curation.formats.records import JsonValue
from curation.formats.tables import Reading, read_records
from curation.formats.taken import Taken
from curation.formats.typed import typed_rows
from curation.retrieval.encoders.base import is_visible

FIELDS = (
    Field("doc_id", ("_id", "id", "document_id"), required=True),
    Field("canonical_id"),
    Field("locale", ("lang", "language")),
    Field("script"),
    Field("is_source"),
    Field("title"),
    Field("text", required=True),
    Field("effective_date", ("effective_from",)),
    Field("limit_amount"),
    Field("jurisdiction"),
    Field("vector"),
)
FACTS = ("effective_date", "limit_amount", "jurisdiction")


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One document. `language` and `script` are as written, "" where the file has none.

    `canonical_id` is the document's own id where the file names none. `facts` holds the fields of `FACTS` that are
    filled, as written; `metadata` every other column, under its own name.
    """

    line: int
    external_id: str
    canonical_id: str
    language: str
    script: str
    is_source: bool
    title: str
    text: str
    facts: Mapping[str, str]
    metadata: Mapping[str, JsonValue]


def read_documents(
    path: Path, reading: Reading | None = None, *, ids: IdForms | None = None
) -> Iterator[DocumentRow | Fault | Notice]:
    """Documents of a file, zip or BEIR folder; `ids` carries ids the corpus already holds.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    forms = ids or IdForms()
    records = read_records(path, reading, content="corpus")
    return typed_rows(records, Columns(FIELDS, reading.columns), lambda taken: _document(taken, forms))


def write_documents(out: TextIO, rows: Iterable[DocumentRow], *, form: Literal["jsonl", "beir"]) -> None:
    """Write rows in the order given, one JSON object each. Open `out` with `newline=""`.

    BEIR knows `_id`, `title` and `text`; everything else stands in its `metadata`, where reading finds it again.
    """
    for row in rows:
        fields = document_object(row)
        out.write(json_line(beir_object({"title": "", **fields}, own_id="doc_id") if form == "beir" else fields))


def document_object(row: DocumentRow) -> dict[str, JsonValue]:
    """A document as JSON Lines hold it; what is empty, or follows from the rest, is left out."""
    fields: dict[str, JsonValue] = {
        "doc_id": row.external_id,
        "canonical_id": "" if row.canonical_id == row.external_id else row.canonical_id,
        "locale": row.language,
        "script": row.script,
        "is_source": row.is_source or None,
        "title": row.title,
        "text": row.text,
        **{name: row.facts.get(name, "") for name in FACTS},
    }
    return with_extra(fields, row.metadata, always={"text"})


def _document(taken: Taken, forms: IdForms) -> DocumentRow:
    external_id = taken.external_id = taken.id("doc_id", what="document id")
    forms.add(external_id)
    title, text = taken.text("title"), taken.text("text")
    if not is_visible(title + text):
        raise RowRefused("The document has neither a title nor a text.")
    if taken.value("vector") is not None:
        taken.tell("the field vector was passed over, because vectors are imported on their own")
    return DocumentRow(
        line=taken.line,
        external_id=external_id,
        canonical_id=taken.optional_id("canonical_id", what="canonical id") or external_id,
        language=taken.text("locale"),
        script=taken.text("script"),
        is_source=taken.flag("is_source"),
        title=title,
        text=text,
        facts={name: fact for name in FACTS if (fact := taken.plain(name))},
        metadata=taken.rest,
    )
