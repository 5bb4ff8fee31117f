"""Exports for benchmarks: MTEB's retrieval layout, and Parquet as Hugging Face hosts it.

Both are folders of tables whose README.md names the subsets (`configs`) and their files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from curation.formats.documents import FACTS, DocumentRow, write_documents
from curation.formats.export.files import text_file
from curation.formats.export.rows import ExportedSet, SetQrel, SetQuery
from curation.formats.json_lines import json_line
from curation.formats.queries import write_queries

SPLIT = "test"
_BATCH = 1000
_PARQUET = f"{SPLIT}-00000-of-00001.parquet"
_DOCUMENT = ("_id", "title", "text", "canonical_id", "locale", "script", "is_source", *FACTS)
_QUERY = (
    "_id",
    "text",
    "locale",
    "script",
    "query_type",
    "slice",
    "gold_canonical_id",
    "information_need_id",
    "information_need",
    "variant_of",
)
_QREL = ("query-id", "corpus-id", "score", "canonical-id", "original-score")


def write_mteb(folder: Path, exported: ExportedSet) -> None:
    """`corpus.jsonl`, `queries.jsonl`, and qrels by query language, each language a subset.

    mteb 2 (RetrievalDatasetLoader) keeps of a subset's queries those that its qrels name.
    """
    for locale, part in exported.by_locale():
        with text_file(folder / "qrels" / f"{locale}.jsonl") as out:
            out.writelines(json_line(row) for row in _qrels(part.qrels))
    with text_file(folder / "queries.jsonl") as out:
        write_queries(out, (query.row for query in exported.queries), form="beir")
    with text_file(folder / "corpus.jsonl") as out:
        write_documents(out, exported.documents(), form="beir")


def mteb_subsets(exported: ExportedSet) -> dict[str, str]:
    """Each subset and where its files are: all languages together, then each under its own name."""
    subsets = {"corpus": "corpus.jsonl", "queries": "queries.jsonl", "default": "qrels/*.jsonl"}
    for locale, _ in exported.by_locale():
        subsets[f"{locale}-corpus"] = "corpus.jsonl"
        subsets[f"{locale}-queries"] = "queries.jsonl"
        subsets[f"{locale}-qrels"] = f"qrels/{locale}.jsonl"
    return subsets


def write_hf(folder: Path, exported: ExportedSet) -> None:
    """`corpus`, `queries` and `qrels`, each a folder with one Parquet file."""
    import pyarrow as pa

    score = {"score": pa.int32()}
    _parquet(folder / "queries" / _PARQUET, _QUERY, map(_query, exported.queries))
    _parquet(folder / "qrels" / _PARQUET, _QREL, _qrels(exported.qrels), types=score)
    source = {"is_source": pa.bool_()}
    _parquet(folder / "corpus" / _PARQUET, _DOCUMENT, map(_document, exported.documents()), types=source)


def hf_subsets(exported: ExportedSet) -> dict[str, str]:
    """Each subset and where its files are; `strata` is the table beside every export."""
    tables = {name: f"{name}/{SPLIT}-*.parquet" for name in ("corpus", "queries", "qrels")}
    return {**tables, "strata": "strata.tsv"} if exported.queries else tables


def _parquet(
    path: Path,
    columns: tuple[str, ...],
    rows: Iterable[Mapping[str, Any]],
    *,
    types: Mapping[str, Any] | None = None,
) -> None:
    """Write rows a batch at a time; every column is text unless `types` says otherwise."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, (types or {}).get(name, pa.string())) for name in columns])
    path.parent.mkdir(parents=True, exist_ok=True)
    left = iter(rows)
    with pq.ParquetWriter(path, schema) as out:
        while batch := list(islice(left, _BATCH)):
            out.write_table(pa.Table.from_pylist([dict(row) for row in batch], schema=schema))


def _document(row: DocumentRow) -> dict[str, Any]:
    return {
        "_id": row.external_id,
        "title": row.title,
        "text": row.text,
        "canonical_id": row.canonical_id,
        "locale": row.language,
        "script": row.script,
        "is_source": row.is_source,
        **row.facts,
    }


def _query(query: SetQuery) -> dict[str, Any]:
    row = query.row
    return {
        "_id": row.external_id,
        "text": row.text,
        "locale": row.language,
        "script": row.script,
        "query_type": row.query_type,
        "slice": row.slice,
        "gold_canonical_id": row.gold_canonical_id,
        "information_need_id": row.need_id,
        "information_need": row.need_text,
        "variant_of": row.variant_of,
    }


def _qrels(qrels: Iterable[SetQrel]) -> Iterator[dict[str, Any]]:
    for qrel in qrels:
        for document in qrel.documents:
            ids = {"query-id": qrel.query_id, "corpus-id": document, "score": qrel.grade}
            yield {**ids, "canonical-id": qrel.canonical_id, "original-score": qrel.score}
