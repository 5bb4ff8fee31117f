"""Copies that arrive together: two schedulers, three deliveries of one message."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from curation import registry, tasks
from curation.actions import generations, jobs
from curation.actions.holds import Held
from curation.models import Corpus, Generation, Job, Miner, MiningRun, TargetIndex
from tests import factories
from tests.faults.threads import together

pytestmark = pytest.mark.django_db(transaction=True)


def test_c35_two_schedulers_across_the_new_year_open_one_generation_for_each_corpus() -> None:
    for slug in ("claims", "faq", "manuals"):
        TargetIndex.objects.create(
            corpus=factories.a_corpus(slug),
            name="exact",
            kind="exact",
            remine_anchor=date(2026, 10, 1),
            remine_due_on=date(2027, 1, 1),
        )
    outcomes = []
    for moment in (
        datetime(2026, 12, 31, 23, 59, 30, tzinfo=UTC),
        datetime(2027, 1, 1, 0, 5, tzinfo=UTC),
        datetime(2027, 1, 2, 3, tzinfo=UTC),
    ):
        scheduler = partial(generations.tick, now=moment)
        outcomes += [ticked for ticks in together(scheduler, scheduler) for ticked in ticks]
    opened = [ticked.index.corpus.slug for ticked in outcomes if ticked.generation]
    assert sorted(opened) == ["claims", "faq", "manuals"]
    assert all("already scheduled" in ticked.words for ticked in outcomes if not ticked.generation)
    assert (Generation.objects.count(), MiningRun.objects.count(), Job.objects.count()) == (3, 12, 12)


def test_c32_three_deliveries_of_one_job_write_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(held: Held) -> dict[str, Any]:
        time.sleep(0.3)
        with held.closing({"by": held.job.fencing}):
            Corpus.objects.create(slug=f"written-by-{held.job.fencing}", name="Written")
        return {}

    monkeypatch.setitem(registry._kinds, "test", work)
    job = jobs.ask(
        kind="test", unique_key="remine-2026-Q4-project7", params={}, corpus=None, asked_by=None, now=timezone.now()
    )
    deliver = partial(tasks.work_on, job.pk)
    assert sorted(together(deliver, deliver)) == [False, True]
    assert deliver() is False
    job.refresh_from_db()
    assert (job.state, job.result, job.fencing, job.interruptions) == ("done", {"by": 1}, 1, 0)
    assert list(Corpus.objects.values_list("slug", flat=True)) == ["written-by-1"]


def test_c43_twenty_people_asking_for_one_job_at_once_get_one() -> None:
    ask = partial(jobs.ask, kind="test", unique_key="one", params={}, corpus=None, asked_by=None, now=timezone.now())
    assert len({job.pk for job in together(*[ask] * 20)}) == 1


def test_two_who_start_mining_at_once_share_one_generation_and_its_runs() -> None:
    corpus = factories.a_corpus()
    TargetIndex.objects.create(corpus=corpus, name="exact", kind="exact")
    start = partial(generations.mine_now, corpus=corpus, miners=list(Miner), asked_by=None, now=timezone.now())
    first, second = together(start, start)
    assert [job.pk for job in first] == [job.pk for job in second]
    assert (Generation.objects.count(), MiningRun.objects.count()) == (1, 4)
