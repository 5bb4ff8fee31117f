"""Two years of the quarterly schedule, with two schedulers whose ticks are doubled, late and missed."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import partial

import pytest

from curation.actions import generations
from curation.actions.generations import Tick
from curation.models import Generation, Job, Miner, MiningRun, TargetIndex
from tests import factories
from tests.faults.threads import together

pytestmark = pytest.mark.django_db(transaction=True)
ANCHOR = date(2026, 1, 31)
QUARTERS = [
    date(2026, 4, 30),
    date(2026, 7, 31),
    date(2026, 10, 31),
    date(2027, 1, 31),
    date(2027, 4, 30),
    date(2027, 7, 31),
    date(2027, 10, 31),
    date(2028, 1, 31),
]
LATE = {QUARTERS[2]: timedelta(days=7), QUARTERS[5]: timedelta(days=40)}  # the scheduler was down for so long


@pytest.fixture
def index() -> TargetIndex:
    return TargetIndex.objects.create(
        corpus=factories.a_corpus(),
        name="exact",
        kind="exact",
        is_production=True,
        remine_anchor=ANCHOR,
        remine_due_on=QUARTERS[0],
    )


def moments() -> list[datetime]:
    """The days on which a tick comes: the eve of each quarter, its day, the day after; a late one instead of those."""
    days: list[date] = []
    for due in QUARTERS:
        late = LATE.get(due)
        days += [due + late] if late else [due - timedelta(days=1), due, due + timedelta(days=1)]
    return [datetime.combine(day, time(3), UTC) for day in days]


def two_schedulers(now: datetime) -> list[Tick]:
    """What both did at one moment, and what one of them did again at once."""
    scheduler = partial(generations.tick, now=now)
    return [ticked for ticks in [*together(scheduler, scheduler), scheduler()] for ticked in ticks]


def test_eight_quarters_under_two_schedulers_have_one_generation_each(index: TargetIndex) -> None:
    opened = [ticked for now in moments() for ticked in two_schedulers(now) if ticked.generation]
    assert [ticked.due_on for ticked in opened] == QUARTERS
    found = list(Generation.objects.order_by("number"))
    assert [(each.number, each.due_on) for each in found] == list(enumerate(QUARTERS, 1))
    assert [each.opened_at.date() - each.due_on for each in found] == [LATE.get(due, timedelta()) for due in QUARTERS]
    for each in found:
        assert sorted(each.runs.values_list("miner", flat=True)) == sorted(Miner)
    assert (MiningRun.objects.count(), Job.objects.count()) == (32, 32)
    index.refresh_from_db()
    assert index.remine_due_on == date(2028, 4, 30)


def test_only_the_newest_generation_is_open_and_what_was_not_mined_in_time_is_cancelled(index: TargetIndex) -> None:
    for now in moments():
        two_schedulers(now)
    *earlier, newest = Generation.objects.order_by("number")
    assert newest.closed_at is None
    assert [each.closed_at for each in earlier] == [each.opened_at for each in [*earlier[1:], newest]]
    assert set(MiningRun.objects.filter(generation=newest).values_list("state", flat=True)) == {"queued"}
    assert set(MiningRun.objects.exclude(generation=newest).values_list("state", flat=True)) == {"cancelled"}
