"""Exports for tools that know a query by its text alone: Quepid, and OpenSearch's Search Relevance Workbench.

A text is unique within its query language and may stand in several, so each language gets files of its own.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from curation.formats.export.files import text_file, write_json
from curation.formats.export.rows import ExportedSet, SetQuery
from curation.formats.faults import WriteRefused
from curation.formats.qrels import QrelRow

MOST_NAME, MOST_TEXT = 50, 2000
COMMAS = 2
"""Between query, docid and rating."""
MOST_THERE = 2048
"""How long a query may be in Quepid (db/schema.rb, queries.query_text)."""
# What the workbench refuses in a query (search-relevance, TextValidationUtil.validateQuerySetValue).
_REFUSED_THERE = re.compile(r'["\\<>\r\n]')
_MOST_NAMED = 50


def write_quepid(folder: Path, exported: ExportedSet) -> None:
    """`ratings/LOCALE.csv` with `query,docid,rating`, and the same as ratings of the Rated Ranking Evaluator.

    Quepid's import of ratings into a case reads both. It cuts white space off the ends of what it reads
    (ratings_importer.rb), and keeps ids in a column of Latin-1 (db/schema.rb).

    Raises:
        WriteRefused: lists the ids, or the ids of queries, that Quepid would not keep as they are.
    """
    _refuse_kept_otherwise(exported)
    for locale, part in exported.by_locale():
        texts = {query.row.external_id: query.row.text for query in part.queries}
        with text_file(folder / "ratings" / f"{locale}.csv") as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(("query", "docid", "rating"))
            rows.writerows((texts[row.query_id], row.document_id, row.grade) for row in part.by_document())
        rated = [
            {"placeholders": {"$query": texts[query_id]}, "relevant_documents": _by_grade(rows)}
            for query_id, rows in groupby(part.by_document(), key=lambda row: row.query_id)
        ]
        write_json(folder / "ratings" / f"{locale}.json", {"queries": rated})


def refused_by_older(folder: Path) -> str:
    """What Quepid's older import dialogues make of the CSV that was written; "" where they take all of it.

    They split a line at every comma and refuse the file for one that has more than two, unless it has exactly two
    quotation marks (import_ratings_modal_instance_controller.js, d973e11), and earlier whatever it had (0327955). No
    way of writing CSV helps: a quotation mark inside takes two more. The dialogue of today reads it as it is written.
    """
    found = []
    for path in sorted(folder.glob("ratings/*.csv")):
        lines = [line for line in path.read_text(encoding="utf-8").split("\n")[1:] if line.count(",") > COMMAS]
        marked = sum(line.count('"') != 2 for line in lines)
        if lines:
            found.append(f"- `ratings/{path.name}`: {len(lines):,} with a comma, {marked:,} of them with both")
    if not found:
        return ""
    return "\n".join(
        (
            "Older import dialogues of Quepid refuse a CSV whole for one line whose query or id holds both a comma and",
            "quotation marks, the oldest for any comma. Take the JSON of these languages there:",
            "",
            *found,
        )
    )


def _by_grade(rows: Iterable[QrelRow]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(str(row.grade), []).append(row.document_id)
    return dict(sorted(found.items()))


def _refuse_kept_otherwise(exported: ExportedSet) -> None:
    long = [query.row.external_id for query in exported.queries if len(query.row.text) > MOST_THERE]
    _refuse(long, f"Quepid takes no query of more than {MOST_THERE:,} characters")
    strange = {row.document_id for row in exported.by_document() if not _is_kept(row.document_id)}
    _refuse(sorted(strange), "Quepid keeps no id with letters beyond Latin-1 or white space at an end")


def _is_kept(name: str) -> bool:
    try:
        name.encode("cp1252")  # what MySQL calls latin1
    except UnicodeEncodeError:
        return False
    return name == name.strip()


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
    """The name with its number and the language, cut in the middle where it is too long."""
    stem, at, number = name.rpartition("@")
    end = f"{at}{number} {locale}"
    return f"{stem[: MOST_NAME - len(end)]}{end}"


def _refuse_texts(queries: Iterable[SetQuery]) -> None:
    bad = [query.row.external_id for query in queries if not _is_taken(query.row.text)]
    _refuse(
        bad, f'OpenSearch takes no query that holds " \\ < > or a line break, or more than {MOST_TEXT:,} characters'
    )


def _is_taken(text: str) -> bool:
    """Whether the workbench takes a query; its length counts as Java counts, in units of UTF-16."""
    return not _REFUSED_THERE.search(text) and len(text.encode("utf-16-le")) <= 2 * MOST_TEXT


def _refuse(names: Sequence[str], reason: str) -> None:
    if names:
        listed = ", ".join(names[:_MOST_NAMED])
        more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
        raise WriteRefused(f"{reason}: {listed}{more}. Export jsonl instead.")
