"""Draft queries for review: what a group is about, and the fewest facts that single out one member."""

from collections.abc import Sequence
from itertools import takewhile

import regex

from curation.miners.declared import TITLE
from curation.miners.differences import BETWEEN, Column, Passage
from curation.miners.facts import Kind

_TOPIC_WORDS = 8
# What a person would name first; an amount is most often what they ask for, so it comes last.
_NAMED_FIRST: tuple[Kind, ...] = ("jurisdiction", "version", "date", "duration", "percent", "count", "amount")
_FEWEST_WORDS = 3
_LOOSE = " ,;:.–-"
_LEVEL = regex.compile(r"\s*[›»|]\s*|\s[>/]\s")
_LEFT_OVER = regex.compile(r"[,:]\s*\S+\Z")
_WORD = regex.compile(r"\S+")


def topic(titles: Sequence[str], shared: Sequence[Passage]) -> str:
    """What all members are about: how their titles begin, else the words the titles share, else the text's opening."""
    words = [_WORD.findall(title) for title in titles]
    opening = [same[0] for same in takewhile(lambda each: len(set(each)) == 1, zip(*words, strict=False))]
    common = [word for word in words[0] if all(word in other for other in words)]
    found = last_level(" ".join(opening if len(opening) > 1 else common))
    if found:
        return found
    text = [word for passage in shared if passage.kind is None for word in _WORD.findall(passage.text)]
    return " ".join(text[:_TOPIC_WORDS]).strip(_LOOSE)


def draft_query(about: str, columns: Sequence[Column], *, member: int) -> str:
    """The topic and the fewest facts that only this member states, as it writes them.

    Where no facts tell the member apart, all of its differing facts are named and the reviewer has to add a word.
    """
    left = set(range(len(columns[0].keys))) if columns else set()
    named: list[str] = []
    for column in sorted(_telling(columns, member), key=lambda each: (*_unspoken(each), _alike(each, member))):
        alike = {other for other in left if column.keys[other] == column.keys[member]}
        if alike < left:
            left = alike
            named.append(_spoken(column, member, about=about))
        if left == {member}:
            break
    return " ".join([*_WORD.findall(about)[:_TOPIC_WORDS], *named])


def last_level(title: str) -> str:
    """The end of a path of headings, long enough to mean something by itself."""
    path = levels(title) or [""]
    while len(path) > 1 and len(path[-1].split()) < _FEWEST_WORDS:
        path[-2:] = [" ".join(path[-2:])]
    # What is left of "Hail deductible, edition 2025" once the editions are gone.
    return str(_LEFT_OVER.sub("", path[-1])) if len(path[-1].split()) > _FEWEST_WORDS else path[-1]


def levels(title: str) -> list[str]:
    """The headings of a path, from the widest to the closest."""
    return [bare for level in _LEVEL.split(title) if (bare := level.strip(_LOOSE))]


def _spoken(column: Column, member: int, *, about: str) -> str:
    """What the member states, after the words that lead up to it where neither field nor topic says them."""
    led_by = "" if column.declared or column.name.casefold() in about.casefold() else column.name
    once = {value.casefold(): value for value in (column.values[member] or "").split(BETWEEN)}
    return " ".join(filter(None, (led_by, *once.values())))


def _telling(columns: Sequence[Column], member: int) -> list[Column]:
    return [
        column for kind in _NAMED_FIRST for column in columns
        if column.kind == kind and column.differs and column.values[member]
    ]  # fmt: skip


def _unspoken(column: Column) -> tuple[bool, bool]:
    """What nobody says who does not know the answer: first an amount, then the edition that a title is told by."""
    return column.kind == "amount", column.kind == "version" and column.name == TITLE


def _alike(column: Column, member: int) -> int:
    return column.keys.count(column.keys[member])
