"""One assessor's opinion a row: who, which grade or none, when, and the note."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, TextIO, cast

from curation.formats.columns import Columns, Field, column_key
from curation.formats.faults import Fault, Notice, RowRefused
from curation.formats.grades import ReadGrade, read_grade
from curation.formats.json_lines import json_line, with_extra
from curation.formats.qrels import CANNOT_JUDGE, CANONICAL, DOCUMENT, GRADE, QUERY, is_trec, target_ids
from curation.formats.records import JsonValue
from curation.formats.tables import Bare, Lines, Reading, Records, read_records
from curation.formats.taken import Taken
from curation.formats.trec import refuse_white_space, trec_records
from curation.formats.typed import typed_rows

State = Literal["graded", "swept", "unseen", "cannot_judge"]
SHA256_DIGITS = 64
_STATES = frozenset({"graded", "swept", "unseen", "cannot_judge"})
_NO_JUDGE = frozenset({"0", "Q0"})  # what TREC's second column holds where it says nothing
_JUDGE = Field("judge", ("rater", "assessor", "annotator", "user"))
FIELDS = (
    QUERY,
    DOCUMENT,
    CANONICAL,
    GRADE,
    CANNOT_JUDGE,
    Field("state"),
    Field("at", ("judged_at", "time", "timestamp")),
    Field("note", ("comment",)),
    Field("text_sha256", ("text_fingerprint",)),
    Field("kept_apart"),
)


@dataclass(frozen=True, slots=True)
class JudgmentRow:
    """One opinion. `grade` is set exactly where `state` is "graded"; `at` is in UTC.

    `text_sha256` is the fingerprint of the text that was judged, "" where the file has none. One that does not count
    is surplus, or its judge has not finished.
    """

    line: int
    query_id: str
    document_id: str
    canonical_id: str
    judge: str
    state: State
    grade: int | None
    score: str
    at: dt.datetime | None
    note: str
    text_sha256: str
    extra: Mapping[str, JsonValue]
    counts: bool = True


def read_judgments(
    path: Path, reading: Reading | None = None, *, judge: str = "", grades: Mapping[int, int] | None = None
) -> Iterator[JudgmentRow | Fault | Notice]:
    """Judgments of a file, zip or BEIR folder (all its splits), or of TREC lines with the judge in their second column.

    `judge` is whose they are where the file does not say, `grades` maps its grades.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    records = read_records(path, reading, content="judgments", bare=Bare(is_trec, _trec_records))
    fields = (*FIELDS, replace(_JUDGE, required=not judge))
    return typed_rows(records, Columns(fields, reading.columns), partial(_judgment, judge, grades or {}))


def write_judgments(out: TextIO, rows: Iterable[JudgmentRow], *, form: Literal["trec", "beir", "jsonl"]) -> None:
    """Write rows in the order given. Open `out` with `newline=""`.

    JSONL keeps everything. TREC (judge in the second column) and BEIR (judge in a fourth) keep grades alone:
    "cannot judge" is -1, swept is 0, and unseen is left out, since it is no opinion; so is one that does not count.

    Raises:
        WriteRefused: for TREC and BEIR, an id or judge that holds white space; nothing is written then.
    """
    if form == "jsonl":
        out.writelines(json_line(judgment_object(row)) for row in rows)
        return
    kept = [row for row in rows if row.counts and row.state != "unseen"]
    refuse_white_space(word for row in kept for word in (row.query_id, _target(row), row.judge))
    if form == "trec":
        out.writelines(f"{row.query_id} {row.judge} {_target(row)} {_number(row)}\n" for row in kept)
        return
    out.write("query-id\tcorpus-id\tscore\tjudge\n")
    out.writelines(f"{row.query_id}\t{_target(row)}\t{_number(row)}\t{row.judge}\n" for row in kept)


def judgment_object(row: JudgmentRow) -> dict[str, JsonValue]:
    """A judgment as JSON Lines hold it; `judge`, `grade`, `at` and `note` are always there."""
    fields: dict[str, JsonValue] = {
        "query_id": row.query_id,
        "doc_id": row.document_id,
        "canonical_id": row.canonical_id,
        "judge": row.judge,
        "grade": row.grade,
        "state": row.state if row.state in {"swept", "unseen"} else "",
        "cannot_judge": True if row.state == "cannot_judge" else None,
        "at": row.at.astimezone(dt.UTC).isoformat().replace("+00:00", "Z") if row.at else None,
        "note": row.note,
        "text_sha256": row.text_sha256,
        "kept_apart": None if row.counts else True,
    }
    return with_extra(fields, row.extra, always={"judge", "grade", "at", "note"})


def _trec_records(lines: Lines) -> Records:
    return trec_records(lines, _named)


def _named(columns: list[str]) -> dict[str, str] | None:
    if len(columns) != 4:
        return None
    query, judge, document, score = columns
    return {"query_id": query, "judge": "" if judge in _NO_JUDGE else judge, "doc_id": document, "score": score}


def _judgment(judge: str, grades: Mapping[int, int], taken: Taken) -> JudgmentRow:
    query_id = taken.external_id = taken.id("query_id", what="query id")
    document_id, canonical_id = target_ids(taken)
    state = _state(taken)
    read = read_grade(taken, mapping=grades) if state == "graded" else ReadGrade(None, "")
    return JudgmentRow(
        line=taken.line,
        query_id=query_id,
        document_id=document_id,
        canonical_id=canonical_id,
        judge=_judge(taken, judge),
        state="cannot_judge" if state == "graded" and read.grade is None else state,
        grade=read.grade,
        score=read.score,
        at=_moment(taken),
        note=taken.text("note"),
        text_sha256=_fingerprint(taken),
        extra=taken.rest,
        counts=not taken.flag("kept_apart"),
    )


def _judge(taken: Taken, default: str) -> str:
    judge = taken.plain("judge") or default
    if not judge.strip():
        raise RowRefused("The row does not say who judged. Name one judge for the file (--judge).")
    return judge


def _fingerprint(taken: Taken) -> str:
    written = taken.text("text_sha256")
    if len(written) > SHA256_DIGITS:
        raise RowRefused(f"The fingerprint of the text has {len(written):,} characters; SHA-256 has {SHA256_DIGITS}.")
    return written


def _state(taken: Taken) -> State:
    state = column_key(taken.text("state")) or "graded"
    if state not in _STATES:
        raise RowRefused(f"The state {state[:40]} is not one of {', '.join(sorted(_STATES))}.")
    if state in {"swept", "unseen"} and taken.plain("grade") not in {"", "0"}:
        raise RowRefused(f"The row is {state} and has a grade; only one of the two can be.")
    return cast("State", state)


def _moment(taken: Taken) -> dt.datetime | None:
    written = taken.text("at")
    if not written:
        return None
    try:
        moment = dt.datetime.fromisoformat(written)
        if moment.tzinfo is None:
            taken.tell("a time without a zone was read as UTC")
            moment = moment.replace(tzinfo=dt.UTC)
        return moment.astimezone(dt.UTC)
    except (ValueError, OverflowError) as error:
        raise RowRefused(f"The time {written[:40]} is not of the form 2026-03-04T09:00:00Z.") from error


def _target(row: JudgmentRow) -> str:
    return row.document_id or row.canonical_id


def _number(row: JudgmentRow) -> int:
    unmarked = 0 if row.state == "swept" else -1
    return unmarked if row.grade is None else row.grade
