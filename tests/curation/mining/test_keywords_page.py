"""Keyword queries on screen: a lead says how many are drawn, a reviewer sees how each was, and one is walked to counted."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError
from django.test import Client
from django.utils import timezone

from curation import tasks
from curation.actions import generations
from curation.actions.mining import Settings, last_draw
from curation.miners.keyword_draw import Draw
from curation.models import Corpus, EmbeddingSpace, Job, LogQuery, Miner, MiningRun, Proposal, Query, QueryVector
from curation.reports.counts import stratum_counts
from curation.reports.likeness import likeness
from tests import factories
from tests.bringing import run
from tests.curation.mining.claims import bring_claims
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db
PAGE, REVIEW = "/c/claims/mining/keywords/", "/c/claims/review/short_keyword/"


@pytest.fixture
def claims(tmp_path: Path) -> Corpus:
    corpus = bring_claims(tmp_path)
    LogQuery.objects.filter(text="hagel sb flotte").update(date="2026-04-03")
    LogQuery.objects.bulk_create(
        LogQuery(corpus=corpus, text=text, locale="de", count=count, date=day, sha256=f"f{number:063x}")
        for number, (text, count, day) in enumerate(
            [
                ("Hagel SB Flotte", 71, "2026-05-02"),
                ("hagelsch", 2, "2026-06-01"),
                ("hagelschaden", 5, "2026-06-30"),
                ("jo.doe@example.org", 3, "2026-06-30"),
            ]
        )
    )
    return corpus


@pytest.fixture
def lena(claims: Corpus) -> Client:
    client = Client()
    client.force_login(factories.lena(claims))
    return client


def mine(corpus: Corpus, draw: Draw | None = None) -> None:
    now = timezone.now()
    [job] = generations.mine_now(
        corpus=corpus, miners=[Miner.SHORT_KEYWORD], asked_by=None, now=now, settings=Settings(draw=draw)
    )
    assert tasks.wait_for(job.pk).state == "done"


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_lead_mines_with_numbers_of_their_own(lena: Client) -> None:
    generations.current(corpus=Corpus.objects.get(), now=timezone.now())
    answer = lena.post(PAGE, {"top": 2, "random": 1, "proportional": 0, "seed": 4})
    assert answer.status_code == 302
    assert MiningRun.objects.get().params["draw"] == {"top": 2, "random": 1, "proportional": 0, "seed": 4}
    assert Job.objects.get().state == "queued"
    assert 'value="2"' in text_of(lena, PAGE)


def test_the_page_counts_all_lines_of_the_log_apart_from_the_short_queries(claims: Corpus, lena: Client) -> None:
    LogQuery.objects.bulk_create(
        LogQuery(corpus=claims, text=f"hagel {number}", locale="de", count=1, sha256=f"e{number:063x}")
        for number in range(1_200 - claims.log_queries.count())
    )
    assert "drawn from the search log. In all it has 1,200 lines." in text_of(lena, PAGE)


@pytest.mark.parametrize("given", [{"top": -1}, {"random": 10_001}, {"seed": "x"}, {"proportional": ""}])
def test_numbers_that_cannot_be_drawn_are_refused_beside_their_field(lena: Client, given: dict[str, object]) -> None:
    answer = lena.post(PAGE, {"top": 2, "random": 1, "proportional": 0, "seed": 4, **given})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    assert not Job.objects.exists()


def test_a_draw_of_nothing_is_refused_on_screen_and_on_the_command_line(claims: Corpus, lena: Client) -> None:
    answer = lena.post(PAGE, {"top": 0, "random": 0, "proportional": 0, "seed": 1})
    assert answer.status_code == 422
    assert "at least one of most asked, by chance and in proportion is above 0" in answer.content.decode()
    words = ("mine", "claims", "--miner", "short_keyword", "--top", "0", "--random", "0", "--proportional", "0")
    with pytest.raises(CommandError, match="at least one of most asked, by chance and in proportion is above 0"):
        run(*words)
    assert not Job.objects.exists()
    mine(claims)
    MiningRun.objects.update(params={"draw": asdict(Draw(top=0, random=0, proportional=0))})
    assert last_draw(claims) == Draw()  # what an older version stored empties no later generation


def test_what_was_drawn_and_left_out_is_told_and_no_personal_text(claims: Corpus, lena: Client) -> None:
    mine(claims)
    page = text_of(lena, PAGE)
    assert "3 April 2026 to 30 June 2026" in page
    assert "3 searches with personal data, refused and not kept in the run: mail address 3." in page
    assert "1 query that breaks off inside a word" in page
    assert "hagelsch</th>" in page
    assert "jo.doe" not in page
    assert "<td>Latin" in page
    assert "<td>Navigational" in page
    assert "Latn" not in page


def test_a_reviewer_sees_when_it_was_asked_how_it_was_drawn_and_what_is_like_it(claims: Corpus, lena: Client) -> None:
    query = claims.queries.get(external_id="q1")
    Query.objects.filter(pk=query.pk).update(text="hagel sb flotten")
    query.stratum.query_language = "de"
    query.stratum.save()
    mine(claims, Draw(top=1, random=1, proportional=0))
    page = " ".join(text_of(lena, REVIEW).split())
    assert "From the search log, 3 April 2026 to 30 June 2026" in page
    assert "<td>214<svg" in page
    assert '<abbr title="May 2026">May</abbr>' in page
    assert "One of the most asked of <b>2</b> in its stratum." in page
    assert '<p class="d">German, Latin without diacritics, navigational</p>' in page
    assert "Closest: <bdi>hagel sb flotten</bdi>, 0.90" in page


def test_the_mining_page_leads_to_the_numbers(lena: Client) -> None:
    assert f'href="{PAGE}"' in text_of(lena, "/c/claims/mining/")


def test_likeness_is_by_the_runs_of_letters_that_two_texts_share() -> None:
    assert likeness("hagel", "hagel") == 1
    assert likeness("hagel", "sturm") == 0
    assert likeness("abc", "abd") == pytest.approx(2 * 1 / 6)  # " ab" of " ab", "abc", "bc " and " ab", "abd", "bd "


def test_a_query_of_the_log_is_accepted_judged_and_counted_without_a_gold_of_its_own(
    claims: Corpus, lena: Client
) -> None:
    mine(claims)
    proposal = Proposal.objects.get(text="hagel sb flotte")
    answer = lena.post(f"{REVIEW}{proposal.pk}/accept/", {"locale": "de", "need": "Deductible for hail"})
    assert answer.status_code == 302
    query = Query.objects.select_related("stratum", "need").get(proposal=proposal)
    place = query.stratum
    assert (query.status, query.origin, place.slice, place.corpus_language) == ("ready", "log", "keyword", "und")
    assert query.need is not None
    assert (query.need.gold_canonical_id, query.gold_canonical_id) == ("", "")

    QueryVector.objects.create(
        space=EmbeddingSpace.objects.get(), query=query, vector=np.array([1, 0, 0, 0], "<f4").tobytes()
    )
    [pools] = Job.objects.filter(kind="draw_pools")
    assert tasks.wait_for(pools.pk).state == "done"
    judge = Judge(factories.marek(claims))
    held = judge.next()
    assert held is not None
    assert held.pool.query_id == query.pk
    judge.mark(held, "hail-b", 3)
    judge.finish(held, "hail-a-de", "hail-b")
    query.refresh_from_db()
    assert (query.status, query.gold_canonical_id) == ("judged", "hail-b")
    assert Query.objects.get(pk=query.pk).stratum.corpus_language == "en"
    assert sum(count.n for count in stratum_counts(claims) if count.slice == "keyword") == 1
