"""A fact found in a text or declared beside it, and the kinds of fact that set near-duplicates apart."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "amount", "date", "percent", "count", "duration", "jurisdiction", "version",
    "citation", "article_number", "footnote",
]  # fmt: skip
Difference = Kind | Literal["wording", "formatting"]

# The order in which differences are listed and columns are shown.
DIFFERENCES: tuple[Difference, ...] = (
    "date", "amount", "percent", "count", "duration", "jurisdiction", "version",
    "citation", "article_number", "footnote", "wording", "formatting",
)  # fmt: skip
# Facts that people ask for; a group that differs in none of them is set aside, not reviewed.
ASKED_FOR: frozenset[Difference] = frozenset(DIFFERENCES[:7])


@dataclass(frozen=True)
class Fact:
    """One fact: its kind, a value that is equal where the facts are equal, and the words it was written in.

    `start` and `end` are character offsets into the text it was read from.
    """

    kind: Kind
    value: str
    written: str
    start: int
    end: int
