"""One generation against another: what is new, carried and dropped, and how much harder it is.

The page of a generation and `manage.py generations` show the same report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet

from curation.measures.hit import CI_KIND, DEPTH, CellScore, cell_score
from curation.measures.shift import CI_KIND as SHIFT_CI_KIND
from curation.measures.shift import Shift, shift
from curation.measures.targets import COUNT_TARGETS
from curation.models import (
    Generation,
    HardNegative,
    Miner,
    MiningRun,
    NearDuplicateGroup,
    Proposal,
    RankedRun,
    Slice,
)

from .baseline import Tally, exact_run, hits_by_slice
from .group_history import changed_groups

ALL = "all"
NOTE = (
    "Absolute floors are not comparable across generations: each asks other queries. "
    "Compare each slice with its own freshly measured baseline (the relative floor)."
)
# What makes two findings of a family the same in two generations.
SAME: Mapping[Miner, tuple[Callable[[], QuerySet[Any]], tuple[str, ...]]] = {
    Miner.NEAR_DUPLICATE: (NearDuplicateGroup.objects.all, ("key",)),
    Miner.HARD_NEGATIVE: (HardNegative.objects.all, ("query", "canonical_id")),
    Miner.RARE_ENTITY: (Proposal.objects.all, ("fingerprint",)),
    Miner.SHORT_KEYWORD: (Proposal.objects.all, ("fingerprint",)),
}


@dataclass(frozen=True, slots=True)
class FamilyChange:
    """One family: how many findings each side has (None: no finished run), and how many are on both.

    `changed` are near-duplicate groups that went on with other members (`curation.reports.group_history`).
    """

    miner: Miner
    older: int | None
    newer: int | None
    carried: int | None
    changed: int | None = None

    @property
    def new(self) -> int | None:
        """Findings of the newer generation alone."""
        return None if self.newer is None or self.carried is None else self.newer - self.carried - (self.changed or 0)

    @property
    def dropped(self) -> int | None:
        """Findings of the older generation alone."""
        return None if self.older is None or self.carried is None else self.older - self.carried - (self.changed or 0)


@dataclass(frozen=True, slots=True)
class SliceChange:
    """One slice: exact search's hit@10 on either side (None under 30 queries), and the shift where both have one."""

    slice: str
    older: CellScore
    newer: CellScore
    shift: Shift | None

    @property
    def cells(self) -> tuple[CellScore, CellScore]:
        """The older and the newer score."""
        return self.older, self.newer


@dataclass(frozen=True, slots=True)
class Hardness:
    """One slice, or "all" of them, as the runs of hard negatives measured it; None where a run did not.

    Margins are those of `measures.margin`, by each run's own index; `decay` is that of `measures.decay`, of the older
    generation's negatives by the index of the newer one.
    """

    slice: str
    older: Mapping[str, Any] | None
    newer: Mapping[str, Any] | None
    decay: Mapping[str, Any] | None

    @property
    def sides(self) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """The older and the newer margins."""
        return self.older, self.newer

    @property
    def is_known(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.older or self.newer or self.decay)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The whole report. `run` is the exact run behind every score, None where exact search was not measured yet.

    `same_scale` tells whether both sides' negatives were mined from one index in one state, so that scores compare.
    `counted` says of either generation's number what margins and decay count: documents ranked high without their being
    settled relevant ("found"), and how many of them were judged when they were mined; None where a run did not say.
    """

    older: Generation
    newer: Generation
    families: tuple[FamilyChange, ...]
    slices: tuple[SliceChange, ...]
    hardness: tuple[Hardness, ...]
    run: RankedRun | None
    same_scale: bool
    counted: tuple[tuple[int, Mapping[str, int] | None], ...]

    @property
    def has_scores(self) -> bool:
        """Whether any slice holds enough queries on either side for a score."""
        return any(cell.score is not None for each in self.slices for cell in (each.older, each.newer))

    def as_json(self) -> dict[str, Any]:
        """What `manage.py generations --compare --json` prints."""
        return {
            "older": told(self.older),
            "newer": told(self.newer),
            "families": [
                {**asdict(each), "miner": str(each.miner), "new": each.new, "dropped": each.dropped}
                for each in self.families
            ],
            "baseline": {
                "measure": f"hit@{DEPTH}",
                "run": self.run.name if self.run else None,
                "target": COUNT_TARGETS["screen"],
                "ci_kind": CI_KIND,
                "shift_ci_kind": SHIFT_CI_KIND,
            },
            "same_scale": self.same_scale,
            "slices": [slice_as_json(each) for each in self.slices],
            "hard_negatives": [{"generation": number, "counted": told} for number, told in self.counted],
            "hardness": [asdict(each) for each in self.hardness],
            "note": NOTE,
        }


def slice_as_json(each: SliceChange) -> dict[str, Any]:
    """One slice as JSON, with the verdict on its shift."""
    moved = {**asdict(each.shift), "verdict": each.shift.verdict} if each.shift else None
    return {**asdict(each), "shift": moved}


def told(generation: Generation) -> dict[str, Any]:
    """A generation as JSON names it."""
    return {
        "number": generation.number,
        "due_on": generation.due_on.isoformat(),
        "opened_at": generation.opened_at.isoformat(),
        "closed_at": generation.closed_at.isoformat() if generation.closed_at else None,
        "index": generation.index.name,
        "index_fingerprint": generation.index_fingerprint,
    }


def compare(older: Generation, newer: Generation) -> Comparison:
    """Set `newer` against `older`, two generations of one corpus; the number of SQL queries is fixed."""
    runs = finished(older, newer)
    before, after = runs[older.pk], runs[newer.pk]
    exact = exact_run(newer.index.corpus)
    hits = [hits_by_slice(generation, list(runs[generation.pk].values()), exact=exact) for generation in (older, newer)]
    return Comparison(
        older=older,
        newer=newer,
        families=tuple(family_change(miner, before.get(miner), after.get(miner)) for miner in Miner),
        slices=tuple(
            slice_change(name, [tally.get(name, (0, 0)) for tally in hits], measured=exact is not None)
            for name in Slice.values
        ),
        hardness=hardness_of(before.get(Miner.HARD_NEGATIVE), after.get(Miner.HARD_NEGATIVE)),
        run=exact,
        same_scale=scale(older, before) == scale(newer, after),
        counted=tuple((each.number, counted(runs[each.pk].get(Miner.HARD_NEGATIVE))) for each in (older, newer)),
    )


def counted(run: MiningRun | None) -> Mapping[str, int] | None:
    """How many documents a run of hard negatives found and how many of them were judged, where it says so."""
    if run is None or "judged" not in run.summary:
        return None
    return {name: run.summary[name] for name in ("found", "judged")}


def scale(generation: Generation, runs: Mapping[Miner, MiningRun]) -> tuple[int, str]:
    """What the scores of a generation's negatives came from: the index, and the hash of what it answered from then."""
    run = runs.get(Miner.HARD_NEGATIVE)
    own = run.params.get("fingerprint") if run else None
    return generation.index_id, str(own or generation.index_fingerprint)


def finished(*generations: Generation) -> dict[int, dict[Miner, MiningRun]]:
    """Generation → miner → its newest finished run; one SQL query."""
    found: dict[int, dict[Miner, MiningRun]] = {generation.pk: {} for generation in generations}
    done = MiningRun.objects.filter(generation__in=generations, state=MiningRun.State.DONE)
    for run in done.select_related("job", "generation").order_by("pk"):
        found[run.generation_id][Miner(run.miner)] = run
    return found


def family_change(miner: Miner, older: MiningRun | None, newer: MiningRun | None) -> FamilyChange:
    """What a family found on both sides: in two SQL queries at most, five for near-duplicate groups."""
    rows, same = SAME[miner]
    before = rows().filter(run=older).count() if older else None
    if newer is None:
        return FamilyChange(miner, before, None, None)
    twins: QuerySet[Model] = rows().filter(run=older, **{name: OuterRef(name) for name in same})
    now = rows().filter(run=newer).aggregate(n=Count("pk"), carried=Count("pk", filter=Q(Exists(twins))))
    if older is None:
        return FamilyChange(miner, before, now["n"], None)
    changed = changed_groups(older, newer) if miner == Miner.NEAR_DUPLICATE else None
    return FamilyChange(miner, before, now["n"], now["carried"], changed)


def slice_change(name: str, tallies: list[Tally], *, measured: bool) -> SliceChange:
    """One slice of both sides; `tallies` are the hits and n of the older and the newer."""
    older, newer = (cell_score(hits if measured else None, n, use="screen") for hits, n in tallies)
    scored = older.score is not None and newer.score is not None
    return SliceChange(name, older, newer, shift(*tallies) if scored else None)


def hardness_of(older: MiningRun | None, newer: MiningRun | None) -> tuple[Hardness, ...]:
    """What the two runs of hard negatives measured when they were mined: slice by slice, then all together."""
    before, after = (run.summary.get("margins", {}) if run else {} for run in (older, newer))
    known = newer.summary.get("decay", {}) if older and newer else {}
    decay = known.get(str(older.generation.number), {}) if older else {}
    found = (Hardness(name, before.get(name), after.get(name), decay.get(name)) for name in (*Slice.values, ALL))
    return tuple(each for each in found if each.is_known)
