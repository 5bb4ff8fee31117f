"""How a corpus's searches split over locales: a JSON object, or a table of locale and share as spreadsheets save it."""

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from curation.formats.faults import FileRefused
from curation.formats.shares import share_of
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale

_MOST_BYTES = 1 << 20
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SEPARATORS = ("\t", ";", ",")
"""What columns are separated by: the first of them that the file holds, because a comma may be a decimal one."""


class _Row(NamedTuple):
    """A locale and its share as written; `at` says where, "" in a JSON object, which has no lines to speak of."""

    locale: str
    written: object
    at: str


def read_traffic(path: Path) -> dict[str, float]:
    """Shares by locale tag as written, in the order of the file; whether they sum to 1 is not asked here.

    Raises:
        FileRefused: no such file, not UTF-8, a control character, a row that is no locale and share, or a locale twice.
    """
    shares: dict[str, float] = {}
    text = _text(path)
    _refuse_control(text)
    for locale, written, at in _rows(text):
        _refuse_control(f"{locale}{written}", written_as_escape=True)
        if locale in shares:
            raise FileRefused(f"The traffic file names {locale} twice{at and f', the second time{at}'}.")
        share = _share(written)
        if share is None:
            raise FileRefused(f"The traffic share of {locale}{at} is {str(written)[:40]}, which is no number.")
        shares[locale] = share
    if not shares:
        raise FileRefused("The traffic file names no locale. Write lines such as tr,0.02 or a JSON object.")
    return shares


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileRefused(f"No file can be read at {path}.") from error
    if len(raw) > _MOST_BYTES:
        raise FileRefused("The traffic file is larger than 1 MiB, which no list of locales is.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileRefused("The traffic file is not UTF-8. Save it as UTF-8.") from error


def _refuse_control(text: str, *, written_as_escape: bool = False) -> None:
    """Refuse a control character by its name: it is in the file and on no screen. JSON may write it as an escape."""
    found = _CONTROL.search(text)
    if found is None:
        return
    line = "" if written_as_escape else f" on line {text.count(chr(10), 0, found.start()) + 1}"
    point = f"U+{ord(found[0]):04X}"
    name = f"a NUL character ({point})" if found[0] == "\0" else f"the control character {point}"
    raise FileRefused(f"The traffic file holds {name}{line}, which belongs to no locale and no share; remove it.")


def _rows(text: str) -> Iterator[_Row]:
    if text.lstrip().startswith("{"):
        yield from (_Row(locale, written, "") for locale, written in _pairs(text))
        return
    is_first = True
    for number, cells in _table(text):
        if len(cells) != 2:
            columns = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
            raise FileRefused(
                f"Line {number} of the traffic file has {columns} where a locale and a share belong. Write tr,0.02, "
                "or with a decimal comma tr;0,02."
            )
        locale, share = cells
        if not (is_first and _is_header(locale, share)):
            yield _Row(locale, share, f" on line {number}")
        is_first = False


def _pairs(text: str) -> list[tuple[str, object]]:
    try:
        pairs: list[tuple[str, object]] = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError) as error:
        raise FileRefused('The traffic file is not JSON. Write an object such as {"en": 0.98, "tr": 0.02}.') from error
    return pairs


def _table(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not blank, with the line it ends on; empty cells at its end are dropped."""
    separator = next((each for each in _SEPARATORS if each in text), ",")
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise FileRefused(f"The traffic file is no table: {error}. Write lines such as tr,0.02.") from error


def _is_header(locale: str, written: str) -> bool:
    """Whether a row names its columns, in whatever language."""
    if share_of(written) is not None:
        return False
    try:
        canonical_locale(locale)
    except UnknownLocale:
        return True
    except ScriptNeeded:
        return False
    return False


def _share(written: object) -> float | None:
    if isinstance(written, bool) or not isinstance(written, int | float | str):
        return None
    return share_of(str(written))
