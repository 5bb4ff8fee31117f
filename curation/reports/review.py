"""The review queue of one family: what its newest run proposed, in the run's order, and where a reviewer stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from curation.models import Corpus, Miner, MiningRun, NearDuplicateMember, Proposal, Query, User

from .proposals import Family, current_proposals, families, within

FAMILIES = (Miner.NEAR_DUPLICATE, Miner.RARE_ENTITY, Miner.SHORT_KEYWORD)
ROWS_BEFORE, ROWS_AFTER = 6, 24


@dataclass(frozen=True, slots=True)
class Asked:
    """Where a reviewer wants to stand: at the proposal `at` (None: the first to review), among those `matching`.

    `locale` leaves those that are in it by their log, else by the hint at their language.
    """

    family: Miner
    at: int | None = None
    matching: str = ""
    locale: str = ""

    @property
    def locales(self) -> list[str] | None:
        """The locales that are left: that one, or all (None)."""
        return [self.locale] if self.locale else None


@dataclass(frozen=True, slots=True)
class Row:
    """One proposal in the queue; `figure` is its members, articles or searches. `differs_in` is that of a group."""

    pk: int
    title: str
    locale: str
    status: str
    reason: str
    figure: int
    differs_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Queue:
    """A window of the queue around `current` (None: nothing is left, or nothing matches), with the ways on.

    `next_pending` is the next one to review after `current`, else the first before it. `own_last` is the verdict that
    this reviewer gave last in this family. `run` is the newest finished one, None where nothing was mined yet. `tabs`
    count what each opens: the proposals of the locale that was asked for.
    """

    tabs: tuple[Family, ...]
    family: Family
    run: MiningRun | None
    rows: tuple[Row, ...]
    current: Proposal | None
    previous: int | None
    following: int | None
    next_pending: int | None
    own_last: Proposal | None


def tabs_of(corpus: Corpus, locales: Collection[str] | None) -> tuple[Family, ...]:
    """The reviewable families in their order, also those without proposals (of `locales`; None for all); one query."""
    found = {family.miner: family for family in families(corpus, locales=locales)}
    return tuple(found.get(miner, Family(miner, pending=0, accepted=0, rejected=0)) for miner in FAMILIES)


def first_to_review(corpus: Corpus, locales: Collection[str] | None) -> Miner:
    """The first family that has something to review in `locales` (None for all), else the first one."""
    return next((family.miner for family in tabs_of(corpus, locales) if family.pending), FAMILIES[0])


def queue(corpus: Corpus, asked: Asked, *, reviewer: User) -> Queue:
    """The queue as `reviewer` sees it; the number of database queries does not depend on its length."""
    tabs = tabs_of(corpus, asked.locales)
    proposals = _proposals(corpus, asked)
    current = _current(proposals, asked.at)
    before, after = _around(proposals, current)
    pending = proposals.filter(status=Proposal.Status.PENDING)
    return Queue(
        tabs=tabs,
        family=next(tab for tab in tabs if tab.miner == asked.family),
        run=newest_run(corpus, asked.family),
        rows=tuple(_row(proposal) for proposal in (*before, *after)),
        current=current,
        previous=before[-1].pk if before else None,
        following=after[1].pk if len(after) > 1 else None,
        next_pending=_next(pending, current) if current else None,
        own_last=_own_last(corpus, asked.family, reviewer),
    )


def next_to_review(corpus: Corpus, asked: Asked) -> int | None:
    """The next proposal to review after the one at `asked.at`, else the first one; None where all are reviewed."""
    proposals = _proposals(corpus, asked)
    after = proposals.filter(pk=asked.at or 0).first()
    pending = proposals.filter(status=Proposal.Status.PENDING)
    return _next(pending, after) if after else pending.values_list("pk", flat=True).first()


def newest_run(corpus: Corpus, family: Miner) -> MiningRun | None:
    """The newest finished run of a miner in the corpus."""
    done = MiningRun.objects.filter(generation__index__corpus=corpus, miner=family, state=MiningRun.State.DONE)
    return done.select_related("generation__index").order_by("-pk").first()


def queries_made(proposal: Proposal) -> QuerySet[Query]:
    """The queries that the acceptance of `proposal` made and that stand; also of its likes in earlier runs."""
    alike = Proposal.objects.filter(
        fingerprint=proposal.fingerprint,
        run__miner=proposal.run.miner,
        run__generation__index__corpus=proposal.run.generation.index.corpus_id,
    )
    made = Query.objects.filter(proposal__in=alike.values("pk")).exclude(status=Query.Status.RETIRED)
    return made.select_related("need").order_by("-pk")


def title_of(proposal: Proposal) -> str:
    """What a proposal is called in the queue: the term, else its text."""
    return str(proposal.evidence.get("term") or proposal.text)


def _proposals(corpus: Corpus, asked: Asked) -> QuerySet[Proposal]:
    current = within(current_proposals(corpus), asked.locales)
    found = current.filter(run__miner=asked.family).order_by("rank", "pk")
    words = asked.matching.strip()
    return found.filter(Q(text__icontains=words) | Q(evidence__term__icontains=words)) if words else found


def _current(proposals: QuerySet[Proposal], at: int | None) -> Proposal | None:
    whole = proposals.select_related("group", "document", "reviewer", "run__generation__index")
    if at is None:
        return whole.filter(status=Proposal.Status.PENDING).first()
    return whole.filter(pk=at).first()


def _around(proposals: QuerySet[Proposal], current: Proposal | None) -> tuple[list[Proposal], list[Proposal]]:
    """The rows before `current`, and those from it on; without one, the end of what is reviewed."""
    shown = _with_sizes(proposals.select_related("group").defer("group__facts", "group__shared", "group__exact_ranks"))
    before = shown.filter(_before(current)) if current else shown
    after = list(shown.exclude(_before(current))[:ROWS_AFTER]) if current else []
    return list(before.order_by("-rank", "-pk")[:ROWS_BEFORE])[::-1], after


def _with_sizes(proposals: QuerySet[Proposal]) -> QuerySet[Proposal]:
    """The proposals, each with how many members its group has, as `members`."""
    members = NearDuplicateMember.objects.filter(group=OuterRef("group")).order_by().values("group")
    return proposals.annotate(members=Subquery(members.annotate(n=Count("pk")).values("n")))


def _before(proposal: Proposal) -> Q:
    return Q(rank__lt=proposal.rank) | Q(rank=proposal.rank, pk__lt=proposal.pk)


def _next(pending: QuerySet[Proposal], current: Proposal) -> int | None:
    others = pending.exclude(pk=current.pk).values_list("pk", flat=True)
    return others.exclude(_before(current)).first() or others.first()


def _row(proposal: Proposal) -> Row:
    evidence: Mapping[str, Any] = proposal.evidence
    counted = (getattr(proposal, "members", None), evidence.get("df"), evidence.get("count"))
    return Row(
        pk=proposal.pk,
        title=title_of(proposal),
        locale=proposal.locale,
        status=proposal.status,
        reason=proposal.reason,
        figure=next((int(figure) for figure in counted if figure), 0),
        differs_in=tuple(proposal.group.differs_in) if proposal.group else (),
    )


def _own_last(corpus: Corpus, family: Miner, reviewer: User) -> Proposal | None:
    decided = current_proposals(corpus).filter(run__miner=family, reviewer=reviewer)
    return decided.exclude(status=Proposal.Status.PENDING).order_by("-reviewed_at", "-pk").first()
