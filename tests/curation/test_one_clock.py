"""One clock: every page of a corpus shows its times in the zone of the corpus, which its lead sets."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from curation import tasks
from curation.actions import generations
from curation.actions.corpora import create_corpus
from curation.measures.floors import Floors
from curation.models import Corpus, GateReport, Job, Miner, MiningRun, SetVersion
from tests import factories
from tests.curation.mining.claims import bring_claims

pytestmark = pytest.mark.django_db
AT = datetime(2026, 3, 31, 15, 59, tzinfo=UTC)
DAY, THERE = "1 Apr", "00:59"
SCHEDULE = "/c/claims/mining/schedule/"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Claims at home in Tokyo, where everything was done in one minute that is of the next day in UTC."""
    corpus = bring_claims(tmp_path)
    [job] = generations.mine_now(corpus=corpus, miners=[Miner.SHORT_KEYWORD], asked_by=None, now=timezone.now())
    assert tasks.wait_for(job.pk).state == "done"
    MiningRun.objects.update(finished_at=AT)
    Job.objects.update(created_at=AT, finished_at=AT)
    gated = factories.frozen_set(corpus)
    SetVersion.objects.update(frozen_at=AT)
    factories.hash_again(gated)
    figures = {"n": 120, "recall": 0.5, "se": 0.04, "baseline": 1.0, "difference": {"value": -0.5}, "would_pass": False}
    report = GateReport.objects.create(
        set_version=gated, run_name="r", k=200, documents=3, verdict="reject", measured_at=AT, pooled=figures,
        floors=Floors().as_json(), baseline={"encoder": "lsa", "revision": "1", "dims": 2},
    )  # fmt: skip
    scores = {"n": 120, "recall": 0.5, "se": 0.04, "baseline": 1.0, "relative_distance": -0.47, "relative_se": 0.04}
    report.slices.create(slice="keyword", verdict="reject", **scores)
    Corpus.objects.update(time_zone="Asia/Tokyo")
    return Corpus.objects.get()


@pytest.fixture
def lead(corpus: Corpus) -> Client:
    client = Client()
    client.force_login(factories.lena(corpus))
    return client


def shown(lead: Client, path: str) -> str:
    return lead.get(f"/c/claims/{path}").content.decode()


def pages() -> list[str]:
    job, report = Job.objects.latest("pk"), GateReport.objects.get()
    return ["gate/", f"gate/{report.pk}/", "mining/", "mining/keywords/", f"jobs/{job.pk}/"]


def test_the_same_moment_reads_alike_on_every_page_of_a_corpus(lead: Client) -> None:
    for path in pages():
        page = shown(lead, path)
        assert (path, THERE in page, DAY in page, "15:59" in page) == (path, True, True, False)
        assert "Times in <bdi>Asia/Tokyo</bdi>" in page
    version = shown(lead, "sets/hard/1/")
    assert (DAY in version, "31 Mar" in version) == (True, False)


def test_what_comes_after_a_corpus_is_in_the_zone_of_the_installation(lead: Client) -> None:
    shown(lead, "gate/")
    assert timezone.get_current_timezone_name() == "UTC"
    assert "Times in <bdi>UTC</bdi>" in lead.get("/settings/").content.decode()


def test_a_new_corpus_is_in_the_zone_of_the_installation(settings: Any) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    assert create_corpus(slug="new", today=date(2026, 7, 1)).time_zone == "Europe/Berlin"


def test_a_lead_sets_the_zone_beside_the_schedule(lead: Client, corpus: Corpus) -> None:
    assert 'value="Asia/Tokyo"' in shown(lead, "mining/schedule/")
    lead.post(SCHEDULE, {"anchor": "2026-01-31", "time_zone": "Europe/Berlin"})
    assert "31 Mar 2026, 17:59" in shown(lead, "gate/")


def test_a_zone_that_is_none_is_refused_beside_its_field(lead: Client, corpus: Corpus) -> None:
    answer = lead.post(SCHEDULE, {"anchor": "2026-01-31", "time_zone": "Mars/Olympus"})
    assert answer.status_code == 422
    assert "No time zone has this name; write it like Europe/Berlin, or UTC." in answer.content.decode()
    assert Corpus.objects.get().time_zone == "Asia/Tokyo"
