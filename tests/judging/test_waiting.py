"""What waits to be judged is the same on the list of queries, in the menu, on the plan and on the command line."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.utils import timezone

from curation.models import Corpus, OpenDispute
from judging.models import Assignment, Pool
from tests import factories
from tests.bringing import run
from tests.judging import stage
from tests.judging.judges import another, corpus_of, finish_with, marek

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    """Three queries: on one two judges differ, and two wait for judges."""
    corpus = corpus_of(2, queries=3)
    corpus.strata.update(planned=100)
    finish_with(marek(corpus), {"d001": 3})
    finish_with(another(corpus), {"d001": 2})
    # What they hold by now waits for others too, once they leave it.
    Assignment.objects.filter(finished_at=None).update(released_at=timezone.now(), place=None)
    return corpus


@pytest.fixture
def lena(corpus: Corpus) -> Client:
    return stage.signed_in(factories.lena(corpus))


def listed(lead: Client, state: str) -> list[str]:
    page = lead.get("/c/claims/queries/", {"status": state}).content.decode()
    return re.findall(r'<span class="muted small mono">([^<]+)</span></th>', page)


def offered(lead: Client) -> str:
    """What the menu says beside Judge."""
    page = lead.get("/c/claims/queries/").content.decode()
    return str(re.findall(r'/judge/">Judge<span class="n">([^<]+)</span>', page)[0])


def step_and_stratum() -> tuple[dict[str, int], dict[str, int]]:
    told = json.loads(run("plan", "claims", "--json")[1])
    return told["next"]["steps"][0], told["strata"][0]


def test_what_waits_for_a_decision_alone_waits_for_no_judge(corpus: Corpus, lena: Client) -> None:
    disputed = OpenDispute.objects.get().query.external_id
    assert (len(listed(lena, "ready")), offered(lena)) == (2, "2")
    assert disputed not in listed(lena, "ready")
    assert listed(lena, "undecided") == listed(lena, "disputed") == [disputed]
    assert len(listed(lena, "have")) == 3
    step, stratum = step_and_stratum()
    assert (step["to_judge"] - step["to_write"], step["to_decide"], step["to_write"]) == (2, 1, 97)
    assert (stratum["ready"], stratum["undecided"]) == (2, 1)
    assert "+97 (2 wait to be judged, 1 waits for a decision)" in run("plan", "claims")[1]
    page = lena.get("/c/claims/coverage/").content.decode()
    assert re.findall(r">(\d+ waits?)(?: to be judged| for a decision)<", page) == ["2 wait", "1 waits"]


def test_a_disputed_query_that_a_pool_offers_again_waits_for_judges_too(corpus: Corpus, lena: Client) -> None:
    Pool.objects.filter(query__open_disputes__isnull=False).update(closed_at=None, opinions=3)
    assert (len(listed(lena, "ready")), offered(lena), listed(lena, "undecided")) == (3, "3", [])
    page = lena.get("/c/claims/queries/", {"status": "disputed"}).content.decode()
    assert ">Waits for a decision</span>" in page
    assert ">Ready</span>" in page


def test_a_dispute_on_a_document_that_left_holds_nothing_back(corpus: Corpus, lena: Client) -> None:
    corpus.documents.filter(external_id="d001").update(gone_at=timezone.now())
    assert listed(lena, "undecided") == []
