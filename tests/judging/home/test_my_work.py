"""My work: the one next thing of each role, and what else waits."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from curation.models import Corpus, Miner, Query, Role, Stratum, User, WritingAssignment
from judging.models import Judgment
from tests import factories

from . import cast

pytestmark = pytest.mark.django_db

HOME = "/c/claims/"


@pytest.fixture
def corpus() -> Corpus:
    return factories.a_corpus("claims", name="Claims search")


def words(client: Client, user: User, address: str = HOME) -> str:
    """The page as a reader sees it: no tags, single spaces."""
    client.force_login(user)
    page = client.get(address).content.decode()
    body = page[page.index('id="main"') :]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def asked(stratum: Stratum, person: User, count: int, *, by: User) -> None:
    """`person` is asked for `count` queries of a stratum, from now on."""
    WritingAssignment.objects.create(
        stratum=stratum, person=person, count=count, assigned_by=by, assigned_at=timezone.now()
    )


def test_member_of_one_corpus_lands_on_their_work_there(client: Client, corpus: Corpus) -> None:
    client.force_login(factories.aylin(corpus))
    assert client.get("/").headers["Location"] == HOME


def test_member_of_two_corpora_chooses_and_sees_no_third(client: Client, corpus: Corpus) -> None:
    aylin = factories.aylin(corpus)
    factories.member(factories.a_corpus("cargo"), aylin, Role.ADJUSTER)
    factories.a_corpus("secret")
    client.force_login(aylin)
    page = client.get("/").content.decode()
    assert ('href="/c/cargo/"' in page, 'href="/c/claims/"' in page, "secret" in page.lower()) == (True, True, False)


def test_person_in_no_corpus_reads_what_brings_them_in(client: Client) -> None:
    assert "You are in no corpus yet" in words(client, factories.charlie(), "/")


def test_menu_shows_only_what_the_role_opens(client: Client, corpus: Corpus) -> None:
    client.force_login(factories.aylin(corpus))
    writer = client.get(HOME).content.decode()
    client.force_login(factories.lena(corpus))
    lead = client.get(HOME).content.decode()
    for address in ("/c/claims/coverage/", "/c/claims/people/"):
        assert (address in writer, address in lead) == (False, True)


def test_menu_tells_a_writer_how_much_their_own_languages_lack(client: Client, corpus: Corpus) -> None:
    factories.a_query(factories.a_stratum(corpus, planned=30))
    factories.a_stratum(corpus, "de en Latn question distinctive", planned=100)
    client.force_login(factories.aylin(corpus))
    assert '<a href="/c/claims/write/">Write<span class="n">29</span></a>' in client.get(HOME).content.decode()


def test_writer_sees_the_emptiest_planned_cell_of_their_own_language_first(client: Client, corpus: Corpus) -> None:
    question = factories.a_stratum(corpus, planned=100)
    factories.judged_queries(question, 31)
    factories.a_query(factories.a_stratum(corpus, "tr en Latn navigational distinctive", planned=30))
    factories.a_stratum(corpus, "de en Latn question distinctive", planned=100)
    page = words(client, factories.aylin(corpus))
    assert "Write query 33 of 130" in page
    assert "98 left, about 4 h 55 min at 3 minutes each." in page
    assert "Turkish × English, Latin, diacritics, navigational, distinctive: 1 of 30" in page
    assert "German" not in page


def test_writer_table_shows_judged_and_waiting_queries_with_the_way_to_the_next_line(
    client: Client, corpus: Corpus
) -> None:
    question = factories.a_stratum(corpus, planned=100)
    factories.judged_queries(question, 31)
    factories.a_query(question)
    page = words(client, factories.aylin(corpus))
    assert "Turkish × English, Latin, diacritics, question, distinctive 31 1 69 to 100" in page


def test_writer_week_counts_queries_and_variants_apart_since_monday(client: Client, corpus: Corpus) -> None:
    aylin, stratum = factories.aylin(corpus), factories.a_stratum(corpus, planned=100)
    factories.a_query(stratum, author=aylin, origin="written")
    factories.a_query(stratum, author=aylin, origin="variant")
    for origin in ("written", "variant"):
        factories.a_query(stratum, author=aylin, origin=origin, status="retired", retired_reason="taken back")
    old = factories.a_query(stratum, author=aylin, origin="written")
    Query.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=8))
    assert "1 query, 1 variant" in words(client, aylin)


def test_a_pace_of_ones_own_takes_thirty_measured_queries(client: Client, corpus: Corpus) -> None:
    aylin, stratum = factories.aylin(corpus), factories.a_stratum(corpus, planned=100)
    marek = factories.member(corpus, factories.person("nina"), Role.ADJUSTER)
    for _ in range(29):
        query = factories.a_query(stratum, author=aylin, origin="written", metadata={"seconds": 600})
        cast.finished(marek, query, seconds=300)
    cast.a_pool(factories.a_query(stratum, author=aylin, origin="written"))
    assert "99 left, about 4 h 55 min at 3 minutes each." in words(client, aylin)
    assert "1 query waits, about 2 min at 1:48 each." in words(client, marek)
    query = factories.a_query(stratum, author=aylin, origin="written", metadata={"seconds": 600})
    cast.finished(marek, query, seconds=300)
    assert "99 left, about 16 h 30 min at your pace." in words(client, aylin)
    assert "1 query waits, about 5 min at your pace today." in words(client, marek)


def test_writer_without_a_plan_reads_what_brings_one(client: Client, corpus: Corpus) -> None:
    factories.a_stratum(corpus, "de en Latn question distinctive", planned=100)
    assert "Nothing is planned in your languages yet" in words(client, factories.aylin(corpus))


def test_writer_at_the_plan_reads_that_it_is_done(client: Client, corpus: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(corpus, planned=3), 3)
    assert "Every cell of your languages is at its plan" in words(client, factories.aylin(corpus))


def test_menu_counts_what_the_adjuster_could_judge_and_nothing_of_their_own(client: Client, corpus: Corpus) -> None:
    marek, stratum = factories.marek(corpus), factories.a_stratum(corpus)
    cast.holds(marek, cast.a_pool(factories.a_query(stratum)))
    cast.a_pool(factories.a_query(stratum))
    cast.a_pool(factories.a_query(stratum, author=marek))
    client.force_login(marek)
    assert '<a href="/c/claims/judge/">Judge<span class="n">2</span></a>' in client.get(HOME).content.decode()


def test_adjuster_goes_on_with_the_query_in_hand_and_its_marks(client: Client, corpus: Corpus) -> None:
    marek, stratum = factories.marek(corpus), factories.a_stratum(corpus)
    cast.holds(marek, cast.a_pool(factories.a_query(stratum, "siber fidye ödemesi")))
    cast.a_pool(factories.a_query(stratum))
    page = words(client, marek)
    assert "Go on judging 2 queries wait, about 4 min at 1:48 each." in page
    assert re.search(r"siber fidye ödemesi 1 mark kept from \d\d:\d\d", page)
    Judgment.objects.update(judged_at=datetime(2026, 7, 14, 12, 5, tzinfo=UTC))
    assert "1 mark kept from 14 Jul 2026, 12:05" in words(client, marek)


def test_adjuster_is_not_offered_what_another_holds_or_what_they_finished(client: Client, corpus: Corpus) -> None:
    marek, stratum = factories.marek(corpus), factories.a_stratum(corpus)
    other = factories.member(corpus, factories.person("nina"), Role.ADJUSTER)
    cast.holds(other, cast.a_pool(factories.a_query(stratum)))
    cast.finished(marek, factories.a_query(stratum), seconds=90)
    page = words(client, marek)
    assert "Nothing to judge" in page
    assert "Review mined queries" in page


def test_lease_that_ran_out_gives_the_query_back(client: Client, corpus: Corpus) -> None:
    marek, stratum = factories.marek(corpus), factories.a_stratum(corpus)
    other = factories.member(corpus, factories.person("nina"), Role.ADJUSTER)
    cast.holds(other, cast.a_pool(factories.a_query(stratum)), minutes=-1)
    assert "Judge the next query 1 query waits" in words(client, marek)


def test_adjuster_day_shows_count_median_and_a_dot_a_query(client: Client, corpus: Corpus) -> None:
    marek, stratum = factories.marek(corpus), factories.a_stratum(corpus)
    for seconds in (60, 94, 200):
        cast.finished(marek, factories.a_query(stratum), seconds=seconds)
    cast.finished(marek, factories.a_query(stratum), seconds=500, at=timezone.now() - timedelta(days=2))
    page = words(client, marek)
    assert "3 queries judged Median 1:34 each, budget 1:48" in page
    chart = client.get(HOME).content.decode()
    assert chart.count('class="dot"') == 3
    assert "the last 3: 1 took longer than 1:48" in chart


def test_review_counts_the_newest_finished_run_of_each_family(client: Client, corpus: Corpus) -> None:
    generation = cast.a_generation(corpus)
    cast.a_mining_run(generation, Miner.RARE_ENTITY, pending=9)
    cast.a_mining_run(generation, Miner.RARE_ENTITY, pending=4)
    cast.a_mining_run(generation, Miner.SHORT_KEYWORD, state="failed", pending=5)
    page = words(client, factories.marek(corpus))
    assert "Rare terms: 4 to review 1 reviewed so far, 1 kept" in page
    assert "keyword" not in page


def test_lead_or_adjuster_of_a_locale_counts_its_mined_queries_alone(client: Client, corpus: Corpus) -> None:
    run = cast.a_mining_run(cast.a_generation(corpus), Miner.SHORT_KEYWORD, pending=3)
    run.proposals.filter(rank=0).update(locale="de")
    lead = factories.member(corpus, factories.person("ayse"), Role.LEAD, languages=["de"])
    adjuster = factories.member(corpus, factories.person("jo"), Role.ADJUSTER, languages=["de"])
    assert "1 mined query to review" in words(client, lead)
    assert "Keyword queries: 1 to review" in words(client, adjuster)
    for person in (lead, adjuster):
        client.force_login(person)
        assert 'Review mined<span class="n">1</span>' in client.get(HOME).content.decode()
    assert "3 mined queries to review" in words(client, factories.lena(corpus))
    assert "Keyword queries: 3 to review" in words(client, factories.marek(corpus))


def test_lead_sees_the_worst_cell_below_the_floor_first(client: Client, corpus: Corpus) -> None:
    queries = factories.judged_queries(factories.a_stratum(corpus, planned=400), 118)
    factories.a_run(corpus, queries[:11], queries[11:], name="exact")
    page = words(client, factories.lena(corpus))
    assert (
        "Turkish × English, Latin, diacritics, question, distinctive finds ≥ at least 0.09 118 queries stand behind that"
        in page
    )
    assert "Worst cell ≥ at least 0.09 n = 118" in page
    assert "1 of 1 in use 0 at 400 1 at 100 0 at 30 0 under 30" in page


def test_lead_without_a_failing_cell_sees_what_the_plan_takes(client: Client, corpus: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(corpus, planned=100), 31)
    page = words(client, factories.lena(corpus))
    told = "The whole plan, each cell up to its next goal: 5:31 h, 0.7 person-days of 8 h, at 3:00 to write and 1:48 to judge a query."
    assert f"69 queries bring every planned cell to its next goal {told}" in page
    assert "1 locale cannot be read yet Turkish 31 . The shortest way to reading it, one cell a locale: 5:31" in page
    shown = client.get(HOME).content.decode()
    assert ('href="/c/claims/plan/"' in shown, 'href="/c/claims/coverage/#plan">What to write next' in shown) == (
        True,
        True,
    )
    assert "No cell of all five dimensions holds 100 measured queries yet." in page


def test_lead_watches_the_generation_being_mined(client: Client, corpus: Corpus) -> None:
    cast.a_mining_run(cast.a_generation(corpus), Miner.HARD_NEGATIVE, state="running")
    assert "Generation 7 is being mined Hard negatives at 63 %. Next run" in words(client, factories.lena(corpus))


def test_lead_sees_who_did_what_this_week(client: Client, corpus: Corpus) -> None:
    stratum, marek, aylin = factories.a_stratum(corpus), factories.marek(corpus), factories.aylin(corpus)
    cast.finished(marek, factories.a_query(stratum), seconds=94)
    factories.a_query(stratum, author=aylin, origin="written")
    page = words(client, factories.lena(corpus))
    assert "Marek 0 0 1 1:34 1:48 Aylin 1 0 0" in page


def test_lead_reads_when_each_writer_ends_what_they_are_asked_for(client: Client, corpus: Corpus) -> None:
    stratum, lena = factories.a_stratum(corpus, planned=60), factories.lena(corpus)
    aylin, idle = factories.aylin(corpus), factories.member(corpus, factories.person("idle"), Role.WRITER)
    with time_machine.travel(datetime(2026, 12, 2, 12, tzinfo=UTC), tick=False):
        for person in (aylin, idle):
            asked(stratum, person, 44, by=lena)
        for _ in range(10):
            factories.a_query(stratum, author=aylin, origin="variant")
        for _ in range(19):
            factories.a_query(stratum, author=aylin, origin="written")
        factories.a_query(stratum, author=aylin, origin="written", status="retired", retired_reason="fills nothing")
        assert "Aylin 19 10 0 15 to write, too early to tell" in words(client, lena)
        factories.a_query(stratum, author=aylin, origin="written")
        page = words(client, lena)
    assert "Aylin 20 10 0 4 Dec 14 to write" in page  # 30 of 44, variants too, in the 2.5 days since Monday: 12 a day
    assert "Idle 0 0 0 44 to write, too early to tell" in page


def test_lead_of_an_empty_corpus_reads_how_it_fills(client: Client, corpus: Corpus) -> None:
    assert "This corpus has no queries yet" in words(client, factories.lena(corpus))


def test_person_with_two_roles_switches_between_them_and_gets_no_third(client: Client, corpus: Corpus) -> None:
    lena = factories.member(corpus, factories.lena(corpus), Role.WRITER, languages=["tr"])
    assert "Needs your decision" in words(client, lena)
    assert "What your queries fill" in words(client, lena, f"{HOME}?as=writer")
    assert "Needs your decision" in words(client, lena, f"{HOME}?as=adjuster")


@pytest.mark.parametrize(("role", "most"), [(Role.LEAD, 18), (Role.ADJUSTER, 14), (Role.WRITER, 9)])
def test_number_of_queries_does_not_grow_with_the_work(
    client: Client, corpus: Corpus, role: Role, most: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    people = [factories.member(corpus, factories.person(f"p{n}"), role, languages=["tr"]) for n in range(5)]
    for kind in ("question", "navigational", "error_string"):
        stratum = factories.a_stratum(corpus, f"tr en Latn {kind} distinctive", planned=100)
        for person in people:
            cast.finished(person, factories.a_query(stratum, author=person), seconds=90)
            cast.a_pool(factories.a_query(stratum), candidates=0)
    cast.a_mining_run(cast.a_generation(corpus), Miner.RARE_ENTITY, pending=9)
    client.force_login(people[0])
    client.get(HOME)
    with django_assert_max_num_queries(most):
        client.get(HOME)


def test_a_query_tells_how_many_articles_its_pool_holds(client: Client, corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus))
    cast.a_pool(query)
    client.force_login(factories.lena(corpus))
    for address in ("queries/", f"queries/{query.pk}/"):
        assert "Pool of 3" in client.get(f"{HOME}{address}").content.decode()
