"""The verdict of a gate: slice by slice on its floors, cell by cell at hit@10, and never on an average.

Source: docs/adr/0023. Any decided failure rejects; a slice whose floors are both decided and held passes; anything else
warns, also where it held. One rejection rejects the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from curation.measures.floors import ENOUGH, FloorReading, Floors, absolute_floor, relative_floor
from curation.measures.hit import cell_score
from curation.measures.standard_error import interval_around, mean, standard_error

Verdict = Literal["pass", "warn", "reject"]
CellVerdict = Literal["pass", "warn", "reject", "thin"]
ORDER: Mapping[str, int] = {"reject": 0, "warn": 1, "pass": 2, "thin": 3}
SPREAD = 2
"""The fewest queries that have a spread."""


@dataclass(frozen=True, slots=True)
class SliceOutcome:
    """One slice of a gate: `n` queries, mean recall and its standard error, and how it stands to both floors.

    All but `n` is None below two queries, which have no spread. `asks` is how many queries it would take to decide;
    None where both floors are decided or one of them failed.
    """

    name: str
    n: int
    recall: float | None
    se: float | None
    baseline: float | None
    absolute: FloorReading | None
    relative: FloorReading | None
    verdict: Verdict
    asks: int | None

    @property
    def verdict_today(self) -> Verdict:
        """What its figures come to by the rule above; not its verdict where that was given by an earlier rule."""
        return _verdict(self.absolute, self.relative) if self.absolute and self.relative else "warn"

    @property
    def ci(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean recall."""
        return None if self.recall is None or self.se is None else interval_around(self.recall, self.se)

    @property
    def readings(self) -> tuple[FloorReading, ...]:
        """The floors that were read, the absolute one first."""
        return tuple(reading for reading in (self.absolute, self.relative) if reading is not None)

    @property
    def distance(self) -> float:
        """How far it lies from the floor it is nearest to, or deepest under; below all where it has no spread."""
        return min((reading.distance for reading in self.readings), default=float("-inf"))


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """One cell of a gate by hit@10.

    Below the count target of a gate it has no score: it is no evidence, so it warns where somebody planned queries for
    it, and is merely "thin" where nobody did.
    """

    dimensions: Mapping[str, str]
    n: int
    planned: int
    score: float | None
    ci: tuple[float, float] | None
    verdict: CellVerdict


def slice_outcome(name: str, recalls: Sequence[float], *, baseline: Sequence[float], floors: Floors) -> SliceOutcome:
    """Judge a slice by its queries' recall@k and their own exact baseline, in the same order.

    Raises:
        MeasureRefused: the two are not of the same queries.
    """
    if len(recalls) == len(baseline) < SPREAD:
        return SliceOutcome(name, len(recalls), None, None, None, None, None, "warn", ENOUGH)
    absolute = absolute_floor(recalls, floors.absolute)
    relative = relative_floor(recalls, baseline, floors.relative)
    verdict = _verdict(absolute, relative)
    return SliceOutcome(
        name=name,
        n=len(recalls),
        recall=mean(recalls),
        se=standard_error(recalls),
        baseline=mean(baseline),
        absolute=absolute,
        relative=relative,
        verdict=verdict,
        asks=_asks(absolute, relative) if verdict == "warn" else None,
    )


def cell_outcome(dimensions: Mapping[str, str], hits: int, n: int, *, planned: int, floor: float) -> CellOutcome:
    """Judge a cell by how many of its queries find their gold among the first ten documents.

    `planned` is how many queries somebody wants of it; 0 where a thin cell is nobody's loss.
    """
    figure = cell_score(hits, n, use="gate")
    return CellOutcome(dimensions, n, planned, figure.score, figure.ci, _cell_verdict(figure.score, planned, floor))


def worst_slices_first(outcomes: Iterable[SliceOutcome]) -> list[SliceOutcome]:
    """Rejections, then warnings, then passes; inside each the one lowest above, or deepest under, its floors.

    Slices without a query come last: they warn, but nothing in them is bad.
    """
    return sorted(outcomes, key=lambda one: (not one.n, ORDER[one.verdict], one.distance, one.name))


def lowest_cells_first(outcomes: Iterable[CellOutcome]) -> list[CellOutcome]:
    """Cells with a score before those without, the lowest leading, more evidence before less."""
    return sorted(outcomes, key=_lowest_first)


def strictest(verdicts: Iterable[Verdict | CellVerdict]) -> Verdict:
    """The verdict of a whole: one rejection rejects, one warning warns, and a thin cell says nothing."""
    found = set(verdicts)
    if "reject" in found:
        return "reject"
    return "warn" if "warn" in found else "pass"


def _verdict(absolute: FloorReading, relative: FloorReading) -> Verdict:
    if absolute.failed or relative.failed:
        return "reject"
    return "pass" if absolute.decided and relative.decided else "warn"


def _asks(*readings: FloorReading) -> int:
    return max(reading.queries_to_decide for reading in readings if not reading.decided)


def _cell_verdict(score: float | None, planned: int, floor: float) -> CellVerdict:
    if score is None:
        return "warn" if planned else "thin"
    return "reject" if score < floor else "pass"


def _lowest_first(cell: CellOutcome) -> tuple[bool, float, int, tuple[str, ...]]:
    return cell.score is None, cell.score or 0.0, -cell.n, tuple(cell.dimensions.values())
