"""How far an import is, in words for whoever waits and in shares of the whole for the time it still takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

V = TypeVar("V")

Tell = Callable[[int, int, str], None]
"""Is told the steps done, the steps in all (0 where nobody knows) and both in words; may raise to end the import."""

EVERY = 1_000
"""Rows between two words."""
WHOLE, READ, COMPARED = 1_000, 170, 280
"""Steps of the whole import of new documents, and those of them that are done when all is read, and when all is
compared: of 100,000 documents PostgreSQL had them after 13 and 19 % of the time, SQLite after 21 and 35 %."""


def untold(_done: int, _total: int, _words: str) -> None:
    """For imports that nobody waits for."""


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """Tells how far an import is. `expected` is how many rows a look at the file found, 0 where nobody looked."""

    tell: Tell = untold
    expected: int = 0

    def read(self, rows: int) -> None:
        """So many rows are read."""
        if self.expected and rows <= self.expected:
            self._share(rows, self.expected, "rows read", within=(0, READ))
        else:
            self.tell(0, 0, f"{rows:,} rows read")

    def compared(self, done: int, of: int) -> None:
        """So many of the rows are compared with what is stored."""
        if done % EVERY == 0 or done == of:
            self._share(done, of, "rows compared with the corpus", within=(READ, COMPARED))

    def storing(self, rows: int) -> None:
        """The rows, so many, are being stored, where nobody counts them."""
        self.tell(0, 0, f"{rows:,} rows read, and being stored")

    def done(self, stored: int, read: int) -> None:
        """So many of the rows are stored, all that are to be."""
        self.tell(WHOLE, WHOLE, f"{stored:,} of {read:,} rows stored")

    def _share(self, done: int, of: int, words: str, *, within: tuple[int, int]) -> None:
        first, last = within
        self.tell(first + (last - first) * done // max(of, 1), WHOLE, f"{done:,} of {of:,} {words}")


@dataclass(slots=True)
class Stored:
    """Tells how many of the rows of an import are stored, one kind after the other. `of` is how many there are."""

    progress: ImportProgress
    of: int
    done: int = 0

    def each(self, blocks: Iterable[list[V]], of: int, what: str) -> Iterator[list[V]]:
        """The blocks of `of` rows of one kind, `what` they are, each to be stored before the next is taken."""
        before = self.done
        for block in blocks:
            yield block
            self.done += len(block)
            share = COMPARED + (WHOLE - COMPARED) * self.done // self.of
            self.progress.tell(share, WHOLE, f"{self.done - before:,} of {of:,} {what} stored")
