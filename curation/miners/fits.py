"""Which members of a near-duplicate group a query still fits, by the facts that the query names.

A query names a fact of the group where it states one of the same kind (read as facts are read out of texts), or holds
the very words in which a member states it; a place also in small letters and in the query's own language, as people
type. A fact that no member states fits none of them, except a bare count, which then is part of the wording (form 5).
Kinds in which the members do not differ tell nothing apart.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from curation.miners import cldr
from curation.miners.differences import BETWEEN, ordered
from curation.miners.facts import ASKED_FOR, Difference, Fact, Kind
from curation.miners.kept import KeptGroup
from curation.miners.reading import facts_in

_TAKEN = "\0"


@dataclass(frozen=True)
class Naming:
    """A fact named in the query: its kind, the words that name it, and the members (by place, from 0) that state it."""

    kind: Kind
    words: str
    members: frozenset[int]


@dataclass(frozen=True)
class Fit:
    """What the query names, and for each member the kinds that rule it out (none: the query fits it)."""

    named: tuple[Naming, ...]
    against: tuple[tuple[Difference, ...], ...]

    @property
    def fitting(self) -> tuple[int, ...]:
        """Places of the members that the query fits, from 0."""
        return tuple(place for place, kinds in enumerate(self.against) if not kinds)

    @property
    def stated_by_none(self) -> tuple[Naming, ...]:
        """What the query names and no member states."""
        return tuple(naming for naming in self.named if not naming.members)


def fit(query: str, locale: str, group: KeptGroup) -> Fit:
    """Hold a query of a canonical locale against the facts of a group."""
    named = tuple(_Reading(query, locale, group).namings())
    against = (
        ordered(naming.kind for naming in named if place not in naming.members) for place in range(len(group.members))
    )
    return Fit(named, tuple(against))


class _Reading:
    """One query read against one group; `left` is what of the query no fact has taken yet."""

    def __init__(self, query: str, locale: str, group: KeptGroup) -> None:
        self.left = query
        self.locale = locale
        self.group = group
        self.columns = [column for column in group.columns if column.differs and column.kind in ASKED_FOR]
        kinds = {column.kind for column in self.columns}
        places = {value for column in self.columns if column.kind == "jurisdiction" for value in _parts(column.values)}
        read = facts_in(query, locale, declared=frozenset(places))
        self.facts = [fact for fact in read if fact.kind in kinds]

    def namings(self) -> Iterator[Naming]:
        """Facts that members state, then words in which they state them, then facts that nobody states."""
        for fact in self.facts:
            stating = self._stating(fact)
            if stating:
                yield Naming(fact.kind, self._taken(fact.start, fact.end), stating)
        for spelling, (kind, members) in sorted(self._spellings().items(), key=lambda each: (-len(each[0]), each[0])):
            for found in _whole(spelling, self.locale).finditer(self.left):
                yield Naming(kind, self._taken(*found.span()), frozenset(members))
        for fact in self.facts:
            if fact.kind != "count" and self.left[fact.start : fact.end] == fact.written:
                yield Naming(fact.kind, self._taken(fact.start, fact.end), frozenset())

    def _taken(self, start: int, end: int) -> str:
        words = self.left[start:end]
        self.left = self.left[:start] + _TAKEN * len(words) + self.left[end:]
        return words

    def _stating(self, fact: Fact) -> frozenset[int]:
        if any(same.kind == fact.kind and _meet(same.value, fact.value) for same in self.group.same):
            return frozenset(range(len(self.group.members)))
        return frozenset(
            place
            for column in self.columns
            if column.kind == fact.kind
            for place, key in enumerate(column.keys)
            if any(_meet(each, fact.value) for each in _parts([key]))
        )

    def _spellings(self) -> dict[str, tuple[Kind, set[int]]]:
        """The words in which members state their facts, with the members that state them."""
        spellings: dict[str, tuple[Kind, set[int]]] = {}
        for column in self.columns:
            for place, (value, key) in enumerate(zip(column.values, column.keys, strict=True)):
                for spelling in (*_parts([value]), *_other_names(column.kind, _parts([key]), self.locale)):
                    spellings.setdefault(spelling, (column.kind, set()))[1].add(place)
        return spellings


def _parts(joined: Iterable[str | None]) -> list[str]:
    return [part for each in joined if each for part in each.split(BETWEEN)]


def _meet(stated: str, named: str) -> bool:
    """Whether two values say the same; a date also where one only says less (2025-04 of 2025-04-01)."""
    return stated == named or f"{stated}-".startswith(f"{named}-") or f"{named}-".startswith(f"{stated}-")


def _other_names(kind: Kind, keys: list[str], locale: str) -> list[str]:
    """How people name a fact besides: a place in their own language, a version by its bare number."""
    if kind == "jurisdiction":
        return [name for name, code in cldr.territories(locale).items() if code in keys and len(name) > len(code)]
    return keys if kind == "version" else []


@lru_cache(maxsize=1024)
def _whole(spelling: str, locale: str) -> "regex.Pattern[str]":
    words = cldr.whole(cldr.alternatives([spelling, cldr.capitals(spelling, locale)]), locale)
    return regex.compile(rf"(?<!\p{{N}}|\p{{N}}[.,]){words}(?!\p{{N}}|[.,]\p{{N}})", regex.IGNORECASE)
