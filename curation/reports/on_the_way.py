"""What comes to the plan of each stratum and what leaves it, of the queries that `coming.ways` lists."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .places import StratumKey


@dataclass(frozen=True, slots=True)
class OnTheWay:
    """The ready queries of a stratum that are to be judged elsewhere, and those of elsewhere that are for it.

    `coming` ones wait elsewhere on the way to its plan; of its own `passing` are on the way to other plans, and `bound`
    will count in another cell, planned or not. `again` tells how many of those that wait for it, wherever they are, are
    spellings of queries that count in another stratum, or wait for that: stratum → count; `coming_again` how many of
    those come from elsewhere, less those that leave.
    """

    bound: int = 0
    coming: int = 0
    passing: int = 0
    again: Mapping[int, int] = field(default_factory=dict)
    coming_again: Mapping[int, int] = field(default_factory=dict)


NOTHING_COMES = OnTheWay()


def on_the_way(strata: Mapping[int, tuple[StratumKey, int]], listed: Mapping[int, str]) -> dict[int, OnTheWay]:
    """What comes and leaves, of the strata where anything does; each query counts toward one plan alone.

    `strata`: key → its place and how many are planned; `listed`: key → its `ways`, in JSON.
    """
    plans = {place: key for key, (place, planned) in strata.items() if planned}

    def settles(stratum: int, language: str) -> int:
        return plans.get(strata[stratum][0]._replace(corpus_language=language), stratum)

    own, coming, passing = Counter[int](), Counter[int](), Counter[int]()
    again, coming_again = defaultdict[int, Counter[int]](Counter), defaultdict[int, Counter[int]](Counter)
    for here, language, original in _ways(listed):
        there = settles(here, language)
        own[here] += language != strata[here][0].corpus_language
        if is_moving := there != here:
            coming[there] += 1
            passing[here] += 1
        if original and (first := settles(*original)) != there:
            again[there][first] += 1
            coming_again[there][first] += is_moving
            coming_again[here][first] -= is_moving
    touched = {*own, *coming, *again}
    return {key: OnTheWay(own[key], coming[key], passing[key], again[key], coming_again[key]) for key in touched}


def _ways(listed: Mapping[int, str]) -> Iterator[tuple[int, str, tuple[int, str] | None]]:
    """Stratum, what its query is bound for, and the stratum and bound of the one that it is a spelling of."""
    for stratum, told in listed.items():
        for way in json.loads(told):
            language, *original = way.split()
            yield stratum, language, (int(original[0]), original[1]) if original else None
