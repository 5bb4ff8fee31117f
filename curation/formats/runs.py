"""Ranked answer lists: TREC runs as found in the wild, tables with a header, and JSON Lines of hits."""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from sys import intern
from typing import TextIO

from curation.formats.columns import Columns, Field
from curation.formats.faults import Fault, FileRefused, Notice, RowRefused, Tally
from curation.formats.ids import MOST_CHARACTERS
from curation.formats.lines import Line
from curation.formats.opening import open_part, parts_of
from curation.formats.qrels import DOCUMENT, QUERY
from curation.formats.records import Record
from curation.formats.tables import Bare, Lines, Reading, Records, read_records
from curation.formats.taken import Taken
from curation.formats.trec import columns_of, names_columns, refuse_white_space, trec_records
from curation.formats.typed import typed_rows

FIELDS = (
    QUERY,
    replace(DOCUMENT, aliases=(*DOCUMENT.aliases, "id"), required=True),
    Field("score", ("sim", "similarity", "cosine"), required=True),
    Field("rank"),
    Field("tag", ("run", "run_id")),
    Field("trailing"),
)
Scores = dict[str, dict[str, float]]
MOST_LINE = 4 * (MOST_CHARACTERS + 2)  # bytes: of a longer line a part is read, which is too long to be plain
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


@dataclass(slots=True)  # not frozen: a run has millions, and to make a frozen one takes three times as long
class RunRow:
    """One hit. The rank a file gives is passed over: order comes from the score alone (see `rankings`)."""

    line: int
    query_id: str
    document_id: str
    score: float
    tag: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The answers to one query, best first: score descending, then document id by code point.

    `tied` counts the hits that share their score with another, whose order is therefore by id alone.
    """

    query_id: str
    document_ids: tuple[str, ...]
    scores: tuple[float, ...]
    tied: int


def read_run(path: Path, reading: Reading | None = None) -> Iterator[RunRow | Fault | Notice]:
    """Hits of a file in its own order: TREC's six columns, four (query, document, rank, score), or a table.

    JSON Lines may hold one hit a line or one query a line with `hits`.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    by_column = reading.columns or reading.where
    bare: Bare[RunRow] = Bare(_is_run, _run_records if by_column else _run_rows)
    records = read_records(path, reading, content="run", bare=bare)
    return typed_rows(_spread(records), Columns(FIELDS, reading.columns), _hit)


def rankings(rows: Iterable[RunRow | Fault | Notice]) -> Iterator[Ranking | Fault | Notice]:
    """Rankings in the order in which queries first appear; a document twice in one query is a fault."""
    scores: Scores = {}
    for row in rows:
        if not isinstance(row, RunRow):
            yield row
            continue
        hits = scores.setdefault(row.query_id, {})
        if row.document_id in hits:
            yield Fault(row.line, row.query_id, f"The document {row.document_id} stands twice under this query.")
        else:
            hits[row.document_id] = row.score
    yield from _ranked(scores)


def read_rankings(path: Path, reading: Reading | None = None) -> Iterator[Ranking | Fault | Notice]:
    """As `rankings(read_run(...))`, for who needs no rows: a file of nothing but plain lines is read in one go.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    scores = None if reading.columns or reading.where else _plain_scores(path, reading)
    yield from rankings(read_run(path, reading)) if scores is None else _ranked(scores)


def _plain_scores(path: Path, reading: Reading) -> Scores | None:
    """Query → document → score of a file of plain lines of six columns; None as soon as one line is another."""
    parts = parts_of(path, name=reading.name or path.name, limits=reading.limits)
    if len(parts) != 1:
        return None
    scores: Scores = {}
    same: dict[str, str] = {}
    try:
        with open_part(parts[0], reading.limits) as stream:
            while raw := stream.readline(MOST_LINE):
                columns = plain_columns(raw.decode())
                score = float(columns[4]) if len(columns) == 6 and _NUMBER.fullmatch(columns[4]) else math.nan
                hits = scores.setdefault(columns[0], {}) if math.isfinite(score) else None
                if hits is None or columns[2] in hits:
                    return None
                hits[same.setdefault(columns[2], columns[2])] = score
    except UnicodeDecodeError:
        return None
    return scores or None


def plain_columns(text: str) -> list[str]:
    """The columns of a line in which nothing can be wrong with an id; none where something may be.

    Of what is printable only a space is white space to Python, so that its own `split` tears no id.
    """
    text = text.rstrip("\r\n").replace("\t", " ")
    return text.split() if text.isprintable() and len(text) <= MOST_CHARACTERS else []


def _ranked(scores: Scores) -> Iterator[Ranking | Notice]:
    tally = Tally()
    for query_id, hits in scores.items():
        ranking = _ranking(query_id, hits)
        if ranking.tied:
            tally.add("hits with equal scores are ordered by document id", line=0, external_id=query_id)
        yield ranking
    yield from tally.notices()


def fingerprint(ranked: Iterable[Ranking], depth: int) -> str:
    """SHA-256 over the first `depth` documents of each query: the same answers in any form and order have one."""
    answers = {ranking.query_id: ranking.document_ids[:depth] for ranking in ranked}
    return hashlib.sha256(json.dumps(answers, sort_keys=True).encode()).hexdigest()


def write_run(out: TextIO, rankings: Sequence[Ranking], *, tag: str) -> None:
    """Write a TREC run whose scores are distinct and count down to 1 within each query.

    Evaluators break equal scores by document id in descending order, which is not our order; scores derived from
    the rank leave them nothing to break (github.com/usnistgov/trec_eval, issue 22). Open `out` with `newline=""`.

    Raises:
        WriteRefused: an id or the tag holds white space; nothing is written then.
    """
    words = (word for one in rankings for word in (one.query_id, *one.document_ids))
    refuse_white_space(chain((tag,), words), way_out="A run has no other form; give them ids without white space.")
    for one in rankings:
        out.writelines(_run_lines(one, tag))


def _run_lines(one: Ranking, tag: str) -> Iterator[str]:
    depth = len(one.document_ids)
    for place, document_id in enumerate(one.document_ids):
        yield f"{one.query_id} Q0 {document_id} {place + 1} {depth - place} {tag}\n"


def _ranking(query_id: str, hits: dict[str, float]) -> Ranking:
    ordered = sorted(hits.items(), key=lambda hit: (-hit[1], hit[0]))
    shared = sum(count for count in Counter(hits.values()).values() if count > 1)
    return Ranking(query_id, tuple(hit[0] for hit in ordered), tuple(hit[1] for hit in ordered), shared)


def _is_run(first_line: str) -> bool:
    columns = columns_of(first_line)
    if len(columns) == 4 and columns[1] in {"0", "Q0"} and not _NUMBER.fullmatch(columns[2]):
        raise FileRefused("The file looks like TREC qrels; import it as qrels.")
    return len(columns) >= 4 and not names_columns(first_line, known=frozenset(QUERY.names))


def _run_records(lines: Lines) -> Records:
    return trec_records(lines, _named_columns)


def _run_rows(lines: Lines) -> Iterator[RunRow | Record | Fault | Notice]:
    """Plain lines as rows at once, for a run has millions; any other as the record that `_hit` looks at closely.

    An id that stands in many lines is one string.
    """
    known: dict[str, str] = {}
    for line in lines:
        row = _plain_hit(line, known.setdefault) if isinstance(line, Line) else None
        if row is None:
            yield from _run_records(iter((line,)))
        else:
            yield row


def _plain_hit(line: Line, same: Callable[[str, str], str]) -> RunRow | None:
    """The hit of a line with which nothing can be wrong; None where something may be."""
    columns = plain_columns(line.text)
    if len(columns) == 6:
        query_id, _, document_id, _, score, tag = columns
    elif len(columns) == 4:
        query_id, document_id, _, score, tag = *columns, ""
    else:
        return None
    value = float(score) if _NUMBER.fullmatch(score) else math.nan
    if not math.isfinite(value):
        return None
    return RunRow(line.number, same(query_id, query_id), same(document_id, document_id), value, same(tag, tag))


def _named_columns(columns: list[str]) -> dict[str, str] | None:
    if len(columns) == 4:
        return dict(zip(("query_id", "doc_id", "rank", "score"), columns, strict=True))
    if len(columns) < 6:
        return None
    query_id, _, document_id, rank, score, tag, *trailing = columns
    named = {"query_id": query_id, "doc_id": document_id, "rank": rank, "score": score, "tag": tag}
    return named | {"trailing": " ".join(trailing)}


def _spread(records: Iterator[RunRow | Record | Fault | Notice]) -> Iterator[RunRow | Record | Fault | Notice]:
    """One record a hit where a line holds a query with its list of hits."""
    for record in records:
        if not isinstance(record, Record):
            yield record
            continue
        hits = record.fields.get("hits")
        if not isinstance(hits, list):
            yield record
            continue
        shared = {name: value for name, value in record.fields.items() if name != "hits"}
        for hit in hits:
            if isinstance(hit, dict):
                yield Record(record.line, shared | hit)
            else:
                yield Fault(record.line, "", "A hit is not an object with doc_id and score.")


def _hit(taken: Taken) -> RunRow:
    query_id = taken.external_id = taken.id("query_id", what="query id")
    if taken.value("trailing"):
        taken.tell("words after the sixth column were passed over")
    document_id, tag = taken.id("doc_id", what="document id"), taken.plain("tag")
    # A run names each id many times over; of millions of hits most would be copies of the same words.
    return RunRow(taken.line, intern(query_id), intern(document_id), _score(taken), intern(tag))


def _score(taken: Taken) -> float:
    written = taken.plain("score").strip()
    score = float(written) if _NUMBER.fullmatch(written) else math.nan
    if not math.isfinite(score):
        raise RowRefused(f"The score {written[:40]} is not a finite number.")
    return score
