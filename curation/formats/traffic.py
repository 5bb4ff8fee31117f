"""How a corpus's searches split over locales: a JSON object, or CSV of locale and share."""

import csv
import json
import math
from pathlib import Path

from curation.formats.faults import FileRefused

_MOST_BYTES = 1 << 20
_HEADERS = {"locale", "lang", "language"}


def read_traffic(path: Path) -> dict[str, float]:
    """Shares by locale tag as written, in the order of the file; whether they sum to 1 is not asked here.

    Raises:
        FileRefused: no such file, not UTF-8, a locale twice, or a share that is no number.
    """
    pairs = _pairs(_text(path))
    if not pairs:
        raise FileRefused("The traffic file names no locale. Write lines such as tr,0.02 or a JSON object.")
    shares: dict[str, float] = {}
    for locale, written in pairs:
        if locale in shares:
            raise FileRefused(f"The traffic file names {locale} twice.")
        shares[locale] = _share(locale, written)
    return shares


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileRefused(f"No file can be read at {path}.") from error
    if len(raw) > _MOST_BYTES:
        raise FileRefused("The traffic file is larger than 1 MiB, which no list of locales is.")
    try:
        return raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise FileRefused("The traffic file is not UTF-8. Save it as UTF-8.") from error


def _pairs(text: str) -> list[tuple[str, object]]:
    if text.startswith("{"):
        try:
            pairs: list[tuple[str, object]] = json.loads(text, object_pairs_hook=list)
        except (ValueError, RecursionError) as error:
            raise FileRefused(
                'The traffic file is not JSON. Write an object such as {"en": 0.98, "tr": 0.02}.'
            ) from error
        return pairs
    try:
        lines = list(csv.reader(text.splitlines(), delimiter=_delimiter(text)))
    except csv.Error as error:
        raise FileRefused(f"The traffic file is no table: {error}. Write lines such as tr,0.02.") from error
    rows = [[cell.strip() for cell in row] for row in lines if row]
    if any(len(row) != 2 for row in rows):
        raise FileRefused("Each line of the traffic file needs a locale and a share, such as tr,0.02.")
    return [(locale, share) for locale, share in rows if locale.casefold() not in _HEADERS]


def _delimiter(text: str) -> str:
    return "\t" if "\t" in text.partition("\n")[0] else ","


def _share(locale: str, written: object) -> float:
    try:
        share = math.nan if isinstance(written, bool) or not isinstance(written, int | float | str) else float(written)
    except (ValueError, OverflowError):
        share = math.nan
    if not math.isfinite(share):
        raise FileRefused(f"The traffic share of {locale} is {str(written)[:40]}, which is no number.")
    return share
