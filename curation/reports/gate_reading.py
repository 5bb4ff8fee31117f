"""What a gate finds: its slices, its cells, its headline, and what a reader must know beside them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from curation.formats.set_form import FrozenMember
from curation.measures.bootstrap import PairedDifference, paired_difference
from curation.measures.floors import Floors
from curation.measures.gate import (
    CellOutcome,
    SliceOutcome,
    Verdict,
    cell_outcome,
    lowest_cells_first,
    slice_outcome,
    strictest,
    worst_slices_first,
)
from curation.measures.headline import Headline, weighted
from curation.measures.standard_error import mean
from curation.models import GateCell, Slice

from .counts import DIMENSIONS
from .measured import Measured, depths, of_members

CROSSINGS: Mapping[str, tuple[str, ...]] = {
    GateCell.Crossing.LOCALE: DIMENSIONS[:1],
    GateCell.Crossing.PAIR: DIMENSIONS[:2],
    GateCell.Crossing.STRATUM: DIMENSIONS,
}
"""What each kind of cell is crossed by."""


@dataclass(frozen=True, slots=True)
class SliceReading:
    """A slice's outcome with what stands behind it.

    `dial` is (k, recall, baseline) at each depth, None below two queries. Of its `positives`, the relevant answers,
    `exact_only` are known from exact search alone, of the `origins_known` whose origin is known at all.
    """

    outcome: SliceOutcome
    difference: PairedDifference
    dial: list[tuple[int, float | None, float | None]]
    lost: list[str]
    positives: int
    origins_known: int
    exact_only: int


@dataclass(frozen=True, slots=True)
class GateReading:
    """Everything a gate measured, the worst first; `pooled` is over all slices and gates nothing."""

    slices: list[SliceReading]
    cells: list[tuple[str, CellOutcome]]
    pooled: SliceReading
    headline: Headline | None

    @property
    def verdict(self) -> Verdict:
        """The strictest of slices and cells; no average has a say in it."""
        return strictest([*(each.outcome.verdict for each in self.slices), *(cell.verdict for _, cell in self.cells)])


def read_gate(measured: Measured, floors: Floors, *, seed: int) -> GateReading:
    """Judge a measured run by `floors`; `seed` draws the bootstrap intervals."""
    families: dict[str, list[FrozenMember]] = {name: [] for name in Slice.values}
    for member in measured.members:
        families[member.slice].append(member)
    slices = {name: read_slice(measured, name, members, floors=floors, seed=seed) for name, members in families.items()}
    order = [outcome.name for outcome in worst_slices_first(reading.outcome for reading in slices.values())]
    cells = read_cells(measured, floors)
    return GateReading(
        slices=[slices[name] for name in order],
        cells=cells,
        pooled=read_slice(measured, "pooled", measured.members, floors=floors, seed=seed),
        headline=headline_of(measured, cells),
    )


def read_slice(
    measured: Measured, name: str, members: list[FrozenMember], *, floors: Floors, seed: int
) -> SliceReading:
    """One slice of the set, or any other group of its queries."""
    recalls, own = of_members(measured.recalls, members), of_members(measured.baselines, members)
    grades = [grade for member in members for grade in member.grades]
    positives = [grade for grade in grades if grade.grade >= measured.content.rules.relevant_from]
    told = [grade.exact_only for grade in positives if grade.exact_only is not None]
    fell = zip(members, recalls, own, strict=True)
    outcome = slice_outcome(name, recalls, baseline=own, floors=floors)
    return SliceReading(
        outcome=outcome,
        difference=paired_difference(recalls, own, seed=seed),
        dial=_dial(measured, members) if outcome.recall is not None else [],
        lost=[member.external_id for member, recall, best in fell if recall < best],
        positives=len(positives),
        origins_known=len(told),
        exact_only=sum(told),
    )


def read_cells(measured: Measured, floors: Floors) -> list[tuple[str, CellOutcome]]:
    """Every locale, pair of languages and stratum by hit@10, the lowest first; only locales are missed where thin."""
    hits = {member.external_id: measured.is_found(member) for member in measured.members}
    found: list[tuple[str, CellOutcome]] = []
    for crossing, by in CROSSINGS.items():
        groups: defaultdict[tuple[str, ...], list[FrozenMember]] = defaultdict(list)
        for member in measured.members:
            groups[place(member, by)].append(member)
        wanted = _planned(measured.content.rules.plan, by) if crossing == GateCell.Crossing.LOCALE else Counter()
        for key in {**groups, **wanted}:
            members = groups.get(key, [])
            dimensions = dict(zip(by, key, strict=True))
            outcome = cell_outcome(
                dimensions,
                sum(hits[member.external_id] for member in members),
                len(members),
                planned=wanted[key],
                floor=floors.cell,
            )
            found.append((crossing, outcome))
    order = {id(cell): rank for rank, cell in enumerate(lowest_cells_first(cell for _, cell in found))}
    return sorted(found, key=lambda pair: order[id(pair[1])])


def headline_of(measured: Measured, cells: Iterable[tuple[str, CellOutcome]]) -> Headline | None:
    """The mean hit@10 of locales by traffic; None where nobody stated any traffic when the set was frozen."""
    shares = measured.content.rules.traffic
    if not shares:
        return None
    scores = {
        cell.dimensions["query_language"]: cell.score
        for crossing, cell in cells
        if crossing == GateCell.Crossing.LOCALE
    }
    return weighted(scores, shares)


def place(member: FrozenMember, by: tuple[str, ...]) -> tuple[str, ...]:
    """Where a query stands in a grid crossed by `by`."""
    return tuple(getattr(member, name) for name in by)


def _dial(measured: Measured, members: list[FrozenMember]) -> list[tuple[int, float | None, float | None]]:
    rows: list[tuple[int, float | None, float | None]] = []
    for k in depths(measured.k):
        sides = (measured.recalls_of(ranked, k, members) for ranked in (measured.candidate, measured.baseline))
        recall, own = (mean(of_members(scores, members)) for scores in sides)
        rows.append((k, recall, own))
    return rows


def _planned(plan: Iterable[Mapping[str, Any]], by: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    wanted: Counter[tuple[str, ...]] = Counter()
    for row in plan:
        wanted[tuple(str(row[name]) for name in by)] += int(row["planned"])
    return wanted
