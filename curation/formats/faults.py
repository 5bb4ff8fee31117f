"""What a reader says besides its rows: a fault refuses one row, a notice tells, a refusal ends the file."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One row that cannot be stored. `line` counts from 1 as an editor does; 0 means the whole file.

    `id` is the row's own id as written, or "" where it could not be read. `reason` is one plain sentence.
    """

    line: int
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that was read in a way worth telling; nothing is refused because of it."""

    line: int
    id: str
    text: str


class FileRefused(ValueError):
    """Nothing of this file may be stored, not even its good rows. `line` is 0 where no line is to blame."""

    def __init__(self, reason: str, *, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line

    @property
    def fault(self) -> Fault:
        """The refusal in the shape import reports list."""
        return Fault(self.line, "", str(self))


class RowRefused(ValueError):
    """Raised while one row is built; the reader turns it into a `Fault` with the row's line and id."""


class WriteRefused(ValueError):
    """The form asked for cannot hold what would be written; nothing was written."""


class Tally:
    """Counts what happened to many rows, so that a long file earns one notice a subject, not one a row."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._first: dict[str, tuple[int, str]] = {}

    def add(self, subject: str, *, line: int, external_id: str) -> None:
        """Count one row under `subject`, a clause such as "a grade written 1.0 was read as 1"."""
        self._counts[subject] = self._counts.get(subject, 0) + 1
        self._first.setdefault(subject, (line, external_id))

    def notices(self) -> Iterator[Notice]:
        """One notice a subject, placed at the first row it happened to."""
        for subject, count in self._counts.items():
            line, external_id = self._first[subject]
            rows = "1 row" if count == 1 else f"{count:,} rows"
            yield Notice(line, external_id, f"In {rows}, {subject}.")
