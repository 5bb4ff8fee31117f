"""The values one row gives, by field, each taken with a sentence for a value that does not fit."""

from collections.abc import Mapping
from dataclasses import dataclass

from curation.formats.faults import RowRefused, Tally
from curation.formats.ids import checked_id
from curation.formats.records import JsonValue

_TRUE = frozenset({"true", "yes", "1"})
_FALSE = frozenset({"false", "no", "0", ""})


@dataclass(slots=True)
class Taken:
    """One row by field. `rest` is every column that no field used, under its own name.

    `external_id` is set by the reader once it knows the row's id, so that faults and notices can name it.
    """

    line: int
    values: Mapping[str, JsonValue]
    rest: dict[str, JsonValue]
    tally: Tally
    external_id: str = ""

    def tell(self, subject: str) -> None:
        """Count this row under a notice; `subject` is a clause."""
        self.tally.add(subject, line=self.line, external_id=self.external_id)

    def value(self, name: str) -> JsonValue:
        """The raw value, None where the row has none."""
        return self.values.get(name)

    def id(self, name: str, *, what: str) -> str:
        """An id that must be there; raises `RowRefused` as `checked_id` does."""
        return checked_id(self.value(name), what=what)

    def optional_id(self, name: str, *, what: str) -> str:
        """An id, or "" where the row has none."""
        return "" if is_empty(self.value(name)) else self.id(name, what=what)

    def text(self, name: str) -> str:
        """Text as written, "" where there is none.

        Raises:
            RowRefused: a number, truth value, list or object stands there.
        """
        value = self.value(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise RowRefused(f"The field {name} is not text; put it in quotes so that it stays as written.")
        return value

    def plain(self, name: str) -> str:
        """A text or number in the file's own characters (a JSON decimal in its shortest form), else ""."""
        value = self.value(name)
        if isinstance(value, bool | list | dict):
            raise RowRefused(f"The field {name} must hold text or a number.")
        return "" if value is None else str(value)

    def flag(self, name: str) -> bool:
        """true, yes or 1 against false, no, 0 or nothing, in any case."""
        value = self.value(name)
        written = "" if value is None else str(value).strip().casefold()
        if written not in _TRUE | _FALSE:
            raise RowRefused(f"The field {name} holds {written[:40]}; write true or false.")
        return written in _TRUE


def is_empty(value: JsonValue) -> bool:
    """Whether a cell says nothing; "NA", "null" and "None" are text and say something."""
    return value is None or value == ""
