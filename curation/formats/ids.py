"""Ids are kept byte for byte; what cannot be told apart on a screen, or breaks a line format, is refused."""

import unicodedata
from collections.abc import Iterable

from curation.formats.faults import RowRefused
from curation.formats.records import JsonValue

MOST_CHARACTERS = 500


class IdForms:
    """Remembers ids by their composed form (NFC), to find two that differ in nothing a reader can see."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._by_form = {unicodedata.normalize("NFC", known_id): known_id for known_id in known}

    def add(self, external_id: str) -> None:
        """Remember an id.

        Raises:
            RowRefused: another id, different in its characters, has the same composed form.
        """
        known = self._by_form.setdefault(unicodedata.normalize("NFC", external_id), external_id)
        if known != external_id:
            raise RowRefused(
                f"The id {external_id} looks the same as one already there and is written with other characters "
                f"({_points(external_id)} against {_points(known)}); write both the same way or rename one."
            )


def checked_id(value: JsonValue, *, what: str) -> str:
    """The id as written; a whole number in JSON is kept as its digits.

    Raises:
        RowRefused: missing, empty, a decimal number or truth value, a control character inside, or too long.
    """
    if value is None or value == "":
        raise RowRefused(f"The {what} is empty.")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RowRefused(f"The {what} is not text; put it in quotes so that it stays as written.")
    written = str(value)
    if not written.strip():
        raise RowRefused(f"The {what} is only white space.")
    if not written.isprintable() and any(unicodedata.category(character) == "Cc" for character in written):
        raise RowRefused(f"The {what} holds a line break, a tab or another control character; rename it.")
    if len(written) > MOST_CHARACTERS:
        raise RowRefused(f"The {what} has {len(written):,} characters; at most {MOST_CHARACTERS} are kept.")
    return written


def _points(text: str) -> str:
    """The characters beyond ASCII by number: the only way to show that two equal looking ids differ."""
    return " ".join(f"U+{ord(character):04X}" for character in text if not character.isascii()) or "plain letters"
