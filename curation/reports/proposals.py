"""How much mined work waits for review."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet

from curation.models import Corpus, Miner, MiningRun, Proposal


@dataclass(frozen=True, slots=True)
class Family:
    """The proposals of one miner: still to review, accepted, rejected."""

    miner: Miner
    pending: int
    accepted: int
    rejected: int

    @property
    def reviewed(self) -> int:
        """How many somebody has decided."""
        return self.accepted + self.rejected

    @property
    def total(self) -> int:
        """How many there are."""
        return self.pending + self.reviewed


def current_proposals(corpus: Corpus) -> QuerySet[Proposal]:
    """The proposals that are read: those of each miner's newest finished run, whichever index was in production."""
    done = MiningRun.objects.filter(generation__index__corpus=corpus, state=MiningRun.State.DONE)
    newest = done.values("miner").annotate(newest=Max("pk")).values("newest")
    return Proposal.objects.filter(run__in=newest)


def families(corpus: Corpus) -> list[Family]:
    """Each family with proposals, the most to review first; one query."""
    tallies = {f"n_{status}": Count("pk", filter=Q(status=status)) for status in Proposal.Status}
    rows = current_proposals(corpus).values_list("run__miner").annotate(**tallies)
    found = [Family(Miner(miner), *counted) for miner, *counted in rows]
    return sorted(found, key=lambda family: (-family.pending, family.miner))


def pending(corpus: Corpus) -> QuerySet[Proposal]:
    """The proposals that wait for somebody's decision."""
    return current_proposals(corpus).filter(status=Proposal.Status.PENDING)


def to_review(corpus: Corpus) -> int:
    """How many proposals wait for somebody's decision; one query."""
    return pending(corpus).count()
