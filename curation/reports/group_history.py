"""A near-duplicate group through the generations: which earlier group it goes on from, and how its members changed.

A group goes on from an earlier one where the two share more than half of all their members. A document stands in one
group of a run, so of an earlier group at most one later one can hold that much, and the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from curation.models import Miner, MiningRun, NearDuplicateGroup, NearDuplicateMember, Proposal

NAMED = 5  # documents that a sentence names


@dataclass(frozen=True, slots=True)
class History:
    """A group beside that of the last generation it goes on from.

    `since` is the number of that generation; `joined` and `left` are external ids, ascending. `before` is the earlier
    group's proposal, None where that was set aside. `is_new` tells that no group of then goes on in this one.
    """

    since: int
    joined: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    before: Proposal | None = None
    is_new: bool = False

    @property
    def words(self) -> str:
        """What became of the group, in a sentence; "" where its members are the same."""
        if self.is_new:
            return f"New since generation {self.since}."
        moves = [f"{_listed(names)} {verb}" for names, verb in ((self.joined, "joined"), (self.left, "left")) if names]
        return f"{self._change} since generation {self.since}: {', '.join(moves)}." if moves else ""

    @property
    def _change(self) -> str:
        if self.joined and self.left:
            return "Changed"
        return f"Grown by {len(self.joined)}" if self.joined else f"Shrunk by {len(self.left)}"


def goes_on(shared: int, ours: int, theirs: int) -> bool:
    """Whether two groups of so many members, `shared` of them in both, are one group with changed members."""
    return 2 * shared > ours + theirs - shared


def history_of(proposal: Proposal) -> History | None:
    """What became of a proposal's group since the last generation; None for others, and in the first generation.

    In four SQL queries at most.
    """
    if proposal.group is None:
        return None
    older = last_run_before(proposal.run)
    if older is None:
        return None
    since = older.generation.number
    in_both = NearDuplicateMember.objects.filter(
        group__run=older, document__nearduplicatemember__group=proposal.group
    ).values_list("group")
    earlier = in_both.annotate(shared=Count("pk")).order_by("-shared", "group").first()
    if earlier is None:
        return History(since, is_new=True)
    return _against(proposal.group, earlier[0], since=since)


def last_run_before(run: MiningRun) -> MiningRun | None:
    """The newest finished near-duplicate run of the corpus's generations before that of `run`."""
    runs = MiningRun.objects.filter(miner=Miner.NEAR_DUPLICATE, state=MiningRun.State.DONE)
    here = runs.filter(generation__index__corpus=run.generation.index.corpus_id)
    earlier = here.filter(generation__number__lt=run.generation.number).select_related("generation")
    return earlier.order_by("-generation__number", "-pk").first()


def _against(group: NearDuplicateGroup, earlier: int, *, since: int) -> History:
    ours: set[str] = set()
    theirs: set[str] = set()
    members = NearDuplicateMember.objects.filter(group__in=[group.pk, earlier])
    for key, name in members.values_list("group", "document__external_id"):
        (ours if key == group.pk else theirs).add(name)
    if not goes_on(len(ours & theirs), len(ours), len(theirs)):
        return History(since, is_new=True)
    before = Proposal.objects.filter(group=earlier).select_related("reviewer", "run__generation__index").first()
    return History(since, tuple(sorted(ours - theirs)), tuple(sorted(theirs - ours)), before)


def changed_groups(older: MiningRun, newer: MiningRun) -> int:
    """How many groups of `newer` go on from one of `older` with other members; three SQL queries."""
    sizes = {**_sizes(older), **_sizes(newer)}
    pairs = (
        NearDuplicateMember.objects.filter(group__run=newer, document__nearduplicatemember__group__run=older)
        .values_list("group", "document__nearduplicatemember__group")
        .annotate(shared=Count("pk"))
    )
    found = ((sizes[ours], sizes[theirs], shared) for ours, theirs, shared in pairs)
    return sum(goes_on(shared, ours, theirs) and not ours == theirs == shared for ours, theirs, shared in found)


def _sizes(run: MiningRun) -> dict[int, int]:
    """How many members each group of a run has, by its key."""
    return dict(NearDuplicateMember.objects.filter(group__run=run).values_list("group").annotate(n=Count("pk")))


def _listed(names: tuple[str, ...]) -> str:
    shown = [*names[:NAMED], *([f"{len(names) - NAMED:,} more"] if len(names) > NAMED else [])]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
