"""What every import takes and what it answers: each row read is stored, merged or refused, and never two of them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from curation.actions.import_progress import EVERY, ImportProgress
from curation.actions.memory import Room
from curation.actions.writing import Guard, one_write
from curation.formats.faults import Fault, FileRefused, Notice, Tally
from curation.formats.tables import Reading

Row = TypeVar("Row")
LOOK_EVERY = 10_000
"""Rows between two looks whether they still fit into memory."""


class Placed(Protocol):
    """A row that knows its line in the file."""

    @property
    def line(self) -> int:
        """Its line, from 1."""


@dataclass(frozen=True, slots=True)
class Intake:
    """A file to import. Without `keep_good` one refused row refuses them all; a `dry_run` stores nothing.

    `guard` opens the transaction to write in, where that is not any one. `progress` hears how far the import is.
    """

    path: Path
    reading: Reading = field(default_factory=Reading)
    keep_good: bool = False
    dry_run: bool = False
    guard: Guard | None = None
    progress: ImportProgress = field(default_factory=ImportProgress)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a file: `read` = `stored` + `merged` + `refused`.

    A row counts as stored where it added or changed something, as merged where all of it was there already. The good
    rows of a file that was refused whole count as refused, under one error of line 0. `standing` counts what became of
    the documents that were here before a whole corpus came in.
    """

    read: int
    stored: int
    merged: int
    errors: tuple[Fault, ...] = ()
    notices: tuple[Notice, ...] = ()
    dry_run: bool = False
    standing: dict[str, int] | None = None

    @property
    def refused(self) -> int:
        """Rows of which nothing was stored."""
        return self.read - self.stored - self.merged

    def joined(self, other: "Receipt", *, what: str) -> "Receipt":
        """This receipt with what a second file came to, whose rows are not counted among the first's."""
        said = Notice(0, "", f"{other.stored:,} {what} stored, {other.merged:,} merged, {other.refused:,} refused.")
        return replace(self, errors=self.errors + other.errors, notices=(*self.notices, said, *other.notices))

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "Receipt":
        """The receipt that `as_json` wrote."""
        return cls(
            fields["read"],
            fields["stored"],
            fields["merged"],
            errors=tuple(Fault(**error) for error in fields["errors"]),
            notices=tuple(Notice(**notice) for notice in fields["notices"]),
            dry_run=bool(fields.get("dry_run")),
            standing=fields.get("standing"),
        )

    def as_json(self) -> dict[str, object]:
        """The answer of `--json`."""
        errors = [{"line": fault.line, "id": fault.id, "reason": fault.reason} for fault in self.errors]
        notices = [{"line": notice.line, "id": notice.id, "text": notice.text} for notice in self.notices]
        counts = {"read": self.read, "stored": self.stored, "merged": self.merged, "refused": self.refused}
        more: dict[str, object] = {"dry_run": True} if self.dry_run else {}
        if self.standing is not None:
            more["standing"] = self.standing
        return {**counts, "errors": errors, "notices": notices, **more}


@dataclass(slots=True)
class Ledger:
    """Counts the rows of one file while they are looked at."""

    intake: Intake
    read: int = 0
    stored: int = 0
    merged: int = 0
    faults: list[Fault] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    broken: bool = False
    standing: dict[str, int] | None = None
    sums: list[str] = field(default_factory=list)

    def rows(self, reader: Iterable[Row | Fault | Notice]) -> list[Row]:
        """All rows of the file; what else the reader says goes into the ledger.

        Raises:
            Refused: they do not fit into memory.
        """
        rows: list[Row] = []
        room = Room()
        try:
            for row in reader:
                if self.read % LOOK_EVERY == 0:
                    room.require(self.read)
                if self.read % EVERY == 0:
                    self.intake.progress.read(self.read)
                if isinstance(row, Notice):
                    self.notices.append(row)
                elif isinstance(row, Fault):
                    self.read += 1
                    self.faults.append(row)
                else:
                    self.read += 1
                    rows.append(row)
        except FileRefused as refusal:
            self.broken = True
            self.read += bool(refusal.line)  # a file that cannot be opened has no rows
            self.faults.append(refusal.fault)
        self.intake.progress.read(self.read)
        return rows

    def refuse(self, row: Placed, external_id: str, reason: str) -> None:
        """Refuse one row that was read."""
        self.faults.append(Fault(row.line, external_id, reason))

    def tell(self, text: str, *, line: int = 0, external_id: str = "") -> None:
        """Say something that refuses nothing."""
        self.notices.append(Notice(line, external_id, text))

    def sum_up(self, text: str) -> None:
        """Say once, as an error of the whole file, what its refused rows have in common."""
        self.sums.append(text)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The one write of the import.

        Raises:
            Refused: someone else wrote the same rows meanwhile.
        """
        with one_write(self.intake.guard):
            self.intake.progress.storing(self.read)
            yield
            self.intake.progress.done(self.stored, self.read)

    @property
    def stores(self) -> bool:
        """Whether the good rows are to be written."""
        return not self.intake.dry_run and not self.held

    @property
    def held(self) -> bool:
        """Whether the good rows are kept back because of the others."""
        return self.broken or (bool(self.faults) and not self.intake.keep_good)

    def receipt(self) -> Receipt:
        """The answer, its errors and notices in the order of the file."""
        good = self.stored + self.merged
        faults = sorted(self.faults, key=lambda fault: fault.line)
        if self.held and good:
            self.sum_up(self._summary())
        faults.extend(Fault(0, "", text) for text in self.sums)
        notices = sorted([*self.notices, *self.tally.notices()], key=lambda notice: notice.line)
        return Receipt(
            read=self.read,
            stored=0 if self.held else self.stored,
            merged=0 if self.held else self.merged,
            errors=tuple(faults),
            notices=tuple(notices),
            dry_run=self.intake.dry_run,
            standing=None if self.held else self.standing,
        )

    def _summary(self) -> str:
        if self.broken:
            return "Nothing was stored, because the file could not be read to its end."
        rows = "1 row is" if len(self.faults) == 1 else f"{len(self.faults):,} rows are"
        way_out = "Correct the file, or store its good rows alone (--keep-good, over the API keep_good=true)."
        return f"Nothing was stored, because {rows} refused. {way_out}"
