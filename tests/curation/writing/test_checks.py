"""The live checks: told while someone types, as a fragment; and as a page where there is no script."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from curation.models import Corpus, Need, Query, Role
from curation.reports.language_hint import language_model
from tests import factories

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/write/checks/"
NAMES = (
    "Script",
    "Language",
    "Type",
    "Length",
    "Taken from the document",
    "Closest in the set",
    "Same need",
)


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
    rows, landing = page.split('<p class="err')[0].split('<div class="lands"')
    found = [
        re.sub(r"<svg.*?</svg>|<[^>]*>", " ", f"<{row}", flags=re.DOTALL) for row in rows.split('<div class="chk ')[1:]
    ]
    told = {name: " ".join(row.split(name, 1)[1].split()) for name, row in zip(NAMES, found, strict=True)}
    return {"Lands in": " ".join(re.sub(r"<[^>]*>", " ", f"<{landing}").split()), **told}


@pytest.mark.parametrize(
    ("text", "locale", "script"),
    [
        ("tır gece bekçisiz parkta", "tr", "Latin, with Turkish diacritics ı, ç"),
        ("tir gece bekcisiz parkta", "tr", "Latin without diacritics holds no Turkish letters"),
        ("夜間に無人の駐車場で", "ja", "Kanji"),
        ("やかんのちゅうしゃじょう", "ja", "Kana"),
        ("yakan no chushajo", "ja", "Romaji no Japanese script in it"),
        ("هل تُغطّى سرقة البضاعة", "ar", "Arabic"),
        ("крађа терета", "sr-Cyrl", "Cyrillic"),
        ("theft of cargo", "en", "Latin"),
    ],
)
def test_script_class_is_told_in_words(writer: Client, text: str, locale: str, script: str) -> None:
    assert check(writer, text, locale)["Script"].startswith(script)


def test_type_is_told_and_a_code_says_that_it_does_not_test_the_language(writer: Client) -> None:
    assert check(writer, "hırsızlık ödenir mi?")["Type"] == "Question Change"
    assert check(writer, "ERR_MANDATE_REVOKED ödeme")["Type"] == (
        "Code or error the same in every language: it does not test Turkish Change"
    )
    assert check(writer, "hırsızlık ödenir mi?", query_type="navigational")["Type"] == (
        "Navigational you chose it; detected: question Change"
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
        "Lands in Turkish × English, Latin, diacritics, question, distinctive 99 → 100 of 100"
    )


def test_twin_is_named_while_it_is_typed(writer: Client, corpus: Corpus, need: Need) -> None:
    writer.post("/c/claims/write/", {"need": need.pk, "locale": "tr", "token": "1", "text": "Hırsızlık ödenir mi?"})
    twin = Query.objects.get()
    found = check(writer, "HIRSIZLIK  ÖDENİR Mİ?")
    assert found["Closest in the set"] == f"{twin.external_id} is the same text: Hırsızlık ödenir mi?"
    assert found["Same need"].startswith(f"{twin.external_id} words it in this cell")


def test_every_check_has_its_line_before_anything_is_typed(writer: Client, need: Need) -> None:
    empty = writer.get("/c/claims/write/").content.decode()
    assert empty.count('class="chk non') == len(NAMES)
    told = check(writer, "  ")
    assert told.pop("Lands in") == "The cell appears as you type. 30 Screen 100 Gate 400 Compare"
    assert set(told.values()) == {""}


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
        factories.a_query(factories.a_stratum(corpus), f"tır gece bekçisiz parkta {number}")
    check_once(writer, need)
    with django_assert_num_queries(14):
        check_once(writer, need)


def test_words_taken_from_the_document_are_counted_in_all_their_forms(
    writer: Client, corpus: Corpus, need: Need
) -> None:
    assert check(writer, "tır gece 22.00 den sonra alana bırakılırsa")["Taken from the document"] == (
        "3 of 7: 22.00, alana, bırakılırsa asks from half on"
    )
    assert check(writer, "ARAÇ ÇİTLE ÇEVRİLİ MİYDİ")["Taken from the document"].startswith(
        "3 of 4: ARAÇ, ÇİTLE, ÇEVRİLİ would someone"
    )
    assert check(writer, "hırsızlık ödenir mi")["Taken from the document"] == "None of 3"


def test_words_taken_over_are_underlined_in_the_document_only_when_they_change(writer: Client, need: Need) -> None:
    given = {"need": need.pk, "locale": "tr", "token": "t", "text": "araç nerede"}
    told = writer.post(ADDRESS, given, headers={"HX-Request": "true"}).content.decode()
    assert "<u>Araç</u>, 22.00 ile" in told
    again = writer.post(ADDRESS, {**given, "taken": "araç"}, headers={"HX-Request": "true"}).content.decode()
    assert "22.00 ile" not in again
    assert "<u>Araç</u>, 22.00 ile" in writer.post(ADDRESS, given).content.decode()


def test_title_of_the_document_is_what_is_asked_for_and_not_taken(writer: Client, need: Need) -> None:
    assert check(writer, "gece park koşulu")["Taken from the document"] == "None of 3"


def test_closest_query_of_the_locale_is_told_with_its_likeness(writer: Client, corpus: Corpus, need: Need) -> None:
    factories.a_query(factories.a_stratum(corpus), "GECE BEKÇİSİZ PARKTA ÇALINAN TIR")
    factories.a_query(factories.a_stratum(corpus, "de en Latn question distinctive"), "gece bekçisiz parkta çalınan")
    assert check(writer, "bekçisiz parkta çalınan yük")["Closest in the set"].startswith(
        "GECE BEKÇİSİZ PARKTA ÇALINAN TIR 0.7"
    )
    assert check(writer, "gece bekçisiz parkta çalınan tırı")["Closest in the set"].endswith("nearly the same")
    assert check(writer, "sel hasarı")["Closest in the set"] == "None is like it"
    factories.a_query(factories.a_stratum(corpus, "tr en Latn question distinctive"), "sel hasarı ödenir mi")
    assert check(writer, "sel hasarı öder mi")["Closest in the set"].startswith("sel hasarı ödenir mi 0.")
    assert check(writer, "bekçisiz parkta çalınan yük")["Closest in the set"].startswith("GECE BEKÇİSİZ PARKTA")


def test_retired_query_is_no_longer_the_closest(writer: Client, corpus: Corpus, need: Need) -> None:
    query = factories.a_query(factories.a_stratum(corpus), "bekçisiz parkta çalınan yük")
    assert "bekçisiz" in check(writer, "bekçisiz parkta çalınan yükü")["Closest in the set"]
    Query.objects.filter(pk=query.pk).update(status="retired", retired_reason="a test")
    assert check(writer, "bekçisiz parkta çalınan yükü")["Closest in the set"] == "None is like it"


def test_word_that_mixes_scripts_is_told_with_the_letter(writer: Client, need: Need) -> None:
    assert check(writer, "hırsızlı\u043a ödenir mi")["Script"] == (
        "hırsızlı\u043a mixes scripts: \u043a is Cyrillic. Type it again"
    )


def test_need_pasted_as_it_stands_is_told_and_saved_all_the_same(writer: Client, need: Need) -> None:
    text = "Is theft of cargo covered"
    assert (
        check(writer, text)["Language"] == "Most of its words are the English text’s ask in Turkish, as someone would"
    )
    assert check(writer, text, "en")["Language"] == "English"
    writer.post("/c/claims/write/", {"need": need.pk, "locale": "tr", "token": "1", "text": text})
    assert Query.objects.get().text == text


def test_text_in_another_language_is_a_hint_and_silent_where_it_is_short(writer: Client, need: Need) -> None:
    language_model().result()
    assert check(writer, "wird der Diebstahl der Ladung nachts bezahlt")["Language"] == "Turkish"
    Corpus.objects.get(slug="claims").locales.create(locale="de")
    told = check(writer, "wird der Diebstahl der Ladung nachts bezahlt")["Language"]
    assert told == "Reads like German it is kept as Turkish"
    assert check(writer, "Diebstahl nachts")["Language"] == "Turkish"
    assert check(writer, "tir gece bekcisiz parkta kalirsa odenir mi")["Language"] == "Turkish"


@pytest.mark.parametrize(
    ("text", "locale", "told"),
    [
        ("夜間の駐車場での盗難は補償されますか", "tr", "Written in Han and kana; Turkish is written in Latin letters"),
        ("καλύπτεται η κλοπή", "tr", "Written in Greek letters; Turkish is written in Latin letters"),
        ("هل تُغطّى سرقة البضاعة في الليل", "en", "Written in Arabic letters; English is written in Latin letters"),
        ("покривена ли је крађа", "ja", "Written in Cyrillic letters; Japanese is written in Han and kana"),
    ],
)
def test_a_text_in_no_script_of_its_locale_is_told_by_its_script_and_saved_all_the_same(
    writer: Client, need: Need, text: str, locale: str, told: str
) -> None:
    language_model().result()
    name = told.split("; ")[1].split(" is ", maxsplit=1)[0]
    assert check(writer, text, locale)["Language"] == f"{told} it is kept as {name}"
    writer.post("/c/claims/write/", {"need": need.pk, "locale": locale, "token": "1", "text": text})
    assert Query.objects.get().text == text


@pytest.mark.parametrize(("text", "locale"), [("yakan no chushajo", "ja"), ("A4 夜間", "ja"), ("404", "tr")])
def test_a_script_that_the_locale_is_written_in_too_is_no_hint(
    writer: Client, need: Need, text: str, locale: str
) -> None:
    assert check(writer, text, locale)["Language"] in {"Japanese", "Turkish"}


def check_once(client: Client, need: Need) -> None:
    given = {"need": need.pk, "locale": "tr", "token": "t", "text": "tır gece bekçisiz parkta"}
    assert client.post(ADDRESS, given, headers={"HX-Request": "true"}).status_code == HTTPStatus.OK
