"""How much mined work waits for review."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet

from curation.models import Corpus, Miner, MiningRun, Proposal
from curation.retrieval.locales import UNDETERMINED

from .navigation import Visit


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


def families(corpus: Corpus, *, locales: Collection[str] | None = None) -> list[Family]:
    """Each family with proposals (of `locales`; None for all), the most to review first; one query."""
    tallies = {f"n_{status}": Count("pk", filter=Q(status=status)) for status in Proposal.Status}
    current = within(current_proposals(corpus), locales)
    rows = current.values_list("run__miner").annotate(**tallies)
    found = [Family(Miner(miner), *counted) for miner, *counted in rows]
    return sorted(found, key=lambda family: (-family.pending, family.miner))


def within(proposals: QuerySet[Proposal], locales: Collection[str] | None) -> QuerySet[Proposal]:
    """Those of `locales` (None for all): a log states the locale, or else the miner's hint says what it looks like."""
    if locales is None:
        return proposals
    return proposals.filter(Q(locale__in=locales) | Q(locale=UNDETERMINED, evidence__hint__in=list(locales)))


def open_for(visit: Visit) -> QuerySet[Proposal]:
    """What waits for the decision of whoever looks at the menu: who leads or adjusts some locales reads of theirs."""
    return within(pending(visit.corpus), visit.reviewed)


def pending(corpus: Corpus) -> QuerySet[Proposal]:
    """The proposals that wait for somebody's decision."""
    return current_proposals(corpus).filter(status=Proposal.Status.PENDING)


def to_review(corpus: Corpus) -> int:
    """How many proposals wait for somebody's decision; one query."""
    return pending(corpus).count()
