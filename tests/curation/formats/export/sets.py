"""A set of three queries made by hand: one text in two languages, an article in two renderings, one that is gone."""

from __future__ import annotations

from curation.formats.documents import DocumentRow
from curation.formats.export.rows import ExportedSet, SetQrel, SetQuery
from curation.formats.queries import QueryRow


def query(external_id: str, text: str, locale: str, *, gold: str = "a1") -> SetQuery:
    row = QueryRow(0, external_id, "", "", text, locale, "Latn", "question", "distinctive", gold, "", {})
    return SetQuery(row, "en", "gate", gold)


def qrel(
    query_id: str, canonical_id: str, grade: int, *documents: str, score: str = "", standing: bool = True
) -> SetQrel:
    return SetQrel(query_id, canonical_id, "", grade, score, "agreed", documents or (canonical_id,), standing)


def document(external_id: str, canonical_id: str) -> DocumentRow:
    return DocumentRow(0, external_id, canonical_id, "en", "Latn", False, "T", f"Text of {external_id}", {}, {})


def a_set(*queries: SetQuery, qrels: tuple[SetQrel, ...] = ()) -> ExportedSet:
    documents = [document("a1-de", "a1"), document("a1-en", "a1"), document("b2", "b2")]
    return ExportedSet("hard@4", "f" * 64, "claims", 2, queries, qrels, lambda: iter(documents))


SMALL = a_set(
    query("q1", "Allianz", "de"),
    query("q2", "Allianz", "tr", gold="c3"),
    query("q3", 'kaç "gün", ne zaman', "tr"),
    qrels=(
        qrel("q1", "a1", 3, "a1-de", "a1-en", score="1"),
        qrel("q1", "b2", 0, "b2"),
        qrel("q2", "c3", 2, standing=False),
        qrel("q3", "a1", 3, "a1-de", "a1-en"),
    ),
)
