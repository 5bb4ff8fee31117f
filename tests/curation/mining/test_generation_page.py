"""The page of one generation, old or new: read, compared, and never changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.actions import generations
from curation.models import Corpus, LogQuery, Miner, MiningRun, Proposal, Query
from tests import factories
from tests.curation.mining.claims import bring_claims, mine, next_generation

pytestmark = pytest.mark.django_db
ADDRESS = "/c/claims/mining/generations/"


@pytest.fixture
def claims(tmp_path: Path) -> Corpus:
    """Two generations: of the two keyword queries in the first, one was rejected; the log has lost the other since."""
    corpus = bring_claims(tmp_path)
    mine("short_keyword", "near_duplicate", "hard_negative")
    lena, moment = factories.lena(corpus), timezone.now()
    Proposal.objects.filter(text="hagel sb flotte").update(
        status="rejected", reviewer=lena, reason="not about claims", reviewed_at=moment
    )
    next_generation(corpus)
    LogQuery.objects.filter(locale="ja").delete()
    mine("short_keyword", "hard_negative")
    return corpus


@pytest.fixture
def lead(claims: Corpus) -> Client:
    client = Client()
    client.force_login(claims.memberships.get(role="lead").user)
    return client


def page(lead: Client, number: int, **asked: str) -> str:
    answer = lead.get(f"{ADDRESS}{number}/", asked)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_old_generation_shows_its_runs_and_its_proposals_with_their_verdicts(lead: Client) -> None:
    shown = page(lead, 1, family="short_keyword")
    assert "hagel sb flotte" in shown
    assert "水濡れ 免責" in shown
    assert "not about claims" in shown
    assert "2 groups found, similarity from 0." in shown
    assert "5 documents ranked high without being settled relevant: 0 judged, 5 not judged, for 1 query." in shown
    assert "Rejected</span>" in shown
    assert "1 to review, 1 set aside." in shown  # the near-duplicate groups among its runs
    assert "Read only: a newer run has taken the place of this one." in shown
    assert "There is nothing before it to compare with." in shown


def test_the_newest_run_says_where_verdicts_are_given(lead: Client) -> None:
    shown = page(lead, 2, family="short_keyword")
    assert "verdicts are given in" in shown
    assert "Read only" not in shown
    assert "水濡れ" not in shown


def test_a_generation_is_read_and_never_written(lead: Client) -> None:
    before = list(Proposal.objects.order_by("pk").values())
    for number in (1, 2):
        assert '<form method="post"' not in page(lead, number).split("<main")[1]
        lead.post(f"{ADDRESS}{number}/", {"status": "accepted"})
    assert list(Proposal.objects.order_by("pk").values()) == before


def test_a_generation_says_what_changed_since_the_one_before(lead: Client) -> None:
    shown = page(lead, 2)
    assert "What changed since generation 1" in shown
    assert "Do not compare absolute floors across generations." in shown
    assert "5 of 5" in shown  # the old negatives that the same index still ranks high
    assert "not mined" in shown  # rare terms in neither


def test_a_generation_is_compared_with_any_earlier_one(lead: Client, claims: Corpus) -> None:
    next_generation(claims, year=2031)
    assert "What changed since generation 2" in page(lead, 3)
    assert "What changed since generation 1" in page(lead, 3, **{"with": "1"})
    assert "What changed since generation 2" in page(lead, 3, **{"with": "nonsense"})
    assert '<option value="2" selected>' in page(lead, 3)


def test_what_is_not_there_is_not_found_and_a_family_nobody_knows_is_the_first(lead: Client) -> None:
    assert lead.get(f"{ADDRESS}7/").status_code == 404
    for family in ("hard_negative", "nonsense"):
        assert 'aria-current="page">Near-duplicate groups' in page(lead, 1, family=family)


def test_a_generation_with_a_cancelled_run_says_so(lead: Client, claims: Corpus) -> None:
    generations.mine_now(corpus=claims, miners=[Miner.RARE_ENTITY], asked_by=None, now=timezone.now())
    next_generation(claims, year=2031)
    assert "Cancelled" in page(lead, 2)
    assert MiningRun.objects.filter(state="cancelled").count() == 1


def test_the_mining_page_links_every_generation_and_the_newest_change(lead: Client) -> None:
    shown = lead.get("/c/claims/mining/").content.decode()
    for number in (1, 2):
        assert f'href="{ADDRESS}{number}/"' in shown
    assert "What changed since generation 1" in shown
    assert "0.88 on generation 1 and 0.88 on generation 2 are different demands." in shown


def test_the_page_costs_the_same_queries_however_many_proposals_there_are(lead: Client, claims: Corpus) -> None:
    counts = []
    for more in range(2):
        with CaptureQueriesContext(connection) as asked:
            page(lead, 2, family="short_keyword")
        counts.append(len(asked))
        newest = MiningRun.objects.filter(miner="short_keyword").latest("pk")
        stratum = factories.a_stratum(claims, "de en Latn question keyword")
        for rank in range(3, 9):
            proposal = Proposal.objects.create(
                run=newest, fingerprint=f"{more} {rank}", rank=rank, locale="de", text="sb"
            )
            factories.a_query(stratum, proposal=proposal, external_id=f"made-{more}-{rank}")
    assert counts[0] == counts[1]


def table(lead: Client) -> str:
    return lead.get("/c/claims/mining/").content.decode().split('id="slices"')[1].split("</section>")[0]


def test_the_slices_are_shown_with_their_origin_and_their_sum(lead: Client, claims: Corpus) -> None:
    keyword = factories.a_stratum(claims, "de en Latn question keyword")
    for number in range(3):
        factories.a_query(keyword, origin="log", external_id=f"log-{number}")
    factories.a_query(keyword, external_id="gone", status="retired", retired_reason="asks nothing")
    shown = table(lead)
    assert "distinctive 2 + near_duplicate 0 + rare_entity 0 + keyword 3 = 5, each query in one slice" in shown
    assert "3 query log" in shown
    assert "2 imported" in shown


def test_a_query_in_a_stratum_of_another_corpus_breaks_the_partition_and_is_told(lead: Client, claims: Corpus) -> None:
    elsewhere = factories.a_stratum(factories.a_corpus("others"))
    factories.a_query(elsewhere, external_id="astray")
    Query.objects.filter(external_id="astray").update(corpus=claims)
    shown = table(lead)
    assert "The slices do not add up." in shown
    assert "1 lie in a stratum of another corpus." in shown


@pytest.mark.parametrize("again", [1, 2])
def test_mining_again_moves_no_query_to_another_slice(claims: Corpus, again: int) -> None:
    """A query that a later mining would find as well stays where its origin put it."""
    made = Proposal.objects.filter(text="水濡れ 免責").first()
    factories.a_query(
        factories.a_stratum(claims, "ja en Jpan-kanji navigational keyword"), proposal=made, external_id="own1"
    )
    factories.a_query(
        factories.a_stratum(claims), text="barratry", external_id="own2"
    )  # a rare term of the corpus, brought by a person
    before = places(claims)
    for _ in range(again):
        mine(*Miner)
    next_generation(claims, year=2031)
    mine(*Miner)
    assert places(claims) == before
    newest: Any = MiningRun.objects.filter(state="done").latest("pk")
    assert newest.summary["partition"] == {
        "distinctive": 3,
        "near_duplicate": 0,
        "rare_entity": 0,
        "keyword": 1,
        "queries": 4,
        "astray": 0,
    }


def places(corpus: Corpus) -> dict[str, tuple[int, str]]:
    rows = corpus.queries.values_list("external_id", "stratum_id", "stratum__slice")
    return {name: (stratum, of) for name, stratum, of in rows}
