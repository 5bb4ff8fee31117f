"""TREC's lines of white-space separated columns, as trec_eval reads and writes them."""

import re
from collections.abc import Callable, Iterable

from curation.formats.columns import column_key
from curation.formats.faults import Fault, WriteRefused
from curation.formats.lines import NUL_REASON, Line
from curation.formats.records import Record
from curation.formats.tables import Lines, Records

# White space as C's isspace knows it, which is what trec_eval splits at: no-break spaces and U+2028 are letters.
_GAP = re.compile(r"[ \t\v\f\r]+")
_SPACE = " \t\v\f\r"
_MOST_NAMED = 50
JSONL_INSTEAD = "Export JSONL instead."


def columns_of(text: str) -> list[str]:
    """The columns of one line, outer space and gaps of any length removed."""
    stripped = text.strip(_SPACE)
    return _GAP.split(stripped) if stripped else []


def names_columns(text: str, *, known: frozenset[str]) -> bool:
    """Whether a line is a header: one of its tab or comma separated cells is a known column name."""
    return any(column_key(cell) in known for cell in re.split(r"[\t,]", text))


def trec_records(lines: Lines, name_columns: Callable[[list[str]], dict[str, str] | None]) -> Records:
    """Records from lines; `name_columns` gives None for a line with a wrong number of columns."""
    for line in lines:
        if not isinstance(line, Line):
            yield line
            continue
        columns = columns_of(line.text)
        if not columns:
            continue
        fields = name_columns(columns)
        if "\0" in line.text:
            yield Fault(line.number, "", NUL_REASON)
        elif fields is None:
            yield Fault(line.number, columns[0], f"The line has {len(columns):,} columns, which is no TREC form.")
        else:
            yield Record(line.number, fields)


def refuse_white_space(words: Iterable[str], *, way_out: str = JSONL_INSTEAD) -> None:
    """Check what will stand in a column of a TREC file.

    Evaluators written in Python split at every Unicode space, so any of them would tear an id in two.

    Raises:
        WriteRefused: lists the ids that hold white space.
    """
    torn = {word for word in words if not word or any(letter.isspace() for letter in word)}
    _refuse(torn, "TREC columns are separated by white space, which these ids hold", way_out)


def refuse_line_breaks(texts: Iterable[tuple[str, str]]) -> None:
    """Check (id, text) pairs that will each stand on one line behind a tab.

    Raises:
        WriteRefused: lists the ids whose text holds a tab or any line break.
    """
    torn = {word for word, text in texts if "\t" in text or len(f"{text}.".splitlines()) > 1}
    _refuse(torn, "Topics stand on one line each, and these texts hold a tab or a line break", JSONL_INSTEAD)


def _refuse(torn: set[str], reason: str, way_out: str) -> None:
    if torn:
        listed = ", ".join(repr(word) for word in sorted(torn)[:_MOST_NAMED])
        more = f" and {len(torn) - _MOST_NAMED:,} more" if len(torn) > _MOST_NAMED else ""
        raise WriteRefused(f"{reason}: {listed}{more}. {way_out}")
