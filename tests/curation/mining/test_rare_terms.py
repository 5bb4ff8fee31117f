"""Rare terms as a lead sets them and a reviewer sees them: how rare is rare, and where the source of a draft ranks."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.test import Client
from django.utils import timezone

from curation.actions import generations, jobs
from curation.actions.mining import Settings, last_below
from curation.actions.refusal import Refused
from curation.models import Corpus, Job, LogQuery, Miner, MiningRun, Proposal
from curation.reports.source_ranks import SourceRank, rank_in
from tests import factories, reviewing
from tests.bringing import run
from tests.curation.mining.claims import bring_claims

pytestmark = pytest.mark.django_db
PAGE, REVIEW = "/c/claims/mining/rare-terms/", "/c/claims/review/rare_entity/"


@pytest.fixture
def claims(tmp_path: Path) -> Corpus:
    return bring_claims(tmp_path)


@pytest.fixture
def lena(claims: Corpus) -> Client:
    client = Client()
    client.force_login(factories.lena(claims))
    return client


def mined(*words: object) -> dict[str, object]:
    code, out = run("mine", "claims", "--miner", "rare_entity", "--wait", "--json", *words)
    assert code == 0, out
    told: dict[str, object] = json.loads(out)["summary"]
    return told


def asked(corpus: Corpus, below: int | None = None) -> Job:
    settings = Settings(below=below)
    [job] = generations.mine_now(
        corpus=corpus, miners=[Miner.RARE_ENTITY], asked_by=None, now=timezone.now(), settings=settings
    )
    return job


def test_a_term_in_as_many_articles_as_the_lead_allows_is_left_out(claims: Corpus) -> None:
    for number in range(3):
        reviewing.a_document(claims, f"J-{number}", "The escrow cushion and jettison are paid.", title="Jettison")
    assert mined("--below", 4)["below"] == 4
    assert Proposal.objects.filter(evidence__term="jettison").exists()
    assert mined("--below", 3)["below"] == 3
    newest = MiningRun.objects.latest("pk")
    assert newest.params["below"] == 3
    assert not newest.proposals.filter(evidence__term="jettison").exists()


def test_the_limit_stays_for_later_runs_and_generations(claims: Corpus) -> None:
    assert last_below(claims) == 50
    mined("--below", 7)
    assert mined()["below"] == last_below(claims) == 7
    index = generations.production_index(corpus=claims)
    index.generations.update(closed_at=timezone.now(), due_on=date(2020, 1, 1))
    lead = factories.lena(claims)
    generations.start_next(corpus=claims, asked_by=lead, now=timezone.now())
    queued = MiningRun.objects.get(miner=Miner.RARE_ENTITY, state=MiningRun.State.QUEUED)
    assert queued.params == {"below": 7}


@pytest.mark.parametrize("below", [1, -3, 10_001])
def test_a_limit_out_of_range_is_refused_in_words(claims: Corpus, below: int) -> None:
    with pytest.raises(CommandError, match=f"is a whole number from 2 to 10,000, not {below}"):
        run("mine", "claims", "--miner", "rare_entity", "--below", below)
    assert not Job.objects.filter(kind="mine").exists()


def test_a_limit_for_another_family_is_refused_in_words(claims: Corpus) -> None:
    with pytest.raises(CommandError, match="--below is for rare terms alone; add --miner rare_entity"):
        run("mine", "claims", "--miner", "short_keyword", "--below", 20)


def test_another_limit_is_refused_while_a_run_is_at_work(claims: Corpus) -> None:
    job = asked(claims, 20)
    assert job == asked(claims) == asked(claims, 20)
    with pytest.raises(Refused, match="Rare terms are being mined with other numbers"):
        asked(claims, 21)
    jobs.cancel(job_id=job.pk, now=timezone.now())
    assert asked(claims, 21) != job


def test_a_lead_sets_the_limit_on_its_page(lena: Client) -> None:
    assert f'href="{PAGE}"' in lena.get("/c/claims/mining/").content.decode()
    assert lena.post(PAGE, {"below": 12}).status_code == 302
    assert MiningRun.objects.get(miner="rare_entity").params == {"below": 12}
    assert 'value="12"' in lena.get(PAGE).content.decode()
    assert "being mined with other numbers" in lena.post(PAGE, {"below": 13}, follow=True).content.decode()


@pytest.mark.parametrize("given", ["1", "10001", "", "few"])
def test_a_limit_that_cannot_be_is_refused_beside_its_field(lena: Client, given: str) -> None:
    answer = lena.post(PAGE, {"below": given})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    assert not Job.objects.filter(kind="mine").exists()


def test_the_page_tells_what_the_newest_run_found(claims: Corpus, lena: Client) -> None:
    finished = reviewing.a_finished_run(claims, Miner.RARE_ENTITY)
    finished.summary = {"found": 1200, "proposed": 3, "below": 50, "by_kind": {"code": 1, "name": 2}}
    finished.save()
    reviewing.a_term(finished)
    page = lena.get(PAGE).content.decode()
    assert "3 proposed of 1,200 terms in fewer than 50 articles" in page
    assert "<li>2 names</li><li>1 codes and numbers</li>" in page
    assert "Review 1 waiting" in page


RANKING = [("b", 0.9), ("a", 0.7), ("a", 0.6), ("c", 0.5)]


@pytest.mark.parametrize(
    ("article", "rank", "lead"), [("b", 1, 0.2), ("a", 2, -0.2), ("c", 4, -0.4), ("z", None, None)]
)
def test_the_rank_of_a_source_is_that_of_its_articles_best_document(
    article: str, rank: int | None, lead: float | None
) -> None:
    found = rank_in(RANKING, article)
    assert found.rank == rank
    assert found.lead == (lead if lead is None else pytest.approx(lead))


def test_an_article_alone_in_the_ranking_leads_nobody() -> None:
    assert rank_in([("a", 0.7)], "a") == SourceRank(1, None)


def test_brought_vectors_rank_no_draft(claims: Corpus) -> None:
    reviewing.a_document(claims, "J-1", "The word jettison is used.", title="Jettison")
    mined()
    proposal = Proposal.objects.get(evidence__term="jettison")
    assert "exact" not in proposal.evidence


@pytest.mark.parametrize(
    ("exact", "words"),
    [
        ({"rank": 1, "lead": 0.09}, "next article scores 0.09 lower"),
        ({"rank": 3, "lead": -0.12}, "best other article scores 0.12 higher"),
        ({"rank": None, "lead": None}, "as drafted, not among the first 50 documents"),
    ],
)
def test_a_reviewer_sees_where_exact_search_ranks_the_source(
    claims: Corpus, lena: Client, exact: dict[str, object], words: str
) -> None:
    reviewing.a_term(
        reviewing.a_finished_run(claims, Miner.RARE_ENTITY), evidence={"term": "barratry", "df": 7, "exact": exact}
    )
    assert words in lena.get(REVIEW).content.decode()


def test_a_reviewer_sees_how_often_the_log_holds_the_term(claims: Corpus, lena: Client) -> None:
    claims.log_queries.all().delete()
    reviewing.a_term(reviewing.a_finished_run(claims, Miner.RARE_ENTITY))
    assert "searches hold the term" not in lena.get(REVIEW).content.decode()
    LogQuery.objects.create(corpus=claims, text="Barratry crew", count=2, date="2026-05-02", sha256="a" * 64)
    LogQuery.objects.create(corpus=claims, text="hail", count=1200, date="2026-06-02", sha256="b" * 64)
    page = lena.get(REVIEW).content.decode()
    assert "Searched, May 2026 to Jun 2026" in page
    assert "2 <small>of 1,202 searches hold the term" in page
