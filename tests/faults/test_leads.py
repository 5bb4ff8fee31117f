"""Leads, schedulers and reviewers who get in each other's way while a corpus is mined."""

from __future__ import annotations

import threading
import time
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from curation import tasks
from curation.actions import generations, jobs, production, proposals
from curation.actions.documents import write_documents
from curation.actions.refusal import Refused
from curation.actions.uploads import Sent, keep_upload
from curation.models import Corpus, Document, Generation, Miner, MiningRun, Proposal, Query, TargetIndex
from curation.reports.proposals import current_proposals
from curation.reports.review_draft import first_draft
from curation.uploading import ask_import
from tests import factories
from tests.curation.mining.claims import bring_claims, mine
from tests.faults.threads import together

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 6


def an_index(corpus: Corpus, name: str, **fields: Any) -> TargetIndex:
    return TargetIndex.objects.create(corpus=corpus, name=name, kind="exact" if name == "exact" else "bm25", **fields)


def test_two_leads_who_put_two_indexes_in_production_leave_one_with_the_dates() -> None:
    corpus = factories.a_corpus()
    due = date(2031, 1, 31)
    an_index(corpus, "exact", is_production=True, remine_anchor=due, remine_due_on=due)
    rest = [an_index(corpus, name) for name in ("a", "b", "c")]
    for _ in range(ROUNDS):
        together(*(partial(production.put_in_production, index=index) for index in rest))
        [chosen] = TargetIndex.objects.filter(is_production=True)
        assert list(TargetIndex.objects.exclude(remine_due_on=None)) == [chosen]
        assert chosen.remine_due_on == due


def test_a_lead_who_mines_as_a_quarter_falls_due_stops_nobody() -> None:
    corpus = factories.a_corpus()
    an_index(corpus, "exact")
    index = an_index(corpus, "words", is_production=True)
    now = timezone.now()
    for quarter in range(ROUNDS):
        moment = now + timedelta(days=100 * quarter)
        TargetIndex.objects.filter(pk=index.pk).update(
            remine_anchor=moment.date() - timedelta(days=2), remine_due_on=moment.date() - timedelta(days=2)
        )
        press = partial(generations.mine_now, corpus=corpus, miners=[Miner.RARE_ENTITY], asked_by=None, now=moment)
        together(press, partial(generations.tick, now=moment), press)
        assert Generation.objects.filter(closed_at__isnull=True).count() == 1


def test_two_leads_who_start_the_next_generation_open_one() -> None:
    corpus = factories.a_corpus()
    an_index(corpus, "exact", is_production=True)
    lena = factories.lena(corpus)

    def press() -> str:
        try:
            return str(len(generations.start_next(corpus=corpus, asked_by=lena, now=timezone.now())))
        except Refused as refusal:
            return str(refusal)

    told = sorted(together(press, press, press))
    assert told[0] == "4"
    assert set(told[1:]) == {"The open generation is still being mined; wait for its runs, or cancel them."}
    assert (Generation.objects.count(), MiningRun.objects.count()) == (1, 4)


def test_a_verdict_given_while_a_newer_run_is_stored_is_carried(tmp_path: Path) -> None:
    corpus = bring_claims(tmp_path)
    lena = factories.lena(corpus)
    mine("near_duplicate")
    proposal = current_proposals(corpus).get()
    [job] = generations.mine_now(corpus=corpus, miners=[Miner.NEAR_DUPLICATE], asked_by=None, now=timezone.now())

    draft, given = first_draft(proposal, locale="en"), threading.Event()

    def accept() -> bool:
        with transaction.atomic():
            proposals.accept(corpus=corpus, draft=draft, reviewer=lena, now=timezone.now())
            given.set()
            time.sleep(3)  # the run comes to its end meanwhile
        return True

    def work() -> bool:
        return given.wait(10) and tasks.work_on(job.pk)

    assert together(accept, work) == [True, True]
    newest = current_proposals(corpus).get()
    assert newest.pk != proposal.pk
    assert (newest.status, newest.reviewer) == (Proposal.Status.ACCEPTED, lena)
    assert Query.objects.filter(proposal=proposal, status=Query.Status.READY).count() == 1


def test_of_an_import_that_is_cancelled_while_it_writes_nothing_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = factories.a_corpus()
    lena = factories.lena(corpus)
    rows = (f'{{"id": "d{number}", "text": "Text {number}"}}\n'.encode() for number in range(3))
    sent = Sent("documents.jsonl", 3, rows)
    upload = keep_upload(corpus=corpus, kind="documents", sent=sent, options={}, now=timezone.now())
    job = ask_import(corpus=corpus, upload=upload, step="all", asked_by=lena, now=timezone.now())
    writes, cancelled = threading.Event(), threading.Event()

    def and_wait(*given: Any, **named: Any) -> None:
        write_documents(*given, **named)
        writes.set()
        assert cancelled.wait(30)  # on SQLite too, which lets nobody write meanwhile

    def cancel() -> bool:
        assert writes.wait(30)
        jobs.cancel(job_id=job.pk, now=timezone.now())
        cancelled.set()
        return True

    monkeypatch.setattr("curation.actions.corpora.write_documents", and_wait)
    assert together(partial(tasks.work_on, job.pk), cancel) == [True, True]
    job.refresh_from_db()
    assert (job.state, Document.objects.count()) == ("cancelled", 0)
