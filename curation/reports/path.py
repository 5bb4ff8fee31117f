"""The cheapest path that makes every planned locale readable at a count target (docs/adr/0020).

A locale is read in its main cell: one query language crossed with one document language. Where no such cell of a
planned locale holds the target, the one that takes the fewest seconds is filled. Before that, where the worst cell of
all has a planned twin that differs in nothing but script, the twin is filled, so that the two can be told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heapreplace

from curation.measures.cost import Cost
from curation.measures.targets import level_reached, next_target
from curation.measures.weights import oversampling

from .counts import DIMENSIONS, StratumCount
from .spellings import again_in, waiting_again
from .steps import Path, Rates, Step

PAIR = DIMENSIONS[:2]
SPLIT, UNREADABLE = "Splits the worst cell by script", "Locale not readable"
MAIN_CELL = ("Main cell below Screen", "Main cell only at Screen", "Main cell only at Gate")
"""Why a readable locale is on the path, by the count targets that its main cell has reached."""


def path_of(
    counts: Sequence[StratumCount],
    *,
    target: int,
    worst: Mapping[str, str] | None = None,
    shares: Mapping[str, float] | None = None,
    rates: Rates | None = None,
) -> Path:
    """The path of strata already counted; `worst` names the worst cell at full crossing, where one is readable."""
    shares, rates = shares or {}, rates or Rates()
    standing = {count.stratum_id: _Standing(count, count.n, count.waiting, count.undecided) for count in counts}
    twins = (
        _step([standing[each.stratum_id]], DIMENSIONS, target=target, rates=rates) for each in _twins(counts, worst)
    )
    steps = [_taken(found, SPLIT, standing) for found in twins if found]
    for locale in sorted({count.query_language for count in counts if count.planned}):
        here = [each for each in standing.values() if each.count.query_language == locale]
        if found := _cheapest(here, target=target, rates=rates):
            why = UNREADABLE if _counted(here) < target else MAIN_CELL[level_reached(found.n)]
            steps.append(_taken(found, why, standing))
    over = oversampling(_locale_sizes(standing.values()), shares)
    told = (replace(step, oversample=over.get(step.locale)) for step in steps)
    planned = sum(count.planned for count in counts)
    return Path(target, sorted(told, key=lambda step: _order(step, shares)), planned)


@dataclass(slots=True)
class _Standing:
    """A stratum on the way: its counted, waiting and undecided queries as they stand after the steps before."""

    count: StratumCount
    n: int
    ready: int
    undecided: int

    @property
    def room(self) -> int:
        """How many wordings its plan still takes."""
        return max(0, self.count.planned - self.n - self.ready - self.undecided)


def _counted(strata: Sequence[_Standing]) -> int:
    """How many queries count in these strata as they stand, each with its other spellings once."""
    return sum(each.n for each in strata) - sum(part.n for part in again_in([each.count for each in strata]))


def _locale_sizes(standing: Iterable[_Standing]) -> dict[str, int]:
    """Locale → its counted queries as they stand."""
    strata: dict[str, list[_Standing]] = {}
    for each in standing:
        strata.setdefault(each.count.query_language, []).append(each)
    return {locale: _counted(held) for locale, held in strata.items()}


def _on_hand(strata: Sequence[_Standing]) -> list[int]:
    """How many that wait each of these strata adds to their count once judged: other spellings count apart alone."""
    again = waiting_again([each.count for each in strata])
    return [max(0, each.ready - spelt) for each, spelt in zip(strata, again, strict=True)]


def _twins(counts: Iterable[StratumCount], worst: Mapping[str, str] | None) -> list[StratumCount]:
    """Planned strata that differ from the worst cell in script alone."""
    if worst is None:
        return []
    planned = [count for count in counts if count.planned and count.script != worst["script"]]
    same = [name for name in DIMENSIONS if name != "script"]
    return [count for count in planned if all(getattr(count, name) == worst[name] for name in same)]


def _cheapest(here: Sequence[_Standing], *, target: int, rates: Rates) -> Step | None:
    """The cell of a locale that takes the fewest seconds to the target; None where one is there."""
    pairs: dict[tuple[str, ...], list[_Standing]] = {}
    for each in here:
        pairs.setdefault(each.count.key(PAIR), []).append(each)
    if any(_counted(strata) >= target for strata in pairs.values()):
        return None
    planned = [strata for _, strata in sorted(pairs.items()) if any(each.count.planned for each in strata)]
    best: Step | None = None
    for strata in sorted(planned, key=lambda strata: _least(strata, target, rates)):
        if best and _least(strata, target, rates) > best.cost.seconds:
            break  # nor can any after it be cheaper
        step = _step(strata, PAIR, target=target, rates=rates)
        if step and (best is None or _rank(step) < _rank(best)):
            best = step
    return best


def _least(strata: Sequence[_Standing], target: int, rates: Rates) -> float:
    """Seconds that a cell below the target takes at least: as if all were judged as fast as the fastest."""
    to_judge = max(0, target - _counted(strata) - sum(each.undecided for each in strata))
    to_write = max(0, to_judge - sum(_on_hand(strata)))
    return to_write * rates.writing + to_judge * min(rates.judging[each.count.pool_kind] for each in strata)


def _rank(step: Step) -> tuple[float, int]:
    """The order of a locale's cells: the cheapest first, then the larger plan."""
    return step.cost.seconds, -_planned(step)


def _planned(step: Step) -> int:
    return sum(count.planned for count in step.strata)


def _step(strata: Sequence[_Standing], by: tuple[str, ...], *, target: int, rates: Rates) -> Step | None:
    """What brings a cell of these strata to the target; None where it is there."""
    n = _counted(strata)
    missing = target - n
    if missing <= 0:
        return None
    to_decide = min(missing, sum(each.undecided for each in strata))
    missing -= to_decide
    waiting = _waiting(strata, missing, rates)
    to_write = missing - sum(waiting.values())
    fills = _fills(strata, to_write)
    over = to_write - sum(fills.values())
    largest = max(strata, key=lambda each: each.count.planned).count
    kinds = {each.count.stratum_id: rates.judging[each.count.pool_kind] for each in strata}
    judging = sum(kinds[key] * count for part in (waiting, fills) for key, count in part.items())
    return Step(
        dimensions=dict(zip(by, strata[0].count.key(by), strict=True)),
        strata=[each.count for each in strata],
        n=n,
        to_write=to_write,
        to_judge=missing,
        cost=Cost(to_write * rates.writing, judging + over * kinds[largest.stratum_id]),
        why="",
        fills=fills,
        over_plan=over,
        to_decide=to_decide,
    )


def _waiting(strata: Sequence[_Standing], missing: int, rates: Rates) -> dict[int, int]:
    """Which of the queries that wait to be judged are on the way: those judged fastest first."""
    taken: dict[int, int] = {}
    on_hand = zip(strata, _on_hand(strata), strict=True)
    for each, ready in sorted(on_hand, key=lambda pair: rates.judging[pair[0].count.pool_kind]):
        taken[each.count.stratum_id] = min(ready, missing - sum(taken.values()))
    return taken


def _fills(strata: Sequence[_Standing], to_write: int) -> dict[int, int]:
    """Wordings by stratum: each goes to the emptiest one that its plan has room in, as a desk would deal them."""
    fills: dict[int, int] = {}
    emptiest = [(*_filled(each, 0), place) for place, each in enumerate(strata) if each.room]
    heapify(emptiest)
    for _ in range(to_write):
        if not emptiest:
            break
        each = strata[emptiest[0][-1]]
        key = each.count.stratum_id
        fills[key] = fills.get(key, 0) + 1
        if fills[key] < each.room:
            heapreplace(emptiest, (*_filled(each, fills[key]), emptiest[0][-1]))
        else:
            heappop(emptiest)
    return fills


def _filled(each: _Standing, more: int) -> tuple[float, float, int]:
    """How full a stratum is with `more` wordings, and what decides among equals (`shortfall.emptiest_first`)."""
    have, planned = each.n + each.ready + each.undecided + more, each.count.planned
    return have / min(next_target(have) or planned, planned), each.count.rank, -planned


def _taken(step: Step, why: str, standing: Mapping[int, _Standing]) -> Step:
    """The step with its reason, after which its strata stand at the target."""
    left, undecided = step.waiting, step.to_decide
    for count in step.strata:
        each = standing[count.stratum_id]
        judged = min(each.ready, left)
        left -= judged
        each.ready -= judged
        decided = min(each.undecided, undecided)
        undecided -= decided
        each.undecided -= decided
        each.n += judged + decided + step.fills.get(count.stratum_id, 0)
    standing[step.strata[0].stratum_id].n += step.over_plan
    return replace(step, why=why)


def _order(step: Step, shares: Mapping[str, float]) -> tuple[int, float, tuple[str, ...]]:
    rank = {SPLIT: 0, UNREADABLE: 1}.get(step.why, 2)
    return rank, -shares.get(step.locale, 0.0), tuple(step.dimensions.values())
