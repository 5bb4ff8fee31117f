"""The live checks: told while someone types, as a fragment; and as a page where there is no script."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from curation.models import Corpus, Need, Query, Role
from tests import factories

from .scene import a_desk

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/write/checks/"


@pytest.fixture
def need(corpus: Corpus) -> Need:
    return a_desk(corpus)


@pytest.fixture
def writer(client: Client, corpus: Corpus, need: Need) -> Client:
    user = factories.member(
        corpus, factories.person("noor"), Role.WRITER, languages=["ar", "en", "ja", "sr-Cyrl", "tr"]
    )
    client.force_login(user)
    return client


def check(client: Client, text: str, locale: str = "tr", **fields: Any) -> dict[str, str]:
    """The words of each check by its name."""
    given = {"need": Need.objects.get().pk, "locale": locale, "token": "t", "text": text, **fields}
    page = client.post(ADDRESS, given, headers={"HX-Request": "true"}).content.decode()
    rows = page.split('<p class="err')[0].split('<div class="chk ')[1:]
    found = [re.sub(r"<svg.*?</svg>|<[^>]*>", " ", f"<{row}", flags=re.DOTALL) for row in rows]
    names = ("Lands in", "Script", "Type", "Length", "Same text", "Same need")
    return {name: " ".join(row.split(name, 1)[1].split()) for name, row in zip(names, found, strict=True)}


@pytest.mark.parametrize(
    ("text", "locale", "script"),
    [
        ("tır gece bekçisiz parkta", "tr", "Latin, diacritics ı, ç"),
        ("tir gece bekcisiz parkta", "tr", "Latin without diacritics holds no Turkish letters: counts as Latin"),
        ("夜間に無人の駐車場で", "ja", "Kanji"),
        ("やかんのちゅうしゃじょう", "ja", "Kana"),
        ("yakan no chushajo", "ja", "Romaji no Japanese script in it: counts as romaji"),
        ("هل تُغطّى سرقة البضاعة", "ar", "Arabic"),
        ("крађа терета", "sr-Cyrl", "Cyrillic"),
        ("theft of cargo", "en", "Latin"),
    ],
)
def test_script_class_is_told_in_words(writer: Client, text: str, locale: str, script: str) -> None:
    assert check(writer, text, locale)["Script"].startswith(script)


def test_type_is_told_and_a_code_says_that_it_does_not_test_the_language(writer: Client) -> None:
    assert check(writer, "hırsızlık ödenir mi?")["Type"] == "Question"
    assert check(writer, "ERR_MANDATE_REVOKED ödeme")["Type"] == (
        "Code or error a code is the same in every language: it does not test Turkish"
    )
    assert check(writer, "hırsızlık ödenir mi?", query_type="navigational")["Type"] == (
        "Navigational you chose it; detected: question"
    )


def test_words_are_counted_as_the_language_counts_them(writer: Client) -> None:
    assert check(writer, "tır gece bekçisiz parkta")["Length"].startswith("4 words")
    assert check(writer, "夜間に無人の駐車場で", "ja")["Length"].startswith("7 words")


def test_cell_is_told_with_its_count_and_the_next_target(writer: Client, corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus)
    factories.judged_queries(stratum, 98)
    factories.judged_queries(stratum, 2, source="derived")
    factories.a_query(stratum)
    assert check(writer, "tır çalınırsa ne olur?")["Lands in"].startswith(
        "Turkish × English, Latin, diacritics, question, distinctive 99 → 100 of 100"
    )


def test_twin_is_named_while_it_is_typed(writer: Client, corpus: Corpus, need: Need) -> None:
    writer.post("/c/claims/write/", {"need": need.pk, "locale": "tr", "token": "1", "text": "Hırsızlık ödenir mi?"})
    twin = Query.objects.get()
    found = check(writer, "HIRSIZLIK  ÖDENİR Mİ?")
    assert found["Same text"].startswith(f"{twin.external_id}: Hırsızlık ödenir mi?")
    assert found["Same need"].startswith(f"{twin.external_id} words it in this cell")


def test_every_check_has_its_line_before_anything_is_typed(writer: Client, need: Need) -> None:
    empty = writer.get("/c/claims/write/").content.decode()
    assert empty.count('class="chk non"') == 6
    assert set(check(writer, "  ").values()) == {"The cell appears as you type. 30 Screen 100 Gate 400 Compare", ""}


def test_check_button_shows_the_same_on_the_whole_page_and_stores_nothing(writer: Client, need: Need) -> None:
    given = {
        "need": need.pk,
        "locale": "tr",
        "token": "t",
        "text": "tır gece bekçisiz parkta",
        "query_type": "question",
    }
    answer = writer.post(ADDRESS, given)
    page = answer.content.decode()
    assert answer.status_code == HTTPStatus.OK
    assert 'value="tır gece bekçisiz parkta"' in page
    assert "you chose it; detected: navigational" in page
    assert '<option value="question" selected>' in page
    assert not Query.objects.exists()


def test_text_is_shown_as_text(writer: Client, need: Need) -> None:
    given = {"need": need.pk, "locale": "tr", "token": "t", "text": '"><script>alert(1)</script>'}
    assert "<script>alert" not in writer.post(ADDRESS, given).content.decode()


def test_checks_take_a_fixed_number_of_queries(
    writer: Client, need: Need, corpus: Corpus, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        factories.a_query(factories.a_stratum(corpus), f"soru {number}")
    with django_assert_num_queries(11):
        check_once(writer, need)


def check_once(client: Client, need: Need) -> None:
    given = {"need": need.pk, "locale": "tr", "token": "t", "text": "tır gece bekçisiz parkta"}
    assert client.post(ADDRESS, given, headers={"HX-Request": "true"}).status_code == HTTPStatus.OK
