"""A gate report beside the one before it: what may be compared, and what may not.

Sets of other generations ask other queries, so 0.88 is not the same demand of both: absolute levels are compared within
one generation alone. The distance to the relative floor is against each set's own baseline, and always is.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from curation.models import GateReport, GateSlice

from .gate_floors import floors_moved


@dataclass(frozen=True, slots=True)
class SliceSince:
    """A slice then and now: how far above its relative floor it stood, and its recall where that may be compared."""

    slice: str
    relative_then: float | None
    relative_now: float | None
    recall_then: float | None
    recall_now: float | None


@dataclass(frozen=True, slots=True)
class Since:
    """The earlier report and its slices beside this one's.

    `why_not` says why absolute levels are left out, `other_floors` between which floors distances moved without the
    run; "" where neither is so.
    """

    earlier: GateReport
    why_not: str
    other_floors: str
    slices: list[SliceSince]

    def as_json(self) -> dict[str, Any]:
        """The comparison as the command prints it."""
        return {
            "report": self.earlier.pk,
            "run": self.earlier.run_name,
            "set_version": str(self.earlier.set_version),
            "measured_at": self.earlier.measured_at.isoformat(),
            "absolute_not_compared": self.why_not or None,
            "other_floors": self.other_floors or None,
            "slices": [asdict(each) for each in self.slices],
        }


def since(report: GateReport) -> Since | None:
    """The report before `report` on a set of the same name, beside it; None where it is the first. Two SQL queries."""
    own = report.set_version
    rows = GateReport.objects.filter(set_version__name=own.name, set_version__corpus=own.corpus_id, pk__lt=report.pk)
    rows = rows.filter(k=report.k).select_related("set_version__generation").defer("unjudged", "missing", "manifest")
    earlier = rows.order_by("-pk").first()
    if earlier is None:
        return None
    told = GateSlice.objects.filter(report__in=[earlier.pk, report.pk])
    slices = {(row.report_id, row.slice): row for row in told}
    why_not = _why_not(earlier, report)
    names = sorted({name for _, name in slices})
    pairs = [(slices[earlier.pk, name], slices[report.pk, name]) for name in names]
    beside = [_beside(then, now, levels=not why_not) for then, now in pairs]
    return Since(earlier, why_not, _other_floors(earlier, report), beside)


def _why_not(earlier: GateReport, report: GateReport) -> str:
    then, now = earlier.set_version.generation, report.set_version.generation
    if (then.number if then else None) == (now.number if now else None):
        return ""
    names = [f"generation {each.number}" if each else "no generation" for each in (then, now)]
    return (
        f"Absolute floors are not compared: {earlier.set_version} is of {names[0]}, {report.set_version} of {names[1]},"
        " and each generation asks other queries. Distances to the relative floor are."
    )


def _other_floors(earlier: GateReport, report: GateReport) -> str:
    moved = floors_moved(earlier.floors, report.floors)
    if not moved:
        return ""
    return f"The floors differed ({moved}): distances to them and verdicts may have moved without the run."


def _beside(then: GateSlice, now: GateSlice, *, levels: bool) -> SliceSince:
    recalls = (then.recall, now.recall) if levels else (None, None)
    return SliceSince(now.slice, then.relative_distance, now.relative_distance, *recalls)
