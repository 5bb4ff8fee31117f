"""My work: what each role does next. The words stand in the templates, the figures here.

Every figure is of the moment: nothing is stored beside the rows it counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from curation.measures.cost import JUDGING_SECONDS, WRITING_SECONDS, Cost
from curation.measures.targets import COUNT_TARGETS
from curation.models import Corpus, Generation, MiningRun, Query, RankedRun, User
from curation.reports.cells import Cell
from curation.reports.counts import StratumCount, stratum_counts
from curation.reports.coverage import Beside, Coverage, Question, coverage_of
from curation.reports.desk import asked_first
from curation.reports.gate_report import Report, rejected_last
from curation.reports.proposals import Family, families
from curation.reports.schedule import day_start
from curation.reports.sent_back import sent_back
from curation.reports.shortfall import Shortfall, lacking, short_of
from curation.reports.spellings import locale_sizes
from curation.reports.team import ENOUGH, Assigned, assignments_of
from curation.reports.traffic import traffic_shares
from curation.reports.writing_pace import Measured, measured
from curation.reports.written_next import WrittenNext, written_next
from judging.reports.agreement import agreement_of
from judging.reports.disagreements import Tally, tally
from judging.reports.mismatches import open_flags
from judging.reports.pools import count_within_reach
from judging.reports.rates import Rate
from judging.reports.waiting import Held, held_by, to_look_at_again
from judging.reports.weeks import Done, done_by, done_since, week_start

GATE = COUNT_TARGETS["gate"]


@dataclass(frozen=True, slots=True)
class WriterWork:
    """A writer's page: the planned strata of their languages, those still short first, and their week.

    `counts` are all strata of the corpus. `assigned` is what leads ask of them, each with the dimensions of its
    stratum; `short` has these strata first.
    """

    counts: list[StratumCount]
    assigned: list[tuple[Assigned, Mapping[str, str]]]
    planned: list[StratumCount]
    short: list[Shortfall]
    week: Done
    measured: Measured
    sent_back: list[Query]

    @property
    def total(self) -> int:
        """Wordings planned."""
        return sum(count.planned for count in self.planned)

    @property
    def left(self) -> int:
        """Wordings the plan still lacks."""
        return lacking(self.planned)

    @property
    def have(self) -> int:
        """Wordings that stand in the planned strata, none counted past its plan."""
        return self.total - self.left

    @property
    def seconds_left(self) -> float:
        """What writing them takes at the person's own pace, else by the planning figure."""
        return self.left * (self.measured.pace or WRITING_SECONDS)


def writer_work(user: User, corpus: Corpus, *, languages: Collection[str], now: datetime) -> WriterWork:
    """What a writer of `languages` does next."""
    counts = stratum_counts(corpus)
    planned = [each for each in counts if each.planned and each.query_language in languages]
    owed = [each for each in assignments_of(corpus, user) if each.left]
    places = {each.stratum_id: each.dimensions for each in counts}
    return WriterWork(
        counts=counts,
        assigned=[(each, places[each.stratum_id]) for each in owed if each.stratum_id in places],
        planned=sorted(planned, key=lambda count: (-count.have, count.query_language)),
        short=asked_first(short_of(counts, languages=languages), {each.stratum_id for each in owed}),
        week=done_by(user, corpus, since=week_start(corpus, now)),
        measured=measured(corpus, user),
        sent_back=sent_back(corpus, user),
    )


@dataclass(frozen=True, slots=True)
class AdjusterWork:
    """An adjuster's page: the query in hand, what waits, and today.

    `again` documents that they judged before wait for them once more; `agreement` is theirs with the other judges.
    `families` are of the mined queries that they decide on.
    """

    held: Held | None
    waiting: int
    families: list[Family]
    today: Done
    again: int
    agreement: Rate

    @property
    def pace(self) -> float | None:
        """Seconds a query at the person's own pace today; None before they judged enough to reckon with."""
        return self.today.median_seconds if self.today.judged >= ENOUGH else None

    @property
    def seconds_left(self) -> float:
        """What the waiting queries take at the person's own pace today, else by the planning figure."""
        return self.waiting * (self.pace or JUDGING_SECONDS)


def adjuster_work(user: User, corpus: Corpus, *, reviewed: Collection[str] | None, now: datetime) -> AdjusterWork:
    """What an adjuster does next, who decides on mined queries of the locales `reviewed` (None: of all)."""
    return AdjusterWork(
        held=held_by(user, corpus),
        waiting=count_within_reach(corpus, user, now=now),
        families=[family for family in families(corpus, locales=reviewed) if family.pending],
        today=done_by(user, corpus, since=day_start(corpus, now)),
        again=to_look_at_again(user, corpus, now=now),
        agreement=agreement_of(user, corpus),
    )


@dataclass(frozen=True, slots=True)
class LeadWork:
    """A lead's page: the board in short, what waits for a decision, who did what this week.

    `levels` counts the cells (query language x corpus language) that reached 400, 100, 30, and none of them; one that
    holds nothing but queries on the way to others is not in use. `next` is the way to readable locales, as Coverage
    tells it. `rejected` is the newest gate report where it is a rejection.
    """

    coverage: Coverage
    next: WrittenNext
    rejected: Report | None
    thin: list[tuple[str, int]]
    levels: dict[int, int]
    short: list[Shortfall]
    families: list[Family]
    disputed: Tally
    mismatches: int
    generation: Generation | None
    running: MiningRun | None
    week: list[Done]

    @property
    def in_use(self) -> int:
        """Cells that hold or plan queries."""
        return sum(self.levels.values())

    @property
    def quotable(self) -> int:
        """Cells at the gate target or above."""
        return sum(number for level, number in self.levels.items() if level >= GATE)

    @property
    def to_review(self) -> int:
        """Proposals that wait for somebody's decision."""
        return sum(family.pending for family in self.families)

    @property
    def missing(self) -> int:
        """Wordings that bring every planned stratum to its next target."""
        return sum(short.missing for short in self.short)

    @property
    def cost_missing(self) -> Cost:
        """What writing and judging them takes by the planning figures."""
        return Cost(self.missing * WRITING_SECONDS, self.missing * JUDGING_SECONDS)


def lead_work(corpus: Corpus, lead: User, *, led: Collection[str] | None, now: datetime) -> LeadWork:
    """What `lead` of the locales `led` (None: of all) looks at first: the whole board, and what they can decide."""
    run = RankedRun.objects.filter(corpus=corpus, name="exact").first()
    counts = stratum_counts(corpus, run=run)
    shares = traffic_shares(corpus)
    answer = coverage_of(counts, Question(run=run), Beside(shares))
    next_steps = written_next(corpus, counts, answer, shares=shares, now=now)
    mined = Generation.objects.filter(index__corpus=corpus).select_related("index").order_by("-opened_at").first()
    live = MiningRun.objects.filter(generation=mined, state=MiningRun.State.RUNNING).select_related("job")
    return LeadWork(
        coverage=answer,
        next=next_steps,
        rejected=rejected_last(corpus),
        thin=thin_locales(counts),
        levels=levels(in_use(answer.cells, counts)),
        short=short_of(counts),
        families=[family for family in families(corpus, locales=led) if family.pending],
        disputed=tally(corpus, locales=led),
        mismatches=open_flags(corpus, locales=led, reader=lead).count(),
        generation=mined,
        running=live.first() if mined else None,
        week=done_since(corpus, week_start(corpus, now), now=now, owed=next_steps.team.owed),
    )


def thin_locales(counts: Collection[StratumCount]) -> list[tuple[str, int]]:
    """Query languages below the gate target, with their n: nobody may quote their score. The fullest first."""
    below = [(locale, n) for locale, n in locale_sizes(counts).items() if n < GATE]
    return sorted(below, key=lambda pair: (-pair[1], pair[0]))


def in_use(cells: Collection[Cell], counts: Collection[StratumCount]) -> list[Cell]:
    """The cells (query language x corpus language) but for those where queries only pass through."""
    used = {(count.query_language, count.corpus_language) for count in counts if not count.is_passage}
    return [each for each in cells if tuple(each.dimensions.values()) in used]


def levels(cells: Collection[Cell]) -> dict[int, int]:
    """The highest count target a cell reached (0 for none) → how many cells, the highest target first."""
    targets = sorted(COUNT_TARGETS.values(), reverse=True)
    found = dict.fromkeys([*targets, 0], 0)
    for cell in cells:
        found[next((target for target in targets if cell.n >= target), 0)] += 1
    return found
