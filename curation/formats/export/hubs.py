"""Exports for benchmarks: MTEB's retrieval layout, and the tables as Hugging Face hosts them.

Both are folders of Parquet whose README.md names the subsets (`configs`) and their files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from curation.formats.columns import PACKED
from curation.formats.documents import FACTS, DocumentRow
from curation.formats.export.beside import STRATUM, strata_of
from curation.formats.export.rows import ExportedSet, SetQrel, SetQuery

SPLIT = "test"
_BATCH = 1000
_PARQUET = f"{SPLIT}-00000-of-00001.parquet"
_DOCUMENT = ("_id", "title", "text", "canonical_id", "locale", "script", "is_source", *FACTS, PACKED)
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
    """`corpus`, `queries`, and qrels by query language, each language a subset.

    mteb 2 (RetrievalDatasetLoader) keeps of a subset's queries those that its qrels name. JSON Lines would not do: the
    reader it uses takes an id such as 2024-01-01 for a moment, and fails where a field is a number here and text there.
    """
    _write_texts(folder, exported)
    for locale, part in exported.by_locale():
        _write_qrels(folder / "qrels" / f"{locale}.parquet", part)


def mteb_subsets(exported: ExportedSet) -> dict[str, str]:
    """Each subset and where its files are: all languages together, then each under its own name."""
    texts = {name: _files_of(name) for name in ("corpus", "queries")}
    subsets = {**texts, "default": "qrels/*.parquet"}
    for locale, _ in exported.by_locale():
        subsets |= {f"{locale}-{name}": files for name, files in texts.items()}
        subsets[f"{locale}-qrels"] = f"qrels/{locale}.parquet"
    return subsets


def write_hf(folder: Path, exported: ExportedSet) -> None:
    """`corpus`, `queries`, `qrels` and `strata`, each a folder with one Parquet file."""
    _write_texts(folder, exported)
    _write_qrels(folder / "qrels" / _PARQUET, exported)
    _parquet(folder / "strata" / _PARQUET, STRATUM, strata_of(exported))


def hf_subsets(_: ExportedSet) -> dict[str, str]:
    """Each subset and where its files are; `strata` is the table beside every export, whose ids stay text here."""
    return {name: _files_of(name) for name in ("corpus", "queries", "qrels", "strata")}


def _files_of(name: str) -> str:
    return f"{name}/{SPLIT}-*.parquet"


def _write_texts(folder: Path, exported: ExportedSet) -> None:
    import pyarrow as pa

    _parquet(folder / "queries" / _PARQUET, _QUERY, map(_query, exported.queries))
    source = {"is_source": pa.bool_()}
    _parquet(folder / "corpus" / _PARQUET, _DOCUMENT, map(_document, exported.documents()), types=source)


def _write_qrels(path: Path, exported: ExportedSet) -> None:
    import pyarrow as pa

    _parquet(path, _QREL, _qrels(exported.qrels), types={"score": pa.int32()})


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
        PACKED: json.dumps(row.metadata, ensure_ascii=False, sort_keys=True) if row.metadata else None,
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
