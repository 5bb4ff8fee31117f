"""The mix of a log beside that of the set, by the command."""

from __future__ import annotations

import csv
import json
from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.models import Corpus, LogQuery
from curation.reports.log_mix import error_share, log_mix
from tests import factories
from tests.bringing import run

from .scene import QUARTER, a_corpus, counted, searched

pytestmark = pytest.mark.django_db
QUESTION = "dolu hasarı için ne kadar ödeniyor acaba?"
PLAIN = "dolu hasari icin ne kadar odeniyor acaba?"
TODAY = date(2026, 11, 30)


@pytest.fixture
def corpus() -> Corpus:
    """60 searches by question, 30 of them plain, 30 by code, 10 short ones; a set of 40 questions with Turkish letters."""
    made = a_corpus("tr", "en")
    searched(made, QUESTION, 30)
    searched(made, PLAIN, 30)
    searched(made, "ERR_MANDATE_REVOKED", 30)
    searched(made, "dolu hasarı", 10)
    counted(made, "tr en Latn question distinctive", *(f"{QUESTION} {number}" for number in range(40)))
    return made


def asked(*words: object) -> dict[str, Any]:
    code, out = run("log_mix", "claims", *QUARTER, "--json", *words)
    assert code == 0, out
    answer: dict[str, Any] = json.loads(out)
    return answer


def turkish(*words: object) -> dict[str, Any]:
    [told] = asked("--locale", "tr", *words)["locales"]
    return dict(told)


def test_a_locale_goes_by_every_code_of_it_and_one_that_is_not_there_is_refused(corpus: Corpus) -> None:
    assert asked("--locale", "tr-TR")["locales"] == [turkish()]
    for tag, reason in (("ja", "holds ja"), ("qq", "is not known"), ("sr", "several scripts")):
        with pytest.raises(CommandError, match=reason):
            run("log_mix", "claims", *QUARTER, "--locale", tag)


def test_each_class_has_its_share_of_the_searches_and_of_the_counted_queries(corpus: Corpus) -> None:
    types = turkish()["dimensions"]["query_type"]
    assert {name: (each["traffic_share"], each["set_share"]) for name, each in types["classes"].items()} == {
        "navigational": (0.1, 0.0),
        "question": (0.6, 1.0),
        "error_string": (0.3, 0.0),
    }
    assert types["classes"]["question"]["difference"] == 0.4
    assert types["distance"] == 0.4


def test_lengths_and_scripts_are_bands_of_words_and_classes_of_letters(corpus: Corpus) -> None:
    told = turkish()["dimensions"]
    assert {name: each["searches"] for name, each in told["length"]["classes"].items()} == {
        "1-2": 40,
        "3-5": 0,
        "6-9": 60,
        "10+": 0,
    }
    assert {name: each["searches"] for name, each in told["script"]["classes"].items()} == {
        "Latn-plain": 60,
        "Latn": 40,
    }


def test_searches_that_name_no_locale_are_told_apart_by_the_characters_they_are_in() -> None:
    corpus = a_corpus("en")
    for text, count in (("コロナウイルス", 60), ("新型肺炎の症状", 20), ("冠状病毒", 15), ("코로나 감염", 5)):
        searched(corpus, text, count, locale="", guess="")
    [told] = asked()["locales"]
    scripts = told["dimensions"]["script"]["classes"]
    assert (told["locale"], {name: each["traffic_share"] for name, each in scripts.items()}) == (
        "und",
        {"Jpan-kana": 0.6, "Jpan-kanji": 0.2, "Hani": 0.15, "Hang": 0.05},
    )


def test_strata_that_the_set_does_not_hold_are_named_with_the_rule_that_finds_them(corpus: Corpus) -> None:
    told = {(each["script"], each["query_type"], each["words"]): each["standing"] for each in turkish()["strata"]}
    assert told == {
        ("Latn", "question", "6 or more"): "",
        ("Latn-plain", "question", "6 or more"): "rare, thin",
        ("Latn-plain", "error_string", "under 6"): "rare, thin",
        ("Latn", "navigational", "under 6"): "rare, thin",
    }


def test_a_stratum_below_one_in_twenty_searches_is_not_missed(corpus: Corpus) -> None:
    searched(corpus, "sel zarari", 5)
    [short] = [each for each in turkish()["strata"] if each["searches"] == 5]
    assert (short["traffic_share"], short["standing"]) == (0.0476, "")
    searched(corpus, "sel", 1)
    [short] = [each for each in turkish()["strata"] if each["searches"] == 6]
    assert (short["traffic_share"], short["standing"]) == (0.0566, "thin")


def test_what_the_set_holds_and_nobody_asks_for_is_told_apart(corpus: Corpus) -> None:
    counted(corpus, "tr en Latn navigational distinctive", "deprem sigortası başvurusu için gereken belgeler listesi")
    [gone] = [each for each in turkish()["strata"] if each["standing"] == "not asked"]
    assert (gone["queries"], gone["searches"], gone["words"]) == (1, 0, "6 or more")


def test_a_thin_log_shows_counts_and_no_shares(corpus: Corpus) -> None:
    LogQuery.objects.filter(text=QUESTION).update(count=29)
    told = turkish()
    assert (told["searches"], told["distance"]) == (99, None)
    shares = [*told["strata"], *told["dimensions"]["script"]["classes"].values()]
    assert {each["traffic_share"] for each in shares} == {None}
    assert {each.get("standing", "") for each in shares} == {""}


def test_a_set_of_few_queries_does_not_prove_that_a_stratum_is_rare(corpus: Corpus) -> None:
    few = list(corpus.queries.values_list("pk", flat=True)[:3])
    corpus.queries.exclude(pk__in=few).update(status="retired", retired_reason="a test")
    told = {each["query_type"] + each["script"]: each["standing"] for each in turkish()["strata"]}
    assert told["error_stringLatn-plain"] == "thin"  # 0 of 3: up to 56 % by chance


def test_days_outside_the_period_count_in_their_quarter_alone(corpus: Corpus) -> None:
    searched(corpus, QUESTION, 200, day=date(2026, 6, 30))
    searched(corpus, QUESTION, 50, day=date(2026, 10, 1))
    told = turkish()
    assert told["searches"] == 100
    assert [(each["quarter"], each["searches"], each["distance"]) for each in told["quarters"]] == [
        ("Q2 2026", 200, 0.0),
        ("Q3 2026", 100, 0.7),
        ("Q4 2026", 50, None),
    ]


def test_lines_without_a_day_are_in_no_period_and_are_counted_apart(corpus: Corpus) -> None:
    searched(corpus, QUESTION, 40, day=None)
    searched(corpus, "not read", 40, guess=None)
    told = asked()
    assert (told["log"]["lines"], told["log"]["undated"], told["log"]["unread"]) == (6, 1, 1)
    assert turkish()["searches"] == 100


def test_a_log_without_any_day_is_taken_whole(corpus: Corpus) -> None:
    LogQuery.objects.update(date=None)
    told = asked()
    assert told["period"] is None
    assert told["locales"][0]["searches"] == 100


def test_a_line_without_a_locale_counts_under_the_guessed_one_and_is_told(corpus: Corpus) -> None:
    searched(corpus, "what does the house insurance pay after a storm", 120, locale="", guess="en")
    [english] = [each for each in asked()["locales"] if each["locale"] == "en"]
    assert (english["searches"], english["placed_by_guess"]) == (120, 120)


def test_the_guessed_language_of_a_locale_s_searches_is_a_dimension(corpus: Corpus) -> None:
    searched(corpus, "what does the house insurance pay after a storm", 100, guess="en")
    languages = turkish()["dimensions"]["language"]["classes"]
    assert languages["en"]["traffic_share"] >= 0.5
    assert languages["en"]["set_share"] == 0.0


def test_the_table_for_a_spreadsheet_has_the_figures_of_the_json(corpus: Corpus) -> None:
    _, out = run("log_mix", "claims", *QUARTER, "--csv")
    lines = list(csv.DictReader(StringIO(out)))
    [codes] = [row for row in lines if row["dimension"] == "query_type" and row["class"] == "error_string"]
    assert (codes["period"], codes["locale"], codes["traffic_share"]) == ("Q3 2026", "tr", "0.3")
    strata = [row for row in lines if row["dimension"] == "stratum"]
    assert [row["standing"] for row in strata] == [each["standing"] for each in turkish()["strata"]]


def test_the_command_says_it_in_lines(corpus: Corpus) -> None:
    _, out = run("log_mix", "claims", *QUARTER)
    assert "Q3 2026, 4 log lines." in out
    assert "tr: 100 searches, 40 counted queries, distance 0.700" in out


def test_a_period_that_ends_before_it_begins_is_refused(corpus: Corpus) -> None:
    with pytest.raises(CommandError, match="would end on 1 Jul 2026, before it begins on 30 Sep 2026"):
        run("log_mix", "claims", "--since", "2026-09-30", "--until", "2026-07-01")


def test_error_shares_are_those_of_the_last_full_quarter(corpus: Corpus) -> None:
    searched(corpus, "fog", 99, locale="en")
    searched(corpus, "E-1234", 500, day=date(2026, 10, 2))
    assert error_share(corpus, today=TODAY) == {"en": None, "tr": 0.3}


def test_the_board_sets_the_log_s_codes_beside_the_set_s(corpus: Corpus, client: Client) -> None:
    client.force_login(factories.lena(corpus))
    assert 'hx-get="/c/claims/coverage/log"' in client.get("/c/claims/coverage/").content.decode()
    page = client.get("/c/claims/coverage/log").content.decode()
    assert 'data-name="Of counted queries" class="num">0.0 %</td>' in page
    assert 'data-name="Of searches in the log" class="num">30.0 %</td>' in page
    assert "under 35 %" in page


@pytest.mark.parametrize("lines", [4, 60])
def test_the_report_asks_as_often_however_long_the_log(corpus: Corpus, lines: int) -> None:
    for number in range(lines):
        searched(corpus, f"sel {number}", locale=("tr", "en", "")[number % 3], day=date(2026, 1 + number % 9, 1))
    with CaptureQueriesContext(connection) as asked_for:
        log_mix(corpus, today=TODAY)
    assert len(asked_for) == 4


def test_reading_again_takes_up_a_locale_that_has_joined(corpus: Corpus) -> None:
    searched(corpus, "коронавирус", 5, locale="", guess="")
    corpus.locales.create(locale="ru")
    run("log_mix", "claims", "--read-again")
    assert LogQuery.objects.get(text="коронавирус").language == "ru"
