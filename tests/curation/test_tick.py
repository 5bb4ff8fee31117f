"""The daily tick: one generation for each index and quarter, however often and however late it comes."""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime

import pytest
import time_machine
from django.core.management import call_command

from curation import tasks
from curation.actions import generations, jobs
from curation.actions.refusal import Refused
from curation.models import Corpus, Generation, Job, Miner, MiningRun, TargetIndex
from tests import factories

BEFORE = datetime(2026, 12, 31, 23, 59, 30, tzinfo=UTC)
AFTER = datetime(2027, 1, 1, 0, 5, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def scheduled(slug: str = "claims", *, anchor: date = date(2026, 10, 1), **fields: str) -> TargetIndex:
    return TargetIndex.objects.create(
        corpus=factories.a_corpus(slug, **fields),
        name="exact",
        kind="exact",
        is_production=True,
        remine_anchor=anchor,
        remine_due_on=date(2027, 1, 1),
    )


def test_nothing_happens_before_the_date() -> None:
    scheduled()
    assert generations.tick(now=BEFORE) == []
    assert not Generation.objects.exists()


def test_the_date_opens_one_generation_with_its_four_runs_waiting() -> None:
    index = scheduled()
    generations.tick(now=AFTER)
    generation = Generation.objects.get()
    assert (generation.number, generation.due_on, generation.opened_at) == (1, date(2027, 1, 1), AFTER)
    assert set(generation.runs.values_list("miner", "state")) == {(miner, "queued") for miner in Miner}
    assert Job.objects.filter(state="queued", kind="mine").count() == 4
    index.refresh_from_db()
    assert index.remine_due_on == date(2027, 4, 1)


def test_the_date_is_that_of_the_corpus_time_zone() -> None:
    scheduled("west", time_zone="America/Los_Angeles")
    scheduled("east", time_zone="Asia/Tokyo")
    generations.tick(now=BEFORE)
    assert Generation.objects.get().index.corpus.slug == "east"


def test_a_tick_missed_for_a_week_delays_by_a_week_and_keeps_the_quarters_date() -> None:
    index = scheduled()
    generations.tick(now=datetime(2027, 1, 8, 3, tzinfo=UTC))
    generation = Generation.objects.get()
    assert (generation.due_on, generation.opened_at.date()) == (date(2027, 1, 1), date(2027, 1, 8))
    index.refresh_from_db()
    assert index.remine_due_on == date(2027, 4, 1)


def test_quarters_missed_altogether_open_one_generation() -> None:
    scheduled()
    generations.tick(now=datetime(2027, 8, 2, 3, tzinfo=UTC))
    assert list(Generation.objects.values_list("due_on", flat=True)) == [date(2027, 7, 1)]


def test_a_doubled_tick_opens_nothing_more() -> None:
    scheduled()
    assert [len(generations.tick(now=AFTER)), len(generations.tick(now=AFTER))] == [1, 0]
    assert MiningRun.objects.count() == 4


def test_a_scheduler_that_read_the_date_and_came_second_is_recorded_as_already_scheduled(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    index = scheduled()
    generations.tick(now=AFTER)
    late = generations._claim(index, date(2026, 10, 1), now=AFTER)  # `index` still holds the date read before
    assert late.generation is None
    assert "claims / exact, due on 2027-01-01: already scheduled" in caplog.text
    assert Generation.objects.count() == 1


def test_a_generation_opened_by_hand_on_the_due_date_is_the_quarters_one() -> None:
    index = scheduled()
    generations.open_next(index=index, due_on=date(2027, 1, 1), now=AFTER)
    [ticked] = generations.tick(now=AFTER)
    assert ticked.words == "claims / exact, due on 2027-01-01: already scheduled"
    index.refresh_from_db()
    assert index.remine_due_on == date(2027, 4, 1)


def test_opening_the_next_generation_closes_the_one_before_and_cancels_what_runs_in_it() -> None:
    index = scheduled()
    generations.tick(now=AFTER)
    later = datetime(2027, 4, 1, 3, tzinfo=UTC)
    generations.tick(now=later)
    first, second = Generation.objects.order_by("number")
    assert (first.closed_at, second.closed_at, second.number) == (later, None, 2)
    assert set(first.runs.values_list("state", "job__state")) == {("cancelled", "cancelled")}
    assert index.generations.count() == 2


def test_a_second_generation_on_one_day_is_refused_in_words() -> None:
    corpus = scheduled().corpus
    lena = factories.lena(corpus)
    for job in generations.start_next(corpus=corpus, asked_by=lena, now=BEFORE):
        jobs.cancel(job_id=job.pk, now=BEFORE)
    with pytest.raises(Refused, match="There is a generation of 31 Dec 2026 already"):
        generations.start_next(corpus=corpus, asked_by=lena, now=BEFORE)


def test_a_generation_still_being_mined_is_not_followed_by_hand() -> None:
    corpus = scheduled().corpus
    lena = factories.lena(corpus)
    generations.start_next(corpus=corpus, asked_by=lena, now=BEFORE)
    with pytest.raises(Refused, match="still being mined"):
        generations.start_next(corpus=corpus, asked_by=lena, now=AFTER)


def test_mining_without_a_generation_opens_the_first_and_then_keeps_to_it() -> None:
    corpus: Corpus = scheduled().corpus
    first = generations.current(corpus=corpus, now=BEFORE)
    assert (first.number, first.due_on) == (1, date(2026, 12, 31))
    assert generations.current(corpus=corpus, now=AFTER) == first


def test_a_corpus_without_an_index_cannot_be_mined() -> None:
    with pytest.raises(Refused, match="import its documents first"):
        generations.current(corpus=factories.a_corpus(), now=BEFORE)


def test_a_new_anchor_moves_the_next_date() -> None:
    index = scheduled()
    generations.reschedule(corpus=index.corpus, anchor=date(2026, 1, 31), now=BEFORE)
    index.refresh_from_db()
    assert (index.remine_anchor, index.remine_due_on) == (date(2026, 1, 31), date(2027, 1, 31))


def test_the_command_does_what_the_scheduler_does(capsys: pytest.CaptureFixture[str]) -> None:
    scheduled()
    with time_machine.travel(AFTER, tick=False):
        call_command("tick")
        call_command("tick")
    assert capsys.readouterr().out.splitlines() == [
        "claims / exact, due on 2027-01-01: generation 1 opened",
        "No index is due.",
    ]


def test_the_task_opens_what_is_due_and_a_lost_message_is_found_by_the_sweep() -> None:
    scheduled()
    with time_machine.travel(AFTER, tick=False):
        tasks.daily_tick()
    waiting = jobs.sweep(now=datetime(2027, 1, 1, 0, 6, tzinfo=UTC))
    assert waiting == list(Job.objects.order_by("pk").values_list("pk", flat=True))
    assert len(waiting) == 4
