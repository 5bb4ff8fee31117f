"""Settled grades: TREC's four columns, BEIR's table with a header, any table that names its columns, or one JSON list.

Tools that know a query by its text alone, such as Quepid, name it so: `query` instead of `query_id`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, TextIO

from curation.formats.columns import Columns, Field
from curation.formats.faults import Fault, FileRefused, Notice, RowRefused
from curation.formats.grade_lists import grade_records, is_grade_list
from curation.formats.grades import HIGHEST, read_grade
from curation.formats.json_lines import json_line
from curation.formats.tables import Bare, Lines, Reading, Records, Whole, read_records
from curation.formats.taken import Taken, is_empty
from curation.formats.trec import columns_of, names_columns, refuse_white_space, trec_records
from curation.formats.typed import typed_rows

QUERY = Field("query_id", ("qid", "topic_id", "topic"), required=True)
DOCUMENT = Field("doc_id", ("corpus_id", "document_id", "docid", "docno"))
CANONICAL = Field("canonical_id", ("gold_canonical_id",))
GRADE = Field("grade", ("score", "relevance", "rel", "rating"), required=True)
CANNOT_JUDGE = Field("cannot_judge", ("cannot_tell",))
ORIGIN, ORIGINAL = Field("origin", ("source", "iteration")), Field("original_score")
QUERY_TEXT, LOCALE = Field("query", ("query_text",)), Field("locale", ("lang", "language"))
MOST_SCORE = 40
MOST_NAMED = 80
NAMED = (replace(QUERY, instead=QUERY_TEXT.name), QUERY_TEXT, LOCALE)
FIELDS = (*NAMED, DOCUMENT, CANONICAL, GRADE, CANNOT_JUDGE, ORIGIN, ORIGINAL)


@dataclass(frozen=True, slots=True)
class QrelRow:
    """One grade for a query and a document, a canonical id, or both; the one the file lacks is "".

    A query without an id is named by its `query_text`, in the `locale` that the file may name. TREC and BEIR have one
    column for document or canonical id, which is read as `document_id`. `grade` is None for "cannot tell"; `score` is
    the grade as the file writes it, or as the one it was made of wrote it (`original_score`); `origin` says how it was
    settled (TREC's second column).
    """

    line: int
    query_id: str
    document_id: str
    canonical_id: str
    grade: int | None
    score: str
    origin: str = ""
    query_text: str = ""
    locale: str = ""


def read_qrels(
    path: Path, reading: Reading | None = None, *, grades: Mapping[int, int] | None = None, settled: bool = False
) -> Iterator[QrelRow | Fault | Notice]:
    """Qrels of a file, zip or BEIR folder (all its splits); `grades` maps grades of the file, such as {4: 3}.

    In a file of `settled` grades a score is only what it names so: the grade is none.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    lists = Whole(is_grade_list, grade_records)
    records = read_records(path, reading, content="qrels", bare=Bare(is_trec, _trec_records), whole=lists)
    return typed_rows(records, Columns(FIELDS, reading.columns), partial(_qrel, grades or {}, settled=settled))


def graded(rows: Sequence[QrelRow]) -> list[QrelRow]:
    """The rows on the scale of 0 to 3: where the highest grade is 1 the file is binary, and 1 becomes 3."""
    if max((row.grade for row in rows if row.grade is not None), default=0) != 1:
        return list(rows)
    return [replace(row, grade=HIGHEST) if row.grade == 1 else row for row in rows]


def write_qrels(
    out: TextIO, rows: Iterable[QrelRow], *, form: Literal["trec", "beir", "jsonl"], every_score: bool = False
) -> None:
    """Write rows in the order given: the score as it came in, else the grade, else -1 for "cannot tell".

    JSON Lines name a score beside the grade where it says more; `every_score` names all. The document id is written
    where a row has one, else the canonical id. Open `out` with `newline=""`.

    Raises:
        WriteRefused: for TREC and BEIR, an id or origin that holds white space; nothing is written then.
    """
    kept = list(rows)
    if form == "jsonl":
        out.writelines(json_line(_object(row, every_score=every_score)) for row in kept)
        return
    refuse_white_space(word for row in kept for word in (row.query_id, _target(row), row.origin or "0"))
    if form == "trec":
        out.writelines(f"{row.query_id} {row.origin or 0} {_target(row)} {_score(row)}\n" for row in kept)
        return
    out.write("query-id\tcorpus-id\tscore\n")
    out.writelines(f"{row.query_id}\t{_target(row)}\t{_score(row)}\n" for row in kept)


def target_ids(taken: Taken) -> tuple[str, str]:
    """The document id and the canonical id of a row, one of which may be "".

    Raises:
        RowRefused: it names neither.
    """
    document_id = taken.optional_id("doc_id", what="document id")
    canonical_id = taken.optional_id("canonical_id", what="canonical id")
    if not (document_id or canonical_id):
        raise RowRefused("The row names neither a document nor a canonical id.")
    return document_id, canonical_id


def is_trec(first_line: str) -> bool:
    """Whether a file that begins so is TREC's: four columns that are no header.

    Raises:
        FileRefused: it is a run.
    """
    columns = columns_of(first_line)
    if len(columns) >= 6 and columns[1] == "Q0":
        raise FileRefused("The file looks like a TREC run; import it as a run.")
    return len(columns) == 4 and not names_columns(first_line, known=frozenset((*QUERY.names, *QUERY_TEXT.names)))


def _qrel(grades: Mapping[int, int], taken: Taken, *, settled: bool) -> QrelRow:
    text, locale = _named_by_text(taken)
    query_id = "" if text else taken.id("query_id", what="query id")
    taken.external_id = query_id or text[:MOST_NAMED]
    ids = (query_id, *target_ids(taken))
    read = read_grade(taken, mapping=grades)
    score = (_original_score(taken) if read.grade is not None else "") or ("" if settled else read.score)
    return QrelRow(taken.line, *ids, read.grade, score, taken.plain("origin"), text, locale)


def _named_by_text(taken: Taken) -> tuple[str, str]:
    """The text and the locale of a query that has no id here; "" where it has one."""
    if not is_empty(taken.value("query_id")):
        return "", ""
    return taken.text("query").strip(), taken.text("locale").strip()


def _original_score(taken: Taken) -> str:
    score = taken.plain("original_score")
    if len(score) > MOST_SCORE:
        raise RowRefused(f"The original score has {len(score):,} characters; at most {MOST_SCORE} are kept.")
    return score


def _trec_records(lines: Lines) -> Records:
    names = ("query_id", "iteration", "doc_id", "score")
    return trec_records(lines, lambda columns: dict(zip(names, columns, strict=True)) if len(columns) == 4 else None)


def _object(row: QrelRow, *, every_score: bool) -> dict[str, str | int | None]:
    target = {"doc_id": row.document_id, "canonical_id": row.canonical_id}
    named = {name: value for name, value in target.items() if value}
    grade = {"grade": row.grade} if row.grade is not None else {"grade": None, "cannot_judge": True}
    told = {"origin": row.origin, "original_score": row.score if every_score else _original(row)}
    return {"query_id": row.query_id, **named, **grade, **{name: value for name, value in told.items() if value}}


def _original(row: QrelRow) -> str:
    """The score as it came in, where that says more than the grade."""
    return "" if row.grade is None or row.score == str(row.grade) else row.score


def _target(row: QrelRow) -> str:
    return row.document_id or row.canonical_id


def _score(row: QrelRow) -> str:
    unwritten = "-1" if row.grade is None else str(row.grade)
    return row.score or unwritten
