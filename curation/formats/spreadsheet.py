"""CSV for spreadsheets: text that a spreadsheet would run as a formula is neutralised, and can be read back.

A cell of text that begins like a formula gets an apostrophe in front, as OWASP's page on CSV injection advises,
and the row's last column names the cells that got one, so that reading takes away exactly what was added.
"""

import csv
import json
from collections.abc import Mapping, Sequence
from typing import TextIO

from curation.formats.records import JsonValue

MARKED = "apostrophe_added_to"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def write_spreadsheet(out: TextIO, rows: Sequence[Mapping[str, JsonValue]]) -> int:
    """Write rows as CSV with a byte order mark and CRLF, with a column for every name that any row has.

    Numbers stay numbers, what is missing is an empty cell, a list or object is its JSON text. Open `out` with
    `newline=""`. Returns how many cells of text got an apostrophe, for the page to say so.
    """
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out.write("\ufeff")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*columns, MARKED])
    changed = 0
    for row in rows:
        cells = [_cell(row.get(name)) for name in columns]
        marked = [name for name, cell in zip(columns, cells, strict=True) if _runs(cell)]
        changed += len(marked)
        shown = [f"'{cell}" if _runs(cell) else cell for cell in cells]
        writer.writerow([*shown, json.dumps(marked, ensure_ascii=False) if marked else ""])
    return changed


def _cell(value: JsonValue) -> str | float | None:
    if isinstance(value, bool | list | dict):
        return json.dumps(value, ensure_ascii=False)
    return value


def restore(fields: Mapping[str, str]) -> dict[str, str]:
    """A row of such a file with its texts as they were; a mark no longer readable changes nothing."""
    marked = _names_in(fields[MARKED])
    return {
        name: value.removeprefix("'") if name in marked else value for name, value in fields.items() if name != MARKED
    }


def _runs(cell: str | float | None) -> bool:
    return isinstance(cell, str) and cell.startswith(_FORMULA_STARTS)


def _names_in(cell: str) -> frozenset[str]:
    try:
        names = json.loads(cell) if cell else []
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()
