"""Which short queries of a log are proposed: the most asked, some by chance, and some in proportion, by stratum.

Chance is a hash of the seed and the query, so a draw is the same in every order of the log and on every machine, and
most of it stays when the log grows (Ohlsson, "Coordination of samples using permanent random numbers", 1995).
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from curation.miners.short_keyword import KeywordQuery

Way = Literal["top", "random", "proportional"]
WAYS: tuple[Way, ...] = ("top", "random", "proportional")
MOST = 10_000
NOTHING_DRAWN = (
    "These numbers draw no keyword query; at least one of most asked, by chance and in proportion is above 0."
)


class Stratum(NamedTuple):
    """What queries are drawn within: their locale, stated or guessed, their script class and their type."""

    locale: str
    script: str
    query_type: str


@dataclass(frozen=True)
class Draw:
    """How many queries are proposed.

    `top` and `random` count in each stratum; `proportional` is shared out among the strata by their searches, and
    within one a query's chance grows with its own searches.
    """

    top: int = 50
    random: int = 25
    proportional: int = 100
    seed: int = 1

    @property
    def is_empty(self) -> bool:
        """Whether no log, however long, gives a query."""
        return not (self.top or self.random or self.proportional)


@dataclass(frozen=True)
class Drawn:
    """One query, how it was drawn, and from what: `of` queries stand in its stratum."""

    query: KeywordQuery
    stratum: Stratum
    way: Way
    of: int


@dataclass(frozen=True)
class Layer:
    """One stratum: its queries, their searches in all, and how many were drawn in each way."""

    stratum: Stratum
    found: int
    searches: int
    drawn: Mapping[Way, int]


@dataclass(frozen=True)
class Selection:
    """The queries drawn, the most asked first, and their strata, the one with most searches first."""

    drawn: tuple[Drawn, ...]
    layers: tuple[Layer, ...]


def select(queries: Sequence[KeywordQuery], *, stratum_of: Callable[[KeywordQuery], Stratum], draw: Draw) -> Selection:
    """Draw from each stratum; a query is drawn once, in the first way that takes it."""
    strata: defaultdict[Stratum, list[KeywordQuery]] = defaultdict(list)
    for query in sorted(queries, key=_most_asked):
        strata[stratum_of(query)].append(query)
    searches = {stratum: sum(query.count for query in members) for stratum, members in strata.items()}
    first = {stratum: _Taken(members, draw) for stratum, members in strata.items()}
    room = {stratum: len(taken.left) for stratum, taken in first.items()}
    shares = shared_out(draw.proportional, searches, room=room)
    drawn = [
        Drawn(query, stratum, way, of=len(strata[stratum]))
        for stratum, taken in first.items()
        for way, those in taken.ways(share=shares[stratum])
        for query in those
    ]
    ordered = sorted(strata, key=lambda stratum: (-searches[stratum], stratum))
    counts = Counter((each.stratum, each.way) for each in drawn)
    return Selection(
        drawn=tuple(sorted(drawn, key=lambda each: _most_asked(each.query))),
        layers=tuple(
            Layer(each, len(strata[each]), searches[each], {way: counts[each, way] for way in WAYS}) for each in ordered
        ),
    )


def shared_out(total: int, sizes: Mapping[Stratum, int], *, room: Mapping[Stratum, int]) -> dict[Stratum, int]:
    """Whole shares of `total` in proportion to `sizes`, by largest remainder; none is larger than its stratum's room.

    What finds no room is shared out among the others. Ties go to the first stratum by name.
    """
    shares = dict.fromkeys(sizes, 0)
    while (left := total - sum(shares.values())) and (
        open_ones := [each for each in sizes if shares[each] < room[each]]
    ):
        whole = sum(sizes[each] for each in open_ones)
        floors = {each: left * sizes[each] // whole for each in open_ones}
        remainders = sorted(open_ones, key=lambda each: (-(left * sizes[each] % whole), each))
        for each in remainders[: left - sum(floors.values())]:
            floors[each] += 1
        for each, share in floors.items():
            shares[each] += min(share, room[each] - shares[each])
    return shares


class _Taken:
    """What a draw takes of one stratum's queries, which come the most asked first."""

    def __init__(self, members: Sequence[KeywordQuery], draw: Draw) -> None:
        self.seed = draw.seed
        self.top, rest = members[: draw.top], members[draw.top :]
        by_chance = sorted(rest, key=lambda query: _chance(query, draw.seed, "random"))
        self.random, self.left = by_chance[: draw.random], by_chance[draw.random :]

    def ways(self, *, share: int) -> Iterator[tuple[Way, Sequence[KeywordQuery]]]:
        """The queries by the way they were drawn, `share` of them in proportion to their searches."""
        yield "top", self.top
        yield "random", self.random
        yield "proportional", sorted(self.left, key=self._weighed)[:share]

    def _weighed(self, query: KeywordQuery) -> float:
        """The least are drawn: Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006."""
        return -math.log(_chance(query, self.seed, "proportional")) / query.count


def _chance(query: KeywordQuery, seed: int, way: Way) -> float:
    """A number above 0 and up to 1, the same for this query, seed and way everywhere."""
    digest = hashlib.sha256(f"{seed} {way} {query.locale} {query.text}".encode()).digest()
    return (int.from_bytes(digest[:6]) + 1) / 2**48


def _most_asked(query: KeywordQuery) -> tuple[int, str, str]:
    return (-query.count, query.text, query.locale)
