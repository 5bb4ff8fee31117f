"""The page Traffic mix, as a lead sees it."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.models import Corpus
from tests import factories
from tests.bringing import run

from .scene import QUARTER, a_corpus, counted, searched

pytestmark = pytest.mark.django_db
DAYS = {"since": QUARTER[1], "until": QUARTER[3]}


@pytest.fixture
def corpus() -> Corpus:
    made = a_corpus("tr", "en")
    searched(made, "dolu hasari icin ne kadar odeniyor acaba?", 180)
    searched(made, "dolu hasarı için ne kadar ödeniyor acaba?", 820)
    searched(made, "hail", 7, locale="en", guess="en")
    counted(made, "tr en Latn question distinctive", *(f"dolu hasarı için ne ödeniyor acaba {n}?" for n in range(40)))
    return made


@pytest.fixture
def lead(corpus: Corpus, client: Client) -> Client:
    client.force_login(factories.lena(corpus))
    return client


def page(lead: Client, **asked: str) -> str:
    return lead.get(reverse("traffic_mix", args=["claims"]), {**DAYS, **asked}).content.decode()


def test_a_stratum_left_behind_stands_with_its_reason_and_a_way_to_the_plan(lead: Client) -> None:
    shown = page(lead)
    assert "Q3 2026" in shown
    assert "The set has left 1 of them behind" in shown
    assert "under half of its share, under 30 queries" in shown
    address = (
        "/c/claims/plan/?query_language=tr&amp;script=Latn-plain&amp;query_type=question&amp;slice=distinctive#add"
    )
    assert f'href="{address}"' in shown
    plan = lead.get(address.replace("&amp;", "&").partition("#")[0]).content.decode()
    assert '<option value="Latn-plain" selected>' in plan
    assert 'name="query_language" value="tr"' in plan


def test_the_chart_says_what_it_shows_and_the_table_holds_the_figures(lead: Client) -> None:
    shown = page(lead)
    assert 'role="img" aria-label="Share of the searches in Turkish (filled)' in shown
    assert "18.0 %" in shown
    assert "82.0 %" in shown


def test_a_thin_locale_shows_counts_and_no_shares(lead: Client) -> None:
    shown = page(lead, locale="en")
    assert "Under 100 searches: counts, and no shares." in shown
    assert 'role="img"' not in shown
    assert "Left behind</span>" not in shown


def test_days_out_of_order_are_refused_beside_the_fields(lead: Client) -> None:
    asked = {"since": "2026-09-30", "until": "2026-07-01"}
    answer = lead.get(reverse("traffic_mix", args=["claims"]), asked)
    assert answer.status_code == 422
    assert "The period would end on 1 Jul 2026, before it begins on 30 Sep 2026." in answer.content.decode()
    assert lead.get(reverse("traffic_mix_export", args=["claims"]), asked).status_code == 400


def test_a_day_that_is_none_is_refused(lead: Client) -> None:
    assert lead.get(reverse("traffic_mix", args=["claims"]), {"since": "last week"}).status_code == 422


def test_without_a_log_the_page_leads_to_the_import(client: Client) -> None:
    client.force_login(factories.lena(a_corpus("tr")))
    shown = page(client)
    assert "This corpus has no search log" in shown
    assert "/c/claims/import/" in shown


def test_the_download_is_what_the_command_writes(lead: Client) -> None:
    _, written = run("log_mix", "claims", *QUARTER, "--csv")
    answer = lead.get(reverse("traffic_mix_export", args=["claims"]), DAYS)
    assert answer.content.decode() == written
    told = lead.get(reverse("traffic_mix_export", args=["claims"]), {**DAYS, "format": "json", "locale": "en"}).json()
    assert [each["locale"] for each in told["locales"]] == ["en"]


@pytest.mark.parametrize("lines", [1, 40])
def test_the_page_asks_as_often_however_long_the_log(lead: Client, corpus: Corpus, lines: int) -> None:
    for number in range(lines):
        searched(corpus, f"sel {number}", day=date(2026, 1 + number % 9, 1))
    with CaptureQueriesContext(connection) as asked:
        page(lead)
    assert len(asked) <= 10, [each["sql"][:90] for each in asked]


def test_a_guessed_language_that_the_corpus_has_no_cell_of_is_not_offered_to_the_plan(
    lead: Client, corpus: Corpus
) -> None:
    searched(corpus, "koliko dana traje prijava stete od grada", 120, locale="", guess="sl")
    shown = page(lead, locale="sl")
    assert "That these searches are Slovenian is a guess: none of them names a locale" in shown
    assert not any(words in shown for words in ("Plan it", "Left behind</span>", '0<span class="sr"> left behind'))
    factories.a_stratum(corpus, "sl en Latn question distinctive", planned=30)
    shown = page(lead, locale="sl")
    assert ("is a guess:" in shown, "Plan it" in shown) == (False, True)
    assert "120 name no locale and stand here by a guess" in shown
