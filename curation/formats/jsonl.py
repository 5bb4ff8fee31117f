"""JSON Lines (jsonlines.org, RFC 8259): one object a line, strict about what JSON leaves open."""

import json
import math
import re
from collections.abc import Iterator

from curation.formats.faults import Fault, FileRefused, Notice, RowRefused
from curation.formats.lines import NUL_REASON, Line
from curation.formats.records import JsonValue, Record

# json.loads gives back a half of a surrogate pair and NUL without a word; only these escapes can make them.
_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_MOST_DIGITS = 400
_IDS = tuple(
    re.compile(rf'"(?:{names})"\s*:\s*(?:"([^"\\\0]{{1,255}})"|(\d{{1,255}}))')
    for names in ("doc_id|query_id|_id|id", "information_need_id|need_id")
)
"""A row's own id, and that of its need: the name of a row of needs alone."""


def jsonl_records(lines: Iterator[Line | Fault | Notice]) -> Iterator[Record | Fault | Notice]:
    """Records from lines; blank lines are passed over, a line that is no JSON object is a fault.

    Raises:
        FileRefused: the file is one JSON array, or one object spread over lines.
    """
    first = True
    for line in lines:
        if not isinstance(line, Line):
            yield line
            continue
        text = line.text.strip(" \t\r")
        if first and (text == "{" or text.startswith("[")):
            raise FileRefused("The file is one JSON value; write one object a line (JSONL).", line=line.number)
        if text:
            first = False
            yield _record(line)


def _record(line: Line) -> Record | Fault:
    try:
        return Record(line.number, json_object(line.text))
    except RowRefused as refusal:
        return Fault(line.number, _id_within(line.text), str(refusal))


def json_object(text: str, *, what: str = "line") -> dict[str, JsonValue]:
    """One JSON object, strictly read; `what` it is all of is named where it is none.

    Raises:
        RowRefused: the text is none, or holds what no text or number can keep.
    """
    if "\0" in text:
        raise RowRefused(NUL_REASON)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise RowRefused(f"The {what} is not JSON: {error.msg} at character {error.pos + 1:,}.") from error
    except RecursionError as error:
        raise RowRefused(f"The {what} is nested too deeply to be read.") from error
    if not isinstance(value, dict):
        raise RowRefused(f"The {what} is not a JSON object; write one {{...}} a line.")
    if _SUSPECT.search(text):
        _refuse_broken_text(value)
    return value


def _refuse_broken_text(value: JsonValue) -> None:
    text = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in text.replace("\\\\", ""):
        raise RowRefused(NUL_REASON)
    if _HALF_PAIR.search(text):
        raise RowRefused("The row holds half of a surrogate pair (\\uD800 to \\uDFFF); write the whole character.")


def _without_duplicates(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RowRefused(f"The key {twice} stands twice in one object; keep one.")
    return made


def _finite(literal: str) -> float:
    value = float(literal)
    if not math.isfinite(value):
        raise RowRefused(f"{literal[:40]} is not a number that can be kept.")
    return value


def _integer(literal: str) -> int:
    if len(literal) > _MOST_DIGITS:
        raise RowRefused(f"A number has {len(literal):,} digits; write it as text.")
    return int(literal)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_constant=_finite, parse_float=_finite, parse_int=_integer
)


def _id_within(text: str) -> str:
    """The id of a refused line where one can be seen, so that the report can name it."""
    found = next(filter(None, (names.search(text) for names in _IDS)), None)
    return (found.group(1) or found.group(2)) if found else ""
