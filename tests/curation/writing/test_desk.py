"""The desk: which need comes next, and what stands beside it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from curation.models import Corpus, Role, User
from tests import factories

from .scene import a_desk, a_need, an_article

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/write/"


def shown(client: Client, asked: str = "") -> str:
    return client.get(ADDRESS + asked).content.decode()


def need_on(client: Client, asked: str = "") -> str:
    """The text of the need that is on the desk."""
    return str(client.get(ADDRESS + asked).context["desk"].need.text)


def test_emptiest_planned_stratum_of_the_writers_languages_comes_first(writer: Client, corpus: Corpus) -> None:
    a_desk(corpus)
    factories.a_stratum(corpus, "de en Latn question distinctive", planned=400)
    fuller = factories.a_stratum(corpus, "tr en Latn navigational distinctive", planned=100)
    factories.a_query(fuller)
    assert "Emptiest cell: <b>Turkish × English, Latin, diacritics, question, distinctive</b>" in shown(writer)


def test_need_comes_with_its_context_and_the_gold_in_the_writers_rendering_first(
    writer: Client, corpus: Corpus
) -> None:
    a_desk(corpus)
    page = shown(writer)
    assert '<h1 lang="en" dir="auto">Is theft of cargo covered at night?</h1>' in page
    assert "The truck stands without a guard" in page
    assert page.index("Gece park koşulu") < page.index("Overnight parking condition")
    assert "Turkish rendering" in page
    assert "English original" in page


def test_gold_without_a_rendering_shows_its_source_and_says_so(writer: Client, corpus: Corpus) -> None:
    a_desk(corpus)
    an_article(corpus, "CG-300", "en", "ja")
    need = a_need(corpus, "Second?", gold_canonical_id="CG-300")
    page = shown(writer, f"?need={need.pk}")
    assert "There is no Turkish rendering." in page
    assert "夜間駐車条項" not in page


def test_field_has_the_language_and_the_direction_of_the_locale(client: Client, corpus: Corpus) -> None:
    user = factories.member(corpus, factories.person("noor"), Role.WRITER, languages=["ar"])
    a_desk(corpus)
    factories.a_stratum(corpus, "ar en Arab question distinctive", planned=30)
    client.force_login(user)
    assert 'type="text" lang="ar" dir="rtl"' in shown(client)


def test_own_letters_of_the_locale_stand_in_a_row(writer: Client, corpus: Corpus) -> None:
    a_desk(corpus)
    page = shown(writer)
    assert [letter for letter in "çğıöşüİâîû" if f'data-letter="{letter}"' not in page] == []
    assert 'data-letter="Ç"' not in page


def test_needs_that_belong_to_the_stratum_come_before_all_others(writer: Client, corpus: Corpus) -> None:
    factories.a_stratum(corpus, "tr en Latn question rare_entity", planned=30)
    an_article(corpus, "CG-1", "en")
    an_article(corpus, "CG-2", "tr", source="tr")
    a_need(corpus, "Another slice", gold_canonical_id="CG-1")
    a_need(corpus, "Another document language", gold_canonical_id="CG-2", slice_hint="rare_entity")
    a_need(corpus, "Fits", gold_canonical_id="CG-1", slice_hint="rare_entity")
    assert need_on(writer) == "Fits"


def test_stratum_without_a_need_of_its_own_waits_and_the_next_one_comes_up(writer: Client, corpus: Corpus) -> None:
    a_desk(corpus)
    factories.a_stratum(corpus, "tr en Latn question keyword", planned=400)
    page = shown(writer)
    assert "1 emptier cell of yours waits for needs: Turkish × English, Latin, diacritics, question, keyword." in page


def test_need_worded_in_that_locale_script_type_and_slice_does_not_come_again(writer: Client, corpus: Corpus) -> None:
    worded = a_desk(corpus)
    a_need(corpus, "Second", gold_canonical_id="CG-214")
    stratum = factories.a_stratum(corpus)
    query = factories.a_query(stratum, need=worded)
    assert need_on(writer) == "Second"
    query.status, query.retired_reason = "retired", "a test"
    query.save()
    assert need_on(writer) == "Is theft of cargo covered at night?"


def test_needs_in_english_come_before_those_that_are_not(writer: Client, corpus: Corpus) -> None:
    need = a_desk(corpus)
    need.is_english = False
    need.save()
    a_need(corpus, "In English", gold_canonical_id="CG-214")
    assert need_on(writer) == "In English"


def test_two_writers_of_a_locale_start_at_different_needs(client: Client, corpus: Corpus, aylin: User) -> None:
    a_desk(corpus)
    a_need(corpus, "Second", gold_canonical_id="CG-214")
    other = factories.member(corpus, factories.person("berk"), Role.WRITER, languages=["tr"])
    firsts = []
    for user in (aylin, other):
        client.force_login(user)
        firsts.append(need_on(client))
    assert firsts == ["Is theft of cargo covered at night?", "Second"]


def test_skipped_need_goes_to_the_end_of_the_queue(writer: Client, corpus: Corpus) -> None:
    need = a_desk(corpus)
    a_need(corpus, "Second", gold_canonical_id="CG-214")
    writer.post(ADDRESS + "skip/", {"need": need.pk})
    queue = [each.text for each in writer.get(ADDRESS).context["desk"].queue]
    assert queue == ["Second", "Is theft of cargo covered at night?"]


def test_chosen_need_comes_on_the_desk_with_its_neighbours_on_j_and_k(writer: Client, corpus: Corpus) -> None:
    a_desk(corpus)
    second = a_need(corpus, "Second", gold_canonical_id="CG-214")
    third = a_need(corpus, "Third", gold_canonical_id="CG-214")
    page = shown(writer, f"?need={second.pk}")
    assert '<h1 lang="en" dir="auto">Second</h1>' in page
    assert f'?need={third.pk}" data-key="KeyJ ArrowDown"' in page


def test_need_of_another_corpus_does_not_come_on_the_desk(writer: Client, corpus: Corpus) -> None:
    a_desk(corpus)
    foreign = a_need(factories.a_corpus("others"), "Secret of the others")
    assert "Secret of the others" not in shown(writer, f"?need={foreign.pk}")


@pytest.mark.parametrize(
    ("planned", "has_need", "words"),
    [
        (0, True, "Nothing is planned in your languages"),
        (30, False, "Every need is worded here"),
        (1, True, "Every planned cell of your languages is full"),
    ],
)
def test_empty_desk_says_what_brings_work(
    writer: Client, corpus: Corpus, planned: int, has_need: bool, words: str
) -> None:
    stratum = factories.a_stratum(corpus, planned=planned)
    if has_need:
        a_need(corpus)
    if planned == 1:
        factories.a_query(stratum)
    assert words in shown(writer)


def test_lead_writes_in_every_locale_of_the_corpus_and_narrows_to_one(client: Client, corpus: Corpus) -> None:
    a_desk(corpus)
    factories.a_stratum(corpus, "ja en Jpan-kanji question distinctive", planned=30)
    client.force_login(factories.lena(corpus))
    assert 'lang="ja" dir="ltr"' in shown(client, "?locale=ja")
    assert 'lang="tr" dir="ltr"' in shown(client, "?locale=tr")


def test_writer_does_not_reach_another_language_by_its_address(writer: Client, corpus: Corpus) -> None:
    a_desk(corpus)
    factories.a_stratum(corpus, "ja en Jpan-kanji question distinctive", planned=400)
    assert 'lang="tr" dir="ltr"' in shown(writer, "?locale=ja")


def test_day_of_the_count_is_the_corpus_own(writer: Client, corpus: Corpus, aylin: User) -> None:
    a_desk(corpus)
    corpus.time_zone = "Asia/Tokyo"
    corpus.save()
    stratum = factories.a_stratum(corpus)
    for moment in (datetime(2026, 7, 14, 14, 59, tzinfo=UTC), datetime(2026, 7, 14, 15, 1, tzinfo=UTC)):
        with time_machine.travel(moment, tick=False):
            factories.a_query(stratum, origin="written", author=aylin)
    with time_machine.travel(datetime(2026, 7, 14, 16, tzinfo=UTC), tick=False):
        desk = shown(writer)
    assert "1 saved<span" in desk
    assert ('id="today">Saved today: 1<' in desk, ">Your queries</a>" in desk) == (True, True)


def test_desk_takes_the_same_number_of_queries_for_one_need_and_for_many(
    writer: Client, corpus: Corpus, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_desk(corpus)
    with django_assert_num_queries(15):
        writer.get(ADDRESS)
    for number in range(30):
        a_need(corpus, f"Need {number}", gold_canonical_id="CG-214")
        factories.a_query(factories.a_stratum(corpus), need=a_need(corpus, f"Worded {number}"))
    with django_assert_num_queries(15):
        writer.get(ADDRESS)
