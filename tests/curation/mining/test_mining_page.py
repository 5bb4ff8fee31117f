"""The Mining page: what a lead sees and starts, cancels and plans there."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation import tasks
from curation.actions import generations, holds
from curation.actions.production import put_in_production
from curation.models import Corpus, Generation, Job, Miner, TargetIndex, WorkerSign
from tests import factories
from tests.curation.mining.claims import bring_claims

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
NOON = datetime(2026, 7, 14, 12, tzinfo=UTC)


@pytest.fixture
def corpus() -> Corpus:
    corpus = factories.a_corpus()
    TargetIndex.objects.create(
        corpus=corpus,
        name="claims_chunks",
        kind="exact",
        is_production=True,
        remine_anchor=date(2026, 1, 1),
        remine_due_on=date(2026, 10, 1),
    )
    return corpus


@pytest.fixture
def opened(corpus: Corpus) -> Generation:
    """A generation of the index in production, with nothing asked for in it."""
    return generations.current(corpus=corpus, now=timezone.now())


@pytest.fixture
def lead(corpus: Corpus) -> Client:
    client = Client()
    client.force_login(factories.lena(corpus))
    return client


def page(lead: Client, *, htmx: bool = False) -> str:
    return lead.get("/c/claims/mining/", headers=HTMX if htmx else None).content.decode()


def test_the_page_names_the_index_and_the_next_date(lead: Client) -> None:
    shown = page(lead)
    assert "claims_chunks" in shown
    assert "Next quarterly run Thursday 1 October 2026." in shown
    assert "Do not compare absolute floors across generations." in shown
    for miner in Miner:
        assert str(miner.label) in shown


def test_a_corpus_without_an_index_says_what_brings_one(lead: Client, corpus: Corpus) -> None:
    corpus.indexes.all().delete()
    assert "No index to mine yet" in page(lead)
    for action in ("start", "generation"):
        answer = lead.post(f"/c/claims/mining/{action}", follow=True)
        assert "has no index; import its documents first" in answer.content.decode()


def test_starting_a_generation_shows_four_runs_that_wait_for_a_worker(lead: Client) -> None:
    assert lead.post("/c/claims/mining/generation").status_code == 302
    shown = page(lead)
    assert shown.count("Waiting</span>") == 4
    assert "No worker has answered yet. The job is stored and starts by itself when one does." in shown
    assert "Generation 1 is still being mined." in shown
    again = lead.post("/c/claims/mining/generation", follow=True).content.decode()
    assert "The open generation is still being mined; wait for its runs, or cancel them." in again
    assert Generation.objects.count() == 1


def test_the_next_generation_waits_for_another_day(lead: Client) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        lead.post("/c/claims/mining/generation")
        for job in Job.objects.all():
            lead.post(f"/c/claims/jobs/{job.pk}/cancel")
        assert "Generation 1 is of today; each family can be mined again in it." in page(lead)
        clock.shift(timedelta(days=1))
        assert 'id="why-not"' not in page(lead)


def test_c39_the_page_says_since_when_no_worker_answers(lead: Client) -> None:
    lead.post("/c/claims/mining/start", {"miner": "rare_entity"})
    with time_machine.travel(NOON, tick=False) as clock:
        WorkerSign.objects.create(name="here", seen_at=NOON - timedelta(seconds=5))
        assert "Waiting for a worker." in page(lead)
        clock.shift(25)
        assert "No worker has answered since 11:59." in page(lead)


@pytest.mark.usefixtures("opened")
def test_one_family_is_mined_again_alone(lead: Client) -> None:
    lead.post("/c/claims/mining/start", {"miner": "short_keyword"})
    lead.post("/c/claims/mining/start", {"miner": "short_keyword"})
    assert Job.objects.get().params == {"miner": "short_keyword", "generation": 1}


def test_mining_one_family_where_no_generation_is_open_opens_one_with_all_four(lead: Client, corpus: Corpus) -> None:
    generations.current(corpus=corpus, now=timezone.now())
    put_in_production(index=TargetIndex.objects.create(corpus=corpus, name="words", kind="bm25"))
    assert "to mine any family opens one with all four" in page(lead)
    shown = lead.post("/c/claims/mining/start", {"miner": "hard_negative"}, follow=True).content.decode()
    assert "Generation 2 of index words opened: all four families are mined." in shown
    assert {(each.params["miner"], each.params["generation"]) for each in Job.objects.all()} == {
        (miner, 2) for miner in Miner.values
    }
    assert "Not mined in generation" not in shown


def test_the_page_names_the_families_that_the_open_generation_lacks(lead: Client, opened: Generation) -> None:
    lead.post("/c/claims/mining/start", {"miner": "hard_negative"})
    shown = page(lead)
    assert "Not mined in generation 1 yet: Near-duplicate groups, Rare terms, Keyword queries." in shown


@pytest.mark.usefixtures("opened")
def test_a_running_job_is_polled_and_says_how_far_it_is(lead: Client) -> None:
    lead.post("/c/claims/mining/start", {"miner": "hard_negative"})
    held = holds.claim(job_id=Job.objects.get().pk, now=timezone.now())
    assert held is not None
    held.progress(2374, 3768, "2,374 of 3,768 queries searched")
    shown = page(lead, htmx=True)
    assert "<html" not in shown
    assert 'hx-get="/c/claims/mining/" hx-trigger="every 2s"' in shown
    assert "2,374 of 3,768 queries searched" in shown
    assert "<b>63 %</b>" in shown


def test_polling_stops_when_the_run_is_done_and_the_end_is_said_aloud(tmp_path: Path) -> None:
    corpus = bring_claims(tmp_path)
    lead = Client()
    lead.force_login(factories.lena(corpus))
    generations.current(corpus=corpus, now=timezone.now())
    lead.post("/c/claims/mining/start", {"miner": "near_duplicate"})
    tasks.work_on(Job.objects.get().pk)
    answer = lead.get("/c/claims/mining/", headers=HTMX)
    assert "hx-trigger" not in answer.content.decode()
    assert "Mining has ended." in answer["HX-Trigger"]
    assert "0 of 1" in answer.content.decode()
    assert "1 set aside" in answer.content.decode()
    assert "; similarity from 0." in answer.content.decode()
    assert 'href="/c/claims/review/near_duplicate/"' in answer.content.decode()
    assert '<div class="row" id="mining-start" hx-swap-oob="true">' in answer.content.decode()
    assert '<span id="nav-running" hx-swap-oob="delete"></span>' in answer.content.decode()


@pytest.mark.usefixtures("opened")
def test_a_job_of_a_dead_worker_is_never_shown_as_running(lead: Client) -> None:
    lead.post("/c/claims/mining/start", {"miner": "hard_negative"})
    job = Job.objects.get()
    holds.claim(job_id=job.pk, now=timezone.now() - timedelta(seconds=61))
    shown = lead.get(f"/c/claims/jobs/{job.pk}/").content.decode()
    assert "Interrupted: its worker has not been heard of since" in shown
    assert "<progress" not in shown


@pytest.mark.usefixtures("opened")
def test_a_job_started_again_says_so(lead: Client) -> None:
    lead.post("/c/claims/mining/start", {"miner": "hard_negative"})
    Job.objects.update(interruptions=1)
    holds.claim(job_id=Job.objects.get().pk, now=timezone.now())
    assert "Interrupted, restarted." in page(lead)


@pytest.mark.usefixtures("opened")
def test_a_lead_cancels_a_run_from_the_page(lead: Client) -> None:
    lead.post("/c/claims/mining/start", {"miner": "hard_negative"})
    job = Job.objects.get()
    holds.claim(job_id=job.pk, now=timezone.now())
    shown = lead.post(f"/c/claims/jobs/{job.pk}/cancel", follow=True).content.decode()
    assert "Hard negatives: cancelled." in shown
    job.refresh_from_db()
    assert job.state == "cancelled"
    again = lead.post(f"/c/claims/jobs/{job.pk}/cancel", follow=True).content.decode()
    assert "This job has ended already: cancelled." in again


@pytest.mark.usefixtures("opened")
def test_a_failed_run_says_why_in_its_row(lead: Client) -> None:
    lead.post("/c/claims/mining/start", {"miner": "near_duplicate"})
    tasks.work_on(Job.objects.get().pk)
    assert "Corpus claims has no vectors yet: import them, or encode it with an encoder." in page(lead)


def test_the_page_counts_rare_terms_by_articles_and_names_the_limit_of_the_newest_run(
    lead: Client, opened: Generation
) -> None:
    assert "Terms in fewer than 50 articles" in page(lead)
    opened.runs.create(miner="rare_entity", state="done", params={"below": 8}, created_at=NOON, finished_at=NOON)
    assert "Terms in fewer than 8 articles" in page(lead)


def test_generations_are_listed_with_how_late_they_came(lead: Client, corpus: Corpus) -> None:
    index = corpus.indexes.get()
    generations.open_next(index=index, due_on=date(2026, 7, 1), now=NOON)
    shown = page(lead)
    assert "14 Jul 2026, 13 days late" in shown
    assert "1 Oct 2026" in shown


def test_the_next_dates_are_shown_before_the_schedule_is_saved(lead: Client, corpus: Corpus) -> None:
    with time_machine.travel(NOON, tick=False):
        shown = lead.get("/c/claims/mining/schedule/?anchor=2026-01-31", headers=HTMX).content.decode()
        assert "<html" not in shown
        for day in ("Friday 31 July 2026", "Saturday 31 October 2026", "Friday 30 April 2027"):
            assert day in shown
        assert corpus.indexes.get().remine_due_on == date(2026, 10, 1)
        saved = lead.post("/c/claims/mining/schedule/", {"anchor": "2026-01-31"}, follow=True)
    assert "Next quarterly run Friday 31 July 2026." in saved.content.decode()
    assert corpus.indexes.get().remine_due_on == date(2026, 7, 31)


def test_a_schedule_says_that_it_is_not_saved_only_while_it_differs(lead: Client) -> None:
    address = "/c/claims/mining/schedule/"
    assert "Nothing is saved yet." not in lead.get(address).content.decode()
    assert "Nothing is saved yet." in lead.get(f"{address}?anchor=2026-01-31").content.decode()


def test_a_schedule_beyond_the_calendar_is_refused(lead: Client, corpus: Corpus) -> None:
    address = "/c/claims/mining/schedule/"
    looked_at = lead.get(f"{address}?anchor=9999-12-31")
    saved = lead.post(address, {"anchor": "9999-12-31"})
    assert (looked_at.status_code, saved.status_code) == (200, 422)
    assert "Choose a day before the year 3000." in saved.content.decode()
    assert corpus.indexes.get().remine_anchor == date(2026, 1, 1)


def test_a_schedule_without_a_date_is_refused_beside_the_field(lead: Client, corpus: Corpus) -> None:
    answer = lead.post("/c/claims/mining/schedule/", {"anchor": "soon"})
    assert answer.status_code == 422
    assert "Enter a valid date." in answer.content.decode()
    assert corpus.indexes.get().remine_anchor == date(2026, 1, 1)


@pytest.mark.usefixtures("opened")
def test_four_runs_cost_no_more_queries_than_one(lead: Client, django_assert_num_queries: Any) -> None:
    counts = []
    for started in ({"miner": "short_keyword"}, {}):
        lead.post("/c/claims/mining/start", started)
        with CaptureQueriesContext(connection) as whole:
            page(lead)
        counts.append(len(whole))
        with django_assert_num_queries(8):  # without the menu, which grows with the product
            page(lead, htmx=True)
    assert counts[0] == counts[1]
