"""One generation as it stands: its runs, what they found, and its proposals with the verdicts people gave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Prefetch

from curation.models import Generation, Miner, MiningRun, Proposal, Query

from .comparison import finished
from .generations import generations_of
from .review import FAMILIES

PROPOSALS_A_PAGE = 25


@dataclass(frozen=True, slots=True)
class FamilyTab:
    """The proposals of one family in the generation, by verdict; `is_newest` where the review shows this very run."""

    miner: Miner
    verdicts: Mapping[str, int]
    is_newest: bool

    @property
    def proposed(self) -> int:
        """How many there are."""
        return sum(self.verdicts.values())


@dataclass(frozen=True, slots=True)
class Past:
    """The whole page: every run, the newest finished one of each family, and one page of one family's proposals."""

    generation: Generation
    earlier: tuple[Generation, ...]
    runs: tuple[MiningRun, ...]
    tabs: tuple[FamilyTab, ...]
    tab: FamilyTab
    page: Page[Any]  # of proposals, each with `standing`: the queries made of it


def past(generation: Generation, *, family: Miner, page: str | None) -> Past:
    """The generation with the page `page` of what `family` proposed; the number of SQL queries is fixed."""
    done = finished(generation)[generation.pk]
    tabs = tabs_of(generation, done)
    return Past(
        generation=generation,
        earlier=tuple(generations_of(generation.index.corpus).filter(number__lt=generation.number)),
        runs=tuple(generation.runs.select_related("job").order_by("miner", "pk")),
        tabs=tabs,
        tab=next(tab for tab in tabs if tab.miner == family),
        page=proposals_of(done.get(family), page=page),
    )


def tabs_of(generation: Generation, done: Mapping[Miner, MiningRun]) -> tuple[FamilyTab, ...]:
    """The families that people review; two SQL queries."""
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    tallied = Proposal.objects.filter(run__in=[run.pk for run in done.values()])
    for miner, status, count in tallied.values_list("run__miner", "status").annotate(n=Count("pk")):
        counts[miner][status] = count
    corpus = generation.index.corpus_id
    everywhere = MiningRun.objects.filter(generation__index__corpus=corpus, state=MiningRun.State.DONE)
    newest = dict(everywhere.values_list("miner").annotate(newest=Max("pk")))
    return tuple(
        FamilyTab(miner, counts[miner], miner in done and done[miner].pk == newest.get(miner)) for miner in FAMILIES
    )


def proposals_of(run: MiningRun | None, *, page: str | None) -> Page[Any]:
    """A page of the run's proposals in its order, each with the queries that were made of it and stand."""
    standing = Query.objects.exclude(status=Query.Status.RETIRED).order_by("pk")
    found = Proposal.objects.filter(run=run) if run else Proposal.objects.none()
    found = found.select_related("reviewer", "group", "document").defer(
        "group__facts", "group__shared", "group__exact_ranks"
    )
    made = Prefetch("queries", queryset=standing, to_attr="standing")
    return Paginator(found.prefetch_related(made).order_by("rank", "pk"), PROPOSALS_A_PAGE).get_page(page)
