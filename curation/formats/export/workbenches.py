"""Exports for tools that know a query by its text alone: Quepid, and OpenSearch's Search Relevance Workbench.

A text is unique within its query language and may stand in several, so each language gets files of its own.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from curation.formats.export.files import text_file, write_json
from curation.formats.export.rows import ExportedSet, SetQuery
from curation.formats.faults import WriteRefused
from curation.formats.qrels import QrelRow

MOST_NAME, MOST_TEXT = 50, 2000
# What the workbench refuses in a query (search-relevance, TextValidationUtil.validateQuerySetValue).
_REFUSED_THERE = re.compile(r'["\\<>\r\n]')
_MOST_NAMED = 50


def write_quepid(folder: Path, exported: ExportedSet) -> None:
    """`ratings/LOCALE.csv` with `query,docid,rating`, as Quepid's case exports and imports ratings."""
    for locale, part in exported.by_locale():
        texts = {query.row.external_id: query.row.text for query in part.queries}
        with text_file(folder / "ratings" / f"{locale}.csv") as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(("query", "docid", "rating"))
            rows.writerows((texts[row.query_id], row.document_id, row.grade) for row in part.by_document())


def write_opensearch(folder: Path, exported: ExportedSet) -> None:
    """`LOCALE/query_set.json` and `LOCALE/judgments.json`, bodies for the workbench's two PUT requests.

    Raises:
        WriteRefused: lists the queries whose texts the workbench does not take.
    """
    _refuse_texts(exported.queries)
    for locale, part in exported.by_locale():
        name = _name(exported.name, locale)
        told = f"{exported.name}, queries in {locale}. Relevant from {exported.relevant_from}."
        texts = {query.row.external_id: query.row.text for query in part.queries}
        queries = [{"queryText": text} for text in texts.values()]
        ratings = [
            {"query": texts[query_id], "ratings": [_rating(row) for row in rows]}
            for query_id, rows in groupby(part.by_document(), key=lambda row: row.query_id)
        ]
        about = {"name": name, "description": told}
        write_json(folder / locale / "query_set.json", {**about, "sampling": "manual", "querySetQueries": queries})
        write_json(folder / locale / "judgments.json", {**about, "type": "IMPORT_JUDGMENT", "judgmentRatings": ratings})


def _rating(row: QrelRow) -> dict[str, str]:
    # The workbench casts a rating to text and reads a decimal from it.
    return {"docId": row.document_id, "rating": f"{row.grade}.0"}


def _name(name: str, locale: str) -> str:
    return f"{name[: MOST_NAME - len(locale) - 1]} {locale}"


def _refuse_texts(queries: Iterable[SetQuery]) -> None:
    bad = [query.row for query in queries if _REFUSED_THERE.search(query.row.text) or len(query.row.text) > MOST_TEXT]
    if bad:
        listed = ", ".join(row.external_id for row in bad[:_MOST_NAMED])
        more = f" and {len(bad) - _MOST_NAMED:,} more" if len(bad) > _MOST_NAMED else ""
        raise WriteRefused(
            f'OpenSearch takes no query that holds " \\ < > or a line break, or more than {MOST_TEXT:,} characters: '
            f"{listed}{more}. Export quepid or jsonl instead."
        )
