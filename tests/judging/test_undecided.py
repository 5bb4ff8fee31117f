"""Who could not decide a query, why and when: leads read it and exports keep it; a judge reads nothing of it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from curation.models import Corpus, User
from judging.models import Assignment
from tests import factories
from tests.bringing import run
from tests.judging import stage
from tests.judging.judges import another, corpus_of, held_by, marek
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db
SAID = re.compile(r"could not decide: <bdi>([^<]+)</bdi>, ([a-z ]+) \(([^)]+)\)")


@pytest.fixture
def corpus() -> Corpus:
    """One query, of which marek said that it is unclear."""
    corpus = corpus_of(1)
    judge = marek(corpus)
    judge.finish(held_by(judge), "d001", nothing_because="unclear")
    return corpus


@pytest.fixture
def lena(corpus: Corpus) -> User:
    return factories.lena(corpus)


def query_page(user: User, at: str = "") -> str:
    query = Assignment.objects.earliest("pk").pool.query
    return stage.signed_in(user).get(f"/c/claims/queries/{query.pk}/{at}").content.decode()


def listed(client: Client, state: str = "doubted") -> int:
    page = client.get("/c/claims/queries/", {"status": state}).content.decode()
    return int(re.findall(r"<p>(\d+) quer", page)[0])


@pytest.mark.parametrize("at", ["", "pool/"])
def test_a_lead_reads_who_could_not_decide_and_why(lena: User, at: str) -> None:
    Assignment.objects.update(finished_at=datetime(2026, 10, 3, 12, 5, tzinfo=UTC))
    assert SAID.findall(query_page(lena, at)) == [("Marek", "the query is unclear", "3 Oct 2026, 12:05")]


def test_the_list_of_queries_finds_them(lena: User) -> None:
    client = stage.signed_in(lena)
    assert (listed(client), listed(client, "ready")) == (1, 1)


@pytest.mark.parametrize("at", ["", "pool/"])
def test_a_lead_who_judges_the_query_reads_nothing_of_it(lena: User, at: str) -> None:
    judge = Judge(lena)
    held = held_by(judge)
    assert SAID.findall(query_page(lena, at)) == []
    assert listed(judge.client) == 0
    judge.mark(held, "d001", 3)
    judge.finish(held, "d001")
    assert len(SAID.findall(query_page(lena, at))) == 1


def test_the_judge_who_comes_next_reads_nothing_of_it(corpus: Corpus) -> None:
    judge = another(corpus)
    page = judge.client.get(f"/c/claims/judge/{held_by(judge).pk}/").content.decode()
    assert "could not decide" not in page
    assert "Marek" not in page


def test_what_is_exported_says_why_an_opinion_could_not_decide(corpus: Corpus) -> None:
    rows = [json.loads(line) for line in run("export_judgments", corpus.slug)[1].splitlines()]
    assert {row["undecided"] for row in rows} == {"unclear"}
    judge = another(corpus)
    held = held_by(judge)
    judge.mark(held, "d001", 3)
    judge.finish(held, "d001")
    rows = [json.loads(line) for line in run("export_judgments", corpus.slug)[1].splitlines()]
    assert {(row["judge"], row.get("undecided")) for row in rows} == {("marek", "unclear"), ("bora", None)}


def test_a_query_without_an_answer_says_how_many_documents_were_judged(lena: User) -> None:
    judge = another(Corpus.objects.get())
    judge.finish(held_by(judge), "d001", "d002", nothing_because="none_answers")
    assert "2 judged, 0 positives, pool of 6" in query_page(lena)
    page = stage.signed_in(lena).get("/c/claims/queries/").content.decode()
    assert "2 judged, 0 positives, pool of 6" in page
