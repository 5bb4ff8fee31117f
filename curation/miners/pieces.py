"""Texts as comparable pieces: a fact, else a word, else a sign; scripts without spaces go letter by letter."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from curation.miners.facts import Fact

# Levenshtein's matrix is 2 bits a cell: 25 MB for two texts of this length. What follows is compared as one piece.
MOST_PIECES = 10_000
_PIECE = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*"
    r"|[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}]+)*|\S"
)
_WORD = regex.compile(r"[\p{L}\p{N}]")


@dataclass(frozen=True)
class Piece:
    """One piece of a text: `key` is equal where two pieces say the same; `fact` is set where it is one."""

    key: str
    start: int
    end: int
    fact: Fact | None = None

    @property
    def is_word(self) -> bool:
        """False for a lone sign, which is formatting."""
        return self.fact is not None or bool(_WORD.search(self.key))


def pieces(text: str, facts: Sequence[Fact]) -> list[Piece]:
    """A text cut into facts, words and signs, in order.

    Words compare as written, so that a change of case shows as formatting; facts compare by kind and value.
    """
    edges = [0, *(edge for fact in facts for edge in (fact.start, fact.end)), len(text)]
    found: list[Piece] = []
    for number, (start, end) in enumerate(pairwise(edges)):
        if number % 2:
            fact = facts[number // 2]
            found.append(Piece(f"\0{fact.kind} {fact.value}", start, end, fact))
        else:
            found.extend(Piece(m[0], *m.span()) for m in _PIECE.finditer(text, start, end))
    if len(found) <= MOST_PIECES:
        return found
    tail = found[MOST_PIECES]
    return [*found[:MOST_PIECES], Piece(text[tail.start :], tail.start, len(text))]
