"""Exports for evaluators: BEIR's folder, TREC's two files, ranx's one, and our own JSON Lines."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from curation.formats.documents import write_documents
from curation.formats.export.files import text_file, write_json
from curation.formats.export.rows import ExportedSet
from curation.formats.qrels import write_qrels
from curation.formats.queries import write_queries
from curation.formats.trec import refuse_white_space


def write_jsonl(folder: Path, exported: ExportedSet) -> None:
    """Everything, grades by canonical id, as the imports of this product take it."""
    with text_file(folder / "queries.jsonl") as out:
        write_queries(out, (query.row for query in exported.queries), form="jsonl")
    with text_file(folder / "qrels.jsonl") as out:
        write_qrels(out, (qrel.row() for qrel in exported.qrels), form="jsonl", every_score=True)
    with text_file(folder / "corpus.jsonl") as out:
        write_documents(out, exported.documents(), form="jsonl")


def write_beir(folder: Path, exported: ExportedSet) -> None:
    """`corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv` (github.com/beir-cellar/beir, "Load your custom dataset").

    Raises:
        WriteRefused: lists the ids that hold white space.
    """
    _refuse_ids(exported)
    with text_file(folder / "qrels" / "test.tsv") as out:
        write_qrels(out, exported.by_document(), form="beir")
    with text_file(folder / "queries.jsonl") as out:
        write_queries(out, (query.row for query in exported.queries), form="beir")
    with text_file(folder / "corpus.jsonl") as out:
        write_documents(out, exported.documents(), form="beir")


def write_trec(folder: Path, exported: ExportedSet) -> None:
    """`qrels.txt` in TREC's four columns and `topics.tsv`, an id, a tab and the text a line.

    Raises:
        WriteRefused: lists the ids that hold white space, or the ids of the texts that hold a tab or line break.
    """
    _refuse_ids(exported)
    with text_file(folder / "qrels.txt") as out:
        write_qrels(out, exported.by_document(), form="trec")
    with text_file(folder / "topics.tsv") as out:
        write_queries(out, (query.row for query in exported.queries), form="trec")


def write_ranx(folder: Path, exported: ExportedSet) -> None:
    """`qrels.json`, query id to document id to grade, as `ranx.Qrels.from_file` takes it."""
    grades: dict[str, dict[str, int | None]] = {}
    for row in exported.by_document():
        grades.setdefault(row.query_id, {})[row.document_id] = row.grade
    write_json(folder / "qrels.json", grades)


def _refuse_ids(exported: ExportedSet) -> None:
    queries = (query.row.external_id for query in exported.queries)
    documents = (document for qrel in exported.qrels for document in qrel.documents)
    refuse_white_space(chain(queries, documents))
