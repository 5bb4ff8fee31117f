"""JSON Lines out: the same object gives the same bytes, and every object stays on one line in every reader."""

import json
from collections.abc import Collection, Mapping

from curation.formats.records import JsonValue
from curation.formats.taken import is_empty

# Letters that JSON allows bare and that some readers take for line ends.
_LINE_ENDS = {ord(letter): f"\\u{ord(letter):04x}" for letter in "\u0085\u2028\u2029"}


def json_line(fields: Mapping[str, JsonValue]) -> str:
    """One line with its line feed: keys in the order given, letters beyond ASCII bare, line ends escaped.

    Raises:
        ValueError: a number is not finite.
    """
    return json.dumps(fields, ensure_ascii=False, allow_nan=False).translate(_LINE_ENDS) + "\n"


def with_extra(
    fields: Mapping[str, JsonValue], extra: Mapping[str, JsonValue], *, always: Collection[str] = ()
) -> dict[str, JsonValue]:
    """The fields that are filled (or stand in `always`), then the other columns under their own names.

    A column that has the name of a field gets a trailing mark, so that neither is lost.
    """
    made = {name: value for name, value in fields.items() if name in always or not is_empty(value)}
    return made | {f"{name}_" if name in fields else name: value for name, value in extra.items()}


def beir_object(fields: Mapping[str, JsonValue], *, own_id: str) -> dict[str, JsonValue]:
    """The object as BEIR lays it out: `_id`, `title`, `text`, and all else under `metadata`."""
    placed = {own_id, "title", "text"}
    return {
        "_id": fields[own_id],
        **({"title": fields["title"]} if "title" in fields else {}),
        "text": fields["text"],
        "metadata": {name: value for name, value in fields.items() if name not in placed},
    }
