"""Mining that is killed ends once, with the rows of an undisturbed run; mining that is cancelled leaves none."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db.models import F
from django.utils import timezone

from curation import tasks
from curation.actions import generations, jobs
from curation.models import Corpus, HardNegative, Job, LogQuery, Miner, MiningRun, NearDuplicateGroup, Proposal
from curation.reports.mined import lines_of
from tests.bringing import bring, written
from tests.curation.mining.claims import bring_query_vectors
from tests.faults.conftest import Broker, Worker, swept_until, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
DOCUMENTS, DIMS, QUERIES = 2_000, 64, 200
TOPICS = ("hail", "flood", "theft", "cargo", "cyber", "liability", "glass", "storm")


def unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """2,000 documents of 64 numbers, every tenth one close to the one before it; 200 queries, a log of 300 lines."""
    rng = np.random.default_rng(33)
    rows = unit(rng.standard_normal((DOCUMENTS, DIMS)))
    rows[1::10] = unit(rows[::10] + 0.01 * rows[1::10])
    documents = [
        {
            "id": f"d{number:04d}",
            "locale": "en",
            "title": f"{TOPICS[number % 8].title()} cover {number // 2:04d}",
            "text": f"The insured bears €{500 + number % 2 * 250} of each {TOPICS[number % 8]} loss, clause XK-{number:04d}.",
            "vector": [float(value) for value in row],
        }
        for number, row in enumerate(rows.astype(np.float32))
    ]
    file = written(tmp_path, "corpus.jsonl", *documents)
    assert bring("import_corpus", "claims", file, "--vectors", file, "--encoder-name", "outside").code == 0
    queries = [
        {"query_id": f"q{number:03d}", "locale": "en", "text": f"loss {number}", "gold_canonical_id": f"d{number:04d}"}
        for number in range(QUERIES)
    ]
    assert bring("import_queries", "claims", written(tmp_path, "queries.jsonl", *queries)).code == 0
    claims = Corpus.objects.get(slug="claims")
    bring_query_vectors(claims, {f"q{number:03d}": documents[number]["vector"] for number in range(QUERIES)})
    LogQuery.objects.bulk_create(
        LogQuery(corpus=claims, text=f"{TOPICS[number % 8]} damage {number}", locale="en", sha256=f"{number:064x}")
        for number in range(300)
    )
    return claims


def asked(corpus: Corpus) -> list[Job]:
    found = generations.mine_now(corpus=corpus, miners=list(Miner), asked_by=None, now=timezone.now())
    for job in found:
        tasks.send(job.pk)
    return found


def rows(job: Job) -> list[str]:
    run = MiningRun.objects.select_related("generation__index__corpus").get(job=job)
    return [json.dumps(line, sort_keys=True) for line in lines_of(run)]


@pytest.mark.parametrize("what", ["child", "whole worker"])
def test_c33_mining_that_is_killed_ends_once_with_the_rows_of_an_undisturbed_run(
    what: str, corpus: Corpus, broker: Broker, start_worker: Callable[[], Worker]
) -> None:
    worker = start_worker()
    killed = asked(corpus)
    assert wait_until(lambda: MiningRun.objects.filter(state="running", job__progress_total__gt=0).count() == 2)
    broker.empty()
    if what == "child":
        worker.kill_children()
    else:
        worker.kill()
        start_worker()
    assert swept_until(broker, lambda: not MiningRun.objects.filter(state__in=Job.LIVE).exists(), within=120)
    assert set(MiningRun.objects.values_list("state", "job__state")) == {("done", "done")}
    assert Job.objects.filter(interruptions__gt=0, fencing=F("interruptions") + 1).count() >= 2

    undisturbed = generations.mine_now(corpus=corpus, miners=list(Miner), asked_by=None, now=timezone.now())
    for before, job in zip(killed, undisturbed, strict=True):
        assert tasks.wait_for(job.pk).state == "done"
        assert rows(before) == rows(job)
        assert rows(before), job.params


def says(worker: Worker, words: str) -> bool:
    return words in worker.log.read_text()


def test_mining_that_is_cancelled_stops_within_5_s_and_leaves_nothing(
    corpus: Corpus, broker: Broker, start_worker: Callable[[], Worker]
) -> None:
    worker = start_worker()
    for miner in Miner:
        [job] = generations.mine_now(corpus=corpus, miners=[miner], asked_by=None, now=timezone.now())
        tasks.send(job.pk)
        # A job's first word is never held back; its next comes a second later, when a fast one is over.
        at_work = Job.objects.filter(pk=job.pk, state="running", progress_total__gt=0)
        assert wait_until(at_work.exists), miner
        jobs.cancel(job_id=job.pk, now=timezone.now())
        assert wait_until(partial(says, worker, f"Job {job.pk} is no longer held"), within=5), miner
    assert set(MiningRun.objects.values_list("state", "job__state")) == {("cancelled", "cancelled")}
    left = (Proposal, NearDuplicateGroup, HardNegative)
    assert [table.objects.count() for table in left] == [0, 0, 0]
