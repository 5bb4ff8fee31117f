"""Rows of a query file: one wording each, with the need and the gold it may name."""

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
from curation.formats.trec import refuse_line_breaks, refuse_white_space
from curation.formats.typed import typed_rows
from curation.retrieval.query_text import why_no_query

FIELDS = (
    Field("query_id", ("_id", "id"), required=True),
    Field("information_need_id", ("need_id",)),
    Field("information_need", ("need",)),
    Field("text", ("query",), required=True),
    Field("locale", ("lang", "language")),
    Field("script"),
    Field("query_type", ("type",)),
    Field("slice"),
    Field("gold_canonical_id"),
    Field("gold_doc_id", ("gold_document_id",)),
    Field("variant_of"),
)


@dataclass(frozen=True, slots=True)
class QueryRow:
    """One query. Everything but the text may be "", and is as written; `extra` holds the other columns.

    `variant_of` is the id of the query that this one is another spelling of.
    """

    line: int
    external_id: str
    need_id: str
    need_text: str
    text: str
    language: str
    script: str
    query_type: str
    slice: str
    gold_canonical_id: str
    gold_document_id: str
    extra: Mapping[str, JsonValue]
    variant_of: str = ""


def read_queries(
    path: Path, reading: Reading | None = None, *, ids: IdForms | None = None
) -> Iterator[QueryRow | Fault | Notice]:
    """Queries of a file, zip or BEIR folder; `ids` carries query ids the corpus already holds.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    forms = ids or IdForms()
    records = read_records(path, reading, content="queries")
    return typed_rows(records, Columns(FIELDS, reading.columns), lambda taken: _query(taken, forms))


def write_queries(out: TextIO, rows: Iterable[QueryRow], *, form: Literal["jsonl", "beir", "trec"]) -> None:
    """Write rows in the order given. Open `out` with `newline=""`.

    JSONL and BEIR keep everything; "trec" is an id, a tab and the text, as evaluators read topics.

    Raises:
        WriteRefused: for "trec", an id that holds white space or a text that holds a tab or line break.
    """
    if form == "trec":
        kept = list(rows)
        refuse_white_space(row.external_id for row in kept)
        refuse_line_breaks((row.external_id, row.text) for row in kept)
        out.writelines(f"{row.external_id}\t{row.text}\n" for row in kept)
        return
    for row in rows:
        fields = query_object(row)
        out.write(json_line(beir_object(fields, own_id="query_id") if form == "beir" else fields))


def query_object(row: QueryRow) -> dict[str, JsonValue]:
    """A query as JSON Lines hold it; what is empty is left out."""
    fields: dict[str, JsonValue] = {
        "query_id": row.external_id,
        "information_need_id": row.need_id,
        "information_need": row.need_text,
        "locale": row.language,
        "script": row.script,
        "query_type": row.query_type,
        "slice": row.slice,
        "text": row.text,
        "gold_canonical_id": row.gold_canonical_id,
        "gold_doc_id": row.gold_document_id,
        "variant_of": row.variant_of,
    }
    return with_extra(fields, row.extra)


def _query(taken: Taken, forms: IdForms) -> QueryRow:
    external_id = taken.external_id = taken.id("query_id", what="query id")
    forms.add(external_id)
    text = taken.text("text")
    if fault := why_no_query(text):
        raise RowRefused(fault)
    return QueryRow(
        line=taken.line,
        external_id=external_id,
        need_id=taken.optional_id("information_need_id", what="information need id"),
        need_text=taken.text("information_need"),
        text=text,
        language=taken.text("locale"),
        script=taken.text("script"),
        query_type=taken.text("query_type"),
        slice=taken.text("slice"),
        gold_canonical_id=taken.optional_id("gold_canonical_id", what="gold canonical id"),
        gold_document_id=taken.optional_id("gold_doc_id", what="gold document id"),
        extra=taken.rest,
        variant_of=taken.optional_id("variant_of", what="id of the original"),
    )
