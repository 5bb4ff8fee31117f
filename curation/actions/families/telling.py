"""How a family says how far its run is, in numbers and in words."""

from __future__ import annotations

from typing import Protocol


class Tell(Protocol):
    """Takes steps done, steps in all, and what was done so far in words; "" leaves the words to the family's own.

    Whatever it raises ends the run: that is how one is cancelled.
    """

    def __call__(self, done: int, total: int, words: str = "", /) -> None: ...


def counted(done: int, total: int, what: str) -> str:
    """Say it in words: 2,374 of 3,768 queries searched."""
    return f"{done:,} of {total:,} {what}"
