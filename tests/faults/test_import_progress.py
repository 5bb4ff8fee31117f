"""An import at work: how far it is, and that it lives, is seen while nobody else can write."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from curation.actions import corpora, holds, jobs, lookups, signs
from curation.actions.measuring import rank_moved_golds
from curation.actions.uploads import Sent, keep_upload
from curation.models import Corpus, Document, Job
from curation.reports import workers
from curation.reports.signs import Sign, mentioned
from curation.tasks import work_on
from curation.uploading import ask_import
from tests import factories
from tests.faults.conftest import wait_until
from tests.faults.threads import over_its_own_connection
from tests.judging import stage

pytestmark = pytest.mark.django_db(transaction=True)
ROWS = [b'{"id": "d%d", "text": "Text %d."}\n' % (number, number) for number in range(5)]


@pytest.fixture
def lena(monkeypatch: pytest.MonkeyPatch) -> Client:
    """The lead of a corpus whose jobs tell often how far they are, and store two rows at once."""
    monkeypatch.setattr(holds, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(signs, "MOMENT", 0.05)
    monkeypatch.setattr(lookups, "MOST_VALUES", 2)
    return stage.signed_in(factories.lena(factories.a_corpus()))


def asked() -> Job:
    """A job that imports the rows, which somebody looked at."""
    corpus, now = Corpus.objects.get(), timezone.now()
    sent = Sent("documents.jsonl", sum(map(len, ROWS)), ROWS)
    upload = keep_upload(corpus=corpus, kind="documents", sent=sent, options={}, now=now)
    return ask_import(corpus=corpus, upload=upload, step="all", asked_by=factories.charlie(), now=now)


def page(lena: Client, job: Job) -> str:
    return lena.get(f"/c/claims/jobs/{job.pk}/").content.decode()


def test_an_import_tells_how_far_it_is_while_it_writes(lena: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    job = asked()
    came: list[bool] = []
    rank = rank_moved_golds

    def shows(words: str) -> bool:
        return words in page(lena, job)

    def watched(**given: Any) -> None:
        with ThreadPoolExecutor(1) as pool:
            seen = partial(wait_until, partial(shows, "5 of 5 texts of new documents stored"))
            came.append(pool.submit(over_its_own_connection, seen).result())
        rank(**given)

    monkeypatch.setattr(corpora, "rank_moved_golds", watched)
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (came, job.state, job.progress_words) == ([True], "done", "5 of 5 rows stored")
    assert Document.objects.count() == 5
    assert list(mentioned()) == []


def test_a_job_that_lives_beside_its_row_is_not_taken_for_interrupted(lena: Client) -> None:
    long_ago, now = timezone.now() - timedelta(hours=1), timezone.now()
    job = asked()
    held = holds.claim(job_id=job.pk, now=long_ago)
    assert held is not None
    signs.leave(held.job, Sign(held.job.fencing, now, 3, 10, "3 of 10 rows read"))
    assert jobs.sweep(now=now) == []
    assert "3 of 10 rows read" in page(lena, job)
    assert workers.silence(now=now) == ""
    jobs.sweep(now=now + timedelta(seconds=61))
    job.refresh_from_db()
    assert job.state == "queued"


def test_a_cancel_that_was_asked_for_beside_the_row_outlives_the_worker(lena: Client) -> None:
    job = asked()
    holds.claim(job_id=job.pk, now=timezone.now())
    signs.ask_cancel(job.pk)
    assert "Cancelled: it stops within seconds." in page(lena, job)
    jobs.sweep(now=timezone.now())
    job.refresh_from_db()
    assert (job.state, list(mentioned())) == ("cancelled", [])


def test_a_job_whose_cancel_is_asked_for_beside_its_row_writes_nothing_more(lena: Client) -> None:
    held = holds.claim(job_id=asked().pk, now=timezone.now())
    assert held is not None
    signs.ask_cancel(held.job.pk)
    for write in (held.writing, partial(held.closing, {})):
        with pytest.raises(holds.LostHold), write():
            factories.a_corpus("never")
    assert Corpus.objects.count() == 1
