"""Other spellings of counted queries: each counts in its own stratum, and with its original once where both are in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .counts import StratumCount, total
from .on_the_way import NOTHING_COMES


def again_in(strata: Sequence[StratumCount]) -> list[StratumCount]:
    """What `strata` hold again: the counts of those queries that are other spellings of queries counted among them."""
    if not any(count.respelt for count in strata):
        return []
    held = {count.stratum_id for count in strata}
    return [part.counts for count in strata for part in count.respelt if part.first in held]


def counted_once(strata: Sequence[StratumCount]) -> int:
    """How many queries count in `strata`, each with its other spellings once."""
    return sum([count.n for count in strata]) - sum([part.n for part in again_in(strata)])


def hits_once(strata: Sequence[StratumCount], name: str = "hits") -> int | None:
    """How many of those a run finds (`beside_hits`: a second run); None where it was not measured."""
    hits = total([getattr(count, name) for count in strata])
    return None if hits is None else hits - sum(getattr(part, name) or 0 for part in again_in(strata))


def coming_once(strata: Sequence[StratumCount]) -> int:
    """How many queries come to `strata` from elsewhere, less those that leave, each with its other spellings once."""
    ways = [count.way for count in strata if count.way is not NOTHING_COMES]
    held = {count.stratum_id for count in strata} if ways else set()
    again = sum(n for way in ways for first, n in way.coming_again.items() if first in held)
    return max(0, sum(way.coming - way.passing for way in ways) - again)


def waiting_again(strata: Sequence[StratumCount]) -> list[int]:
    """Of the queries that wait for each of `strata`: how many are spellings of what counts in or waits for another."""
    held = {count.stratum_id for count in strata}
    return [sum(n for first, n in count.way.again.items() if first in held) for count in strata]


def locale_sizes(counts: Iterable[StratumCount]) -> dict[str, int]:
    """Locale → the queries that count in it, each with its other spellings once."""
    strata: dict[str, list[StratumCount]] = {}
    for count in counts:
        strata.setdefault(count.query_language, []).append(count)
    return {locale: counted_once(held) for locale, held in strata.items()}
