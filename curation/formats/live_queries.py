"""Live queries as a search service tells them: one JSON object a search, the same in a file and over the API."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.retrieval.folding import nfc
from curation.retrieval.locales import UNDETERMINED, canonical_locale

MOST_CHARACTERS = 2_000
MOST_SERVED = 1_000
LONGEST_TOKEN = 64
_FIRST_YEAR = 2000
_KNOWN = frozenset({"text", "locale", "asked_at", "served", "token"})


class LiveQueryRefused(ValueError):
    """A live query that cannot be stored; its text is one sentence for whoever sends it."""


@dataclass(frozen=True, slots=True)
class LiveText:
    """One search: what was asked, when, and the ids of the documents that were served, best first.

    `served` is None where the service does not say. `token` tells a search told twice from two alike.
    """

    text: str
    locale: str
    asked_at: datetime
    served: tuple[str, ...] | None
    token: str

    def require_by(self, moment: datetime) -> "LiveText":
        """The search itself, asked by `moment`.

        Raises:
            LiveQueryRefused: it was asked later.
        """
        if self.asked_at > moment:
            raise LiveQueryRefused(
                f"A search of {self.asked_at.isoformat()} lies in the future; set the clock of the search service."
            )
        return self


def read_line(line: str | bytes) -> LiveText:
    """The search on one line of a file.

    Raises:
        LiveQueryRefused: it is no JSON object, or as `read_object`.
    """
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise LiveQueryRefused("The line is no JSON; write one object a line.") from fault
    if not isinstance(fields, dict):
        raise LiveQueryRefused("The line is no JSON object; write one object a line.")
    return read_object(fields)


def read_object(fields: Mapping[str, Any]) -> LiveText:
    """The search that an object tells: `text` and `asked_at`, and `locale`, `served` and `token` where they are known.

    A locale that nobody knows is `und`: no search is lost over its tag.

    Raises:
        LiveQueryRefused: a field is missing, unknown, too long or of another type.
    """
    if strange := sorted(set(fields) - _KNOWN):
        raise LiveQueryRefused(f"There is no field {strange[0]!r}; known are {', '.join(sorted(_KNOWN))}.")
    text = nfc(_words(fields, "text", most=MOST_CHARACTERS)).strip()
    if not text:
        raise LiveQueryRefused("The field text is empty; it holds what was typed.")
    asked_at, served = _moment(fields), _served(fields.get("served"))
    locale = _locale(_words(fields, "locale", most=35))
    token = _words(fields, "token", most=LONGEST_TOKEN)
    told = json.dumps([text, locale, asked_at.isoformat(), served])
    return LiveText(text, locale, asked_at, served, token or hashlib.sha256(told.encode()).hexdigest())


def _words(fields: Mapping[str, Any], name: str, *, most: int) -> str:
    value = fields.get(name, "")
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > most:
        raise LiveQueryRefused(f"The field {name} must be a text of at most {most:,} characters.")
    if not _is_storable(value):
        raise LiveQueryRefused(f"The field {name} holds a letter that no text has (NUL or half of a pair).")
    return value


def _moment(fields: Mapping[str, Any]) -> datetime:
    try:
        moment = datetime.fromisoformat(_words(fields, "asked_at", most=40))
    except ValueError as fault:
        if isinstance(fault, LiveQueryRefused):
            raise
        raise LiveQueryRefused("The field asked_at must be a moment such as 2026-07-13T16:04:05Z.") from fault
    if moment.tzinfo is None:
        raise LiveQueryRefused("The field asked_at names no time zone; write 2026-07-13T16:04:05Z.")
    if moment.year < _FIRST_YEAR:  # a clock that was never set; and year 1 has no counterpart in zones to the west
        raise LiveQueryRefused(f"The field asked_at lies before {_FIRST_YEAR}; set the clock of the search service.")
    return moment


def _served(value: object) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > MOST_SERVED or not all(_is_id(name) for name in value):
        raise LiveQueryRefused(f"The field served must be a list of at most {MOST_SERVED:,} document ids, best first.")
    return tuple(value)


def _is_id(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= 500 and _is_storable(name)


def _is_storable(text: str) -> bool:
    """Whether every database keeps it: PostgreSQL takes neither NUL nor half of a pair, in JSON neither."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _locale(tag: str) -> str:
    try:
        return canonical_locale(tag) if tag else UNDETERMINED
    except ValueError:
        return UNDETERMINED
