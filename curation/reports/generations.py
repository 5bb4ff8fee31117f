"""Generations, and the Mining page: the open one family by family, and those before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Case, Count, Max, QuerySet, Subquery, When

from curation.miners.rare_entity import BELOW
from curation.models import Corpus, Generation, Job, Miner, MiningRun, Proposal, Query, TargetIndex
from curation.reports.schedule import today_in
from curation.reports.thresholds import THRESHOLD

SOURCES: Mapping[Miner, str] = {
    Miner.NEAR_DUPLICATE: "Exact vectors near one another, in texts that differ in a date, an amount or a place",
    Miner.HARD_NEGATIVE: "Top 20 of the production index, relevant ones removed, 8 per query",
    Miner.RARE_ENTITY: "Terms in fewer than {below:,} articles",
    Miner.SHORT_KEYWORD: "Query log, under six words",
}


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """One family: its newest finished run, the one at work, and the newest one if that failed."""

    miner: Miner
    done: MiningRun | None
    live: MiningRun | None
    failed: MiningRun | None
    verdicts: Mapping[str, int]
    mined_in: frozenset[int]  # the keys of the generations that have a run of it, finished or at work

    @property
    def source(self) -> str:
        """What the family is mined from, with the similarity or the limit that the finished run was asked for."""
        params = self.done.params if self.done else {}
        threshold = params.get(THRESHOLD) if self.miner == Miner.NEAR_DUPLICATE else None
        source = SOURCES[self.miner].format(below=params.get("below", BELOW))
        return source + (f"; similarity from {threshold:g}" if threshold else "")

    @property
    def is_reviewed(self) -> bool:
        """Does somebody decide on what this family finds?"""
        return self.miner != Miner.HARD_NEGATIVE

    @property
    def proposed(self) -> int:
        """Proposals of the finished run."""
        return sum(self.verdicts.values())

    @property
    def pending(self) -> int:
        """Proposals that nobody has decided on."""
        return self.verdicts.get(Proposal.Status.PENDING, 0)

    @property
    def reviewed(self) -> int:
        """Proposals decided on."""
        return self.proposed - self.pending

    @property
    def kept(self) -> int:
        """Proposals accepted."""
        return self.verdicts.get(Proposal.Status.ACCEPTED, 0)

    @property
    def took(self) -> timedelta | None:
        """How long the finished run took."""
        job = self.done.job if self.done else None
        return job.finished_at - job.started_at if job and job.finished_at and job.started_at else None


@dataclass(frozen=True, slots=True)
class GenerationRow:
    """One generation, how many queries were made of its proposals, and how long after its date it was opened."""

    generation: Generation
    kept: int
    days_late: int


@dataclass(frozen=True, slots=True)
class Mining:
    """Everything the page shows: of every generation of the corpus, and of the index that is mined against now."""

    index: TargetIndex
    families: list[FamilyRow]
    generations: list[GenerationRow]

    @property
    def open(self) -> Generation | None:
        """The open generation of the index; none where another index has just been put in production."""
        mined = (row.generation for row in self.generations if row.generation.index_id == self.index.pk)
        return next((generation for generation in mined if generation.closed_at is None), None)

    @property
    def not_mined(self) -> list[str]:
        """The families that have no run in the open generation, by name."""
        if self.open is None:
            return []
        return [str(row.miner.label) for row in self.families if self.open.pk not in row.mined_in]

    @property
    def next_number(self) -> int:
        """The number of the generation that comes next."""
        return self.generations[0].generation.number + 1 if self.generations else 1

    @property
    def live(self) -> list[Job]:
        """The jobs at work or waiting, in the order of the families."""
        return [row.live.job for row in self.families if row.live and row.live.job]

    def why_not_next(self, today: date) -> str:
        """Why the next generation cannot be started yet, "" where it can."""
        newest = self.generations[0].generation if self.generations else None
        if newest and self.live:
            return f"Generation {newest.number} is still being mined."
        if newest and newest.index_id == self.index.pk and newest.due_on == today:
            return f"Generation {newest.number} is of today; each family can be mined again in it."
        return ""


def mined_index(corpus: Corpus) -> TargetIndex | None:
    """The index that is mined against: the one in production, else the corpus's own exact one."""
    return corpus.indexes.order_by("-is_production", "pk").first()


def open_generation(index: TargetIndex) -> Generation | None:
    """The generation that `index` is mined in now; None where it has none, or its last one was closed."""
    return index.generations.filter(closed_at__isnull=True).first()


def generations_of(corpus: Corpus) -> QuerySet[Generation]:
    """The corpus's generations, the newest first, whichever index each was mined against."""
    return Generation.objects.filter(index__corpus=corpus).select_related("index__corpus").order_by("-number", "-pk")


def newest_for_sets(corpus: Corpus) -> Generation | None:
    """The generation that a set frozen now belongs to: the newest of the index that is mined against, else of all.

    An index that was just put in production is not mined yet; the queries are still those of the generation before it.
    """
    mined = corpus.indexes.order_by("-is_production", "pk").values("pk")[:1]
    own = Case(When(index=Subquery(mined), then=1), default=0)
    return generations_of(corpus).order_by(own.desc(), "-number", "-pk").first()


def next_number(corpus: Corpus) -> int:
    """The number of the generation that comes next; they count through the corpus from 1."""
    newest: int | None = generations_of(corpus).aggregate(newest=Max("number"))["newest"]
    return (newest or 0) + 1


def generation_numbered(corpus: Corpus, number: int) -> Generation | None:
    """The generation of that number; the newest where two indexes once counted apart."""
    return generations_of(corpus).filter(number=number).first()


def live_runs(corpus: Corpus) -> QuerySet[MiningRun]:
    """The mining runs that work or wait."""
    return MiningRun.objects.filter(generation__index__corpus=corpus, state__in=Job.LIVE)


def mining_of(index: TargetIndex) -> Mining:
    """The page's figures, in four queries."""
    runs: defaultdict[str, list[MiningRun]] = defaultdict(list)
    found = MiningRun.objects.filter(generation__index__corpus=index.corpus_id)
    found = found.select_related("job__corpus", "generation")
    for run in found.order_by("-pk"):
        runs[run.miner].append(run)
    done = {miner: next((run for run in runs[miner] if run.state == MiningRun.State.DONE), None) for miner in Miner}
    verdicts = _verdicts([run for run in done.values() if run])
    families = []
    for miner in Miner:
        newest = runs[miner][0] if runs[miner] else None
        live = newest if newest and newest.state in Job.LIVE else None
        failed = newest if newest and newest.state == MiningRun.State.FAILED else None
        kept = {*Job.LIVE, MiningRun.State.DONE}
        mined_in = frozenset(run.generation_id for run in runs[miner] if run.state in kept)
        families.append(FamilyRow(miner, done[miner], live, failed, verdicts.get(miner, {}), mined_in))
    return Mining(index, families, generation_rows(index.corpus))


def _verdicts(runs: list[MiningRun]) -> Mapping[str, Mapping[str, int]]:
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    tallied = Proposal.objects.filter(run__in=runs).values_list("run__miner", "status").annotate(n=Count("pk"))
    for miner, status, count in tallied:
        counts[miner][status] = count
    return counts


def generation_rows(corpus: Corpus) -> list[GenerationRow]:
    """Every generation, the newest first; two SQL queries."""
    made = Query.objects.filter(proposal__run__generation__index__corpus=corpus)
    kept = dict(made.values_list("proposal__run__generation").annotate(n=Count("pk")))
    return [
        GenerationRow(each, kept.get(each.pk, 0), max(0, (today_in(corpus, each.opened_at) - each.due_on).days))
        for each in generations_of(corpus)
    ]
