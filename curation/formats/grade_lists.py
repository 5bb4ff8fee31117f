"""Grades as one JSON object a file, as workbenches and evaluators write them.

Judgments of OpenSearch's Search Relevance Workbench, ratings of the Rated Ranking Evaluator (Quepid takes them too) and
ranx's qrels. The first two know a query by its text alone. A record's line is the place of its grade in the file.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import count

from curation.formats.faults import Fault, FileRefused, Notice, RowRefused
from curation.formats.jsonl import json_object
from curation.formats.kinds import BYTE_ORDER_MARK
from curation.formats.records import JsonValue, Record

Rows = Iterator[Record | Fault | Notice]
MOST_NAMED = 80
# One on several lines begins with a key on the second; a broken line of JSONL is followed by other objects. One on a
# single line is told by the key of its list, or by a first value that is an object.
_OPENED = re.compile(rb'\{\s*\n\s*"')
_LISTED = re.compile(rb'"(?:judgmentRatings|queries)"\s*:\s*\[')
_NESTED = re.compile(rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{')


def is_grade_list(head: bytes) -> bool:
    """Whether a file that begins so is one object, and not one a line."""
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if _OPENED.match(text):
        return True
    return b"\n{" not in text and bool(_LISTED.search(text) or _NESTED.match(text))


def grade_records(text: str) -> Rows:
    """A record a grade, with `query` (a text) or `query_id`, `doc_id` and `grade`.

    Raises:
        FileRefused: the text is no JSON, or another object on several lines.
    """
    try:
        told = json_object(text, what="file")
    except RowRefused as refusal:
        raise FileRefused(str(refusal)) from refusal
    places = count(1)
    if isinstance(told.get("judgmentRatings"), list):
        yield from _judgments(told["judgmentRatings"], places)
    elif isinstance(told.get("queries"), list):
        yield from _rated(told["queries"], places)
    elif told and all(isinstance(grades, dict) for grades in told.values()):
        yield from _by_query(told, places)
    elif "\n" in text.strip():
        raise FileRefused("The file is one JSON value, and no list of grades; write one object a line (JSONL).")
    else:
        yield Record(1, told)


def _judgments(entries: JsonValue, places: Iterator[int]) -> Rows:
    """`{"query": text, "ratings": [{"docId": …, "rating": …}]}` (search-relevance, RestPutJudgmentAction)."""
    for entry in _list(entries):
        query, ratings = _got(entry, "query"), _got(entry, "ratings")
        if not isinstance(ratings, list):
            yield _no_list(next(places), query, "ratings")
            continue
        for each in ratings:
            fields = {"query": query, "doc_id": _got(each, "docId"), "grade": _got(each, "rating")}
            yield Record(next(places), fields)


def _rated(entries: JsonValue, places: Iterator[int]) -> Rows:
    """`{"placeholders": {"$query": text}, "relevant_documents": {grade: [ids]}}`, or `{id: {"gain": grade}}` in it."""
    for entry in _list(entries):
        query, documents = _got(_got(entry, "placeholders"), "$query"), _got(entry, "relevant_documents")
        if not isinstance(documents, dict):
            yield _no_list(next(places), query, "relevant_documents")
            continue
        for key, value in documents.items():
            graded = [(name, key) for name in value] if isinstance(value, list) else [(key, _got(value, "gain"))]
            for name, grade in graded:
                yield Record(next(places), {"query": query, "doc_id": name, "grade": grade})


def _by_query(told: Mapping[str, JsonValue], places: Iterator[int]) -> Rows:
    for query_id, grades in told.items():
        for name, grade in grades.items() if isinstance(grades, dict) else ():
            yield Record(next(places), {"query_id": query_id, "doc_id": name, "grade": grade})


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _got(value: JsonValue, name: str) -> JsonValue:
    return value.get(name) if isinstance(value, dict) else None


def _no_list(place: int, query: JsonValue, name: str) -> Fault:
    return Fault(place, str(query or "")[:MOST_NAMED], f"The entry of a query has no {name} that can be read.")
