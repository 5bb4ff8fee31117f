"""Generations: opened by the quarterly tick, or by a lead who wants one now."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.dateformat import format as in_words

from curation.actions import jobs, mining
from curation.actions.mining import AS_BEFORE, Settings
from curation.actions.production import hold_indexes
from curation.actions.refusal import Refused
from curation.models import Corpus, Generation, Job, Miner, TargetIndex, User
from curation.reports.generations import generations_of, mined_index, next_number, open_generation
from curation.reports.retrievers import stored_fingerprint
from curation.reports.schedule import latest_date, next_dates, today_in

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Tick:
    """What the tick did for one index that was due; without a generation, another scheduler had come first."""

    index: TargetIndex
    due_on: date
    generation: Generation | None
    jobs: list[Job] = field(default_factory=list)

    @property
    def words(self) -> str:
        """One line for the log and the command."""
        did = f"generation {self.generation.number} opened" if self.generation else "already scheduled"
        return f"{self.index.corpus.slug} / {self.index.name}, due on {self.due_on:%Y-%m-%d}: {did}"


def tick(*, now: datetime) -> list[Tick]:
    """Open a generation, with its four runs waiting, for every index whose date has come.

    A tick that was missed delays; a second one of the same date, or of another scheduler, loses the claim.
    """
    indexes = TargetIndex.objects.exclude(remine_due_on=None).select_related("corpus").order_by("pk")
    return [
        _claim(index, anchor, now=now)
        for index in indexes
        if (anchor := index.remine_anchor) and (due := index.remine_due_on) and due <= today_in(index.corpus, now)
    ]


def _claim(index: TargetIndex, anchor: date, *, now: datetime) -> Tick:
    today = today_in(index.corpus, now)
    due_on = latest_date(anchor, until=today)
    [following] = next_dates(anchor, after=today, how_many=1)
    with transaction.atomic():
        hold_indexes(index.corpus)
        ours = TargetIndex.objects.filter(pk=index.pk, remine_due_on=index.remine_due_on)
        if not ours.update(remine_due_on=following) or index.generations.filter(due_on=due_on).exists():
            ticked = Tick(index, due_on, None)
        else:
            generation = open_next(index=index, due_on=due_on, now=now)
            asked = mining.ask_for(generation=generation, miners=list(Miner), asked_by=None, now=now)
            ticked = Tick(index, due_on, generation, asked)
    log.info("%s", ticked.words)
    return ticked


def open_next(*, index: TargetIndex, due_on: date, now: datetime) -> Generation:
    """Open the next generation without runs; the one before is closed, and what still runs in it cancelled.

    Generations are numbered through the corpus, so that they stay in order when another index takes over.

    Raises:
        Refused: there is one for this date already.
    """
    with transaction.atomic():
        hold_indexes(index.corpus)
        if index.generations.filter(due_on=due_on).exists():
            raise Refused(
                f"There is a generation of {in_words(due_on, 'j M Y')} already; the next one needs another date."
            )
        for before in _followed_by(index):
            _close(before, now=now)
        return Generation.objects.create(
            index=index,
            number=next_number(index.corpus),
            due_on=due_on,
            index_fingerprint=stored_fingerprint(index),
            opened_at=now,
        )


def _followed_by(index: TargetIndex) -> QuerySet[Generation]:
    """The open generations that end with the next one of `index`: its own, and those of indexes out of production."""
    still_open = generations_of(index.corpus).filter(closed_at__isnull=True)
    return still_open.filter(Q(index=index) | Q(index__is_production=False, index__remine_due_on__isnull=True))


def _close(generation: Generation, *, now: datetime) -> None:
    live = Job.objects.filter(mining_run__generation=generation, state__in=Job.LIVE).values_list("pk", flat=True)
    jobs.move(list(live), Job.State.CANCELLED, now=now, only=Q(state__in=Job.LIVE))
    generation.closed_at = now
    generation.save(update_fields=["closed_at"])


def production_index(*, corpus: Corpus) -> TargetIndex:
    """The index in production, else the corpus's own exact one.

    Raises:
        Refused: the corpus has no index yet.
    """
    index = mined_index(corpus)
    if index is None:
        raise Refused(f"The corpus {corpus.slug} has no index; import its documents first.")
    return index


def current(*, corpus: Corpus, now: datetime) -> Generation:
    """The open generation of the production index; where there is none, the next one, opened today.

    Raises:
        Refused: the corpus has no index.
    """
    with transaction.atomic():
        hold_indexes(corpus)
        index = production_index(corpus=corpus)
        return open_generation(index) or open_next(index=index, due_on=today_in(corpus, now), now=now)


def mine_now(
    *,
    corpus: Corpus,
    miners: Sequence[Miner],
    asked_by: User | None,
    now: datetime,
    settings: Settings = AS_BEFORE,
) -> list[Job]:
    """Ask for runs in the open generation of the production index; where none is open, the next one is opened.

    Raises:
        Refused: the corpus has no index, a number is out of its range, or a run is at work with other numbers.
    """
    with transaction.atomic():
        generation = current(corpus=corpus, now=now)
        return mining.ask_for(generation=generation, miners=miners, asked_by=asked_by, now=now, settings=settings)


def mine_or_open(
    *,
    corpus: Corpus,
    miners: Sequence[Miner],
    asked_by: User | None,
    now: datetime,
    settings: Settings = AS_BEFORE,
) -> tuple[list[Job], Generation | None]:
    """As `mine_now`; but where no generation is open, open the next one with all four families, and return it, too.

    Raises:
        Refused: as `mine_now`.
    """
    with transaction.atomic():
        hold_indexes(corpus)
        index = production_index(corpus=corpus)
        if open_generation(index) is not None:
            return mine_now(corpus=corpus, miners=miners, asked_by=asked_by, now=now, settings=settings), None
        asked = mine_now(corpus=corpus, miners=list(Miner), asked_by=asked_by, now=now, settings=settings)
        return asked, open_generation(index)


def start_next(*, corpus: Corpus, asked_by: User, now: datetime) -> list[Job]:
    """Open the next generation today, at a lead's word, with its four runs waiting.

    Raises:
        Refused: the corpus has no index, one was opened for today already, or the open one is still being mined.
    """
    with transaction.atomic():
        hold_indexes(corpus)
        index = production_index(corpus=corpus)
        if Job.objects.filter(mining_run__generation__index=index, state__in=Job.LIVE).exists():
            raise Refused("The open generation is still being mined; wait for its runs, or cancel them.")
        generation = open_next(index=index, due_on=today_in(corpus, now), now=now)
        return mining.ask_for(generation=generation, miners=list(Miner), asked_by=asked_by, now=now)


def reschedule(*, corpus: Corpus, anchor: date, now: datetime, time_zone: str = "") -> TargetIndex:
    """Count the quarters of the production index from `anchor` on; the next date is the first one after today.

    A `time_zone` (a known name) becomes the corpus' own; "" leaves it.

    Raises:
        Refused: the corpus has no index.
    """
    with transaction.atomic():
        hold_indexes(corpus)
        index = production_index(corpus=corpus)
        if time_zone:
            corpus.time_zone = time_zone
            corpus.save(update_fields=["time_zone"])
        index.remine_anchor = anchor
        [index.remine_due_on] = next_dates(anchor, after=today_in(corpus, now), how_many=1)
        index.save(update_fields=["remine_anchor", "remine_due_on"])
        return index
