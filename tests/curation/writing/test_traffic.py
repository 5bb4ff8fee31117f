"""Traffic shares: typed, from a file, or from the log; dated, kept, and the newest counts."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from curation.api import shapes
from curation.models import Corpus, LogQuery, TrafficReading, User
from curation.reports.traffic import traffic_shares
from tests import factories
from tests.bringing import written
from tests.curation.api.calling import caller

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]

ADDRESS = "/c/claims/plan/traffic/"


@pytest.fixture
def noon() -> Any:
    with time_machine.travel(datetime(2026, 7, 14, 12, tzinfo=UTC), tick=False) as clock:
        yield clock


def ask(*words: str) -> list[dict[str, Any]]:
    out = StringIO()
    call_command("traffic", "claims", *words, "--json", stdout=out)
    return list(json.loads(out.getvalue()))


def state(lead: Client, lines: str, **fields: str) -> str:
    return lead.post(ADDRESS, {"shares": lines, **fields}, follow=True).content.decode()


def a_line(corpus: Corpus, locale: str, count: int, day: date | None) -> None:
    sha256 = f"{LogQuery.objects.count():064x}"
    LogQuery.objects.create(corpus=corpus, text="x", locale=locale, count=count, date=day, sha256=sha256)


def test_a_lead_types_shares_with_their_day_and_source(lead: Client, corpus: Corpus, lena: User) -> None:
    page = state(lead, "en 98 %\ntr-TR, 0,02", as_of="2026-07-01", note="Analytics of June")
    assert "Traffic as of 01 Jul 2026 is kept and counts from now on." in page
    assert traffic_shares(corpus) == {"en": 0.98, "tr": 0.02}
    [told] = ask()
    assert (told["as_of"], told["source"], told["note"]) == ("2026-07-01", "typed", "Analytics of June")
    assert (told["stated_by"], told["in_use"], told["shares"]) == (lena.name, True, {"en": 0.98, "tr": 0.02})
    assert set(corpus.locales.values_list("locale", flat=True)) == {"en", "tr"}


@pytest.mark.parametrize(
    ("lines", "fields", "words"),
    [
        ("en 90 %\ntr 2 %", {}, "The traffic shares sum to 0.92, not to 1; correct them."),
        ("en 1\ntr -1", {}, "The traffic share of tr is -1; a share lies between 0 and 1."),
        ("en 2", {}, "The traffic share of en is 2; a share lies between 0 and 1."),
        ("qq 1", {}, "is not known"),
        ("en 0.5\nen 0.5", {}, "en stands there twice."),
        ("English", {}, "is no locale and share. Write a line such as tr 2 %."),
        ("en 1..5", {}, "is no locale and share"),
        ("en 1.234,5 %", {}, "is no locale and share"),
        ("en 1", {"as_of": "2026-07-15"}, "which lies ahead; name today or a day before."),
    ],
)
def test_shares_that_cannot_be_are_refused_in_one_sentence(
    lead: Client, lines: str, fields: dict[str, str], words: str
) -> None:
    assert words in state(lead, lines, **fields)
    assert not TrafficReading.objects.exists()


def test_the_reading_of_the_latest_day_counts_and_the_others_are_kept(lead: Client, corpus: Corpus) -> None:
    state(lead, "en 1", as_of="2026-06-01")
    state(lead, "tr 1", as_of="2026-07-01")
    assert "the shares as of 01 Jul 2026 are newer and stay in use." in state(lead, "de 1", as_of="2026-05-01")
    assert [(told["as_of"], told["in_use"]) for told in ask()] == [
        ("2026-07-01", True),
        ("2026-06-01", False),
        ("2026-05-01", False),
    ]
    state(lead, "ja 1", as_of="2026-07-01")
    assert traffic_shares(corpus) == {"ja": 1.0}


def test_the_same_form_twice_keeps_one_reading(lead: Client) -> None:
    state(lead, "en 1")
    state(lead, "en 1")
    assert TrafficReading.objects.count() == 1


def test_the_log_gives_the_share_of_searches_between_two_days(lead: Client, corpus: Corpus) -> None:
    a_line(corpus, "en", 60, date(2026, 4, 1))
    a_line(corpus, "tr", 20, date(2026, 6, 30))
    a_line(corpus, "tr", 1000, date(2026, 7, 1))
    a_line(corpus, "tr", 1000, None)
    a_line(corpus, "", 7, date(2026, 5, 1))
    [told] = ask("--from-log", "--since", "2026-04-01", "--until", "2026-06-30")
    assert told["shares"] == {"en": 0.75, "tr": 0.25}
    assert (told["since"], told["until"], told["as_of"]) == ("2026-04-01", "2026-06-30", "2026-06-30")
    assert told["note"] == "80 searches of the log; 7 without a locale left out"
    state(lead, "en 1", as_of="2026-07-14")
    lead.post(f"{ADDRESS}log/", {"since": "2026-04-01", "until": "2026-06-30"})
    lead.post(f"{ADDRESS}log/", {"since": "2026-04-01", "until": "2026-06-30"})
    assert [told["as_of"] for told in ask()] == ["2026-07-14", "2026-06-30", "2026-06-30"]
    assert "1 Apr 2026 to 30 Jun 2026" in lead.get(ADDRESS).content.decode()


def test_a_log_without_dates_stands_for_today(corpus: Corpus) -> None:
    a_line(corpus, "tr", 3, None)
    assert [(told["as_of"], told["since"]) for told in ask("--from-log")] == [("2026-07-14", None)]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--from-log"], "The log holds no search with a locale on these days; 7 searches name no locale."),
        (["--from-log", "--since", "2026-02-01", "--until", "2026-01-01"], "name the earlier day first"),
        (["--since", "2026-02-01"], "add --from-log"),
        (["--as-of", "2026-01-01"], "add --file"),
        (["--from-log", "--note", "June"], "add --file"),
        (["--file", "none.json"], "No file can be read"),
        (["--from-log", "--by", "nobody"], "Nobody has the username nobody."),
    ],
)
def test_what_cannot_be_stated_is_refused_on_the_command_line(corpus: Corpus, words: list[str], reason: str) -> None:
    a_line(corpus, "", 7, date(2026, 5, 1))
    with pytest.raises(CommandError, match=reason) as refusal:
        ask(*words)
    assert refusal.value.returncode == 2


def test_the_page_says_why_the_log_gives_no_shares(lead: Client) -> None:
    assert "The log holds no search" in lead.post(f"{ADDRESS}log/", {}).content.decode()


def test_a_file_states_shares_and_the_command_tells_them(corpus: Corpus, lena: User, tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", "en,0.98", "tr,0.02")
    out = StringIO()
    call_command("traffic", "claims", "--file", str(path), "--as-of", "2026-07-01", "--by", "lena", stdout=out)
    assert out.getvalue() == "2026-07-01 file by Lena (in use): en 98.0 %, tr 2.0 %\n"


def test_without_shares_the_command_says_how_to_state_them(corpus: Corpus) -> None:
    out = StringIO()
    call_command("traffic", "claims", stdout=out)
    assert out.getvalue() == "No traffic is stated for claims; use --file or --from-log.\n"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ('{"en": true}', "The traffic share of en is True, which is no number."),
        ('{"en": 1' + "0" * 400 + "}", "which is no number."),
        ('"' + "x" * 200_000 + '",1', "The traffic file is no table"),
        (
            "Sprache,Anteil\nen,0,98\ntr,0,02",
            "Line 2 of the traffic file has 3 columns .* with a decimal comma tr;0,02.",
        ),
        ("en;0,98\ntr", "Line 2 of the traffic file has 1 column where a locale and a share belong."),
        ("en;98 %\n\ntr;%2 %", "The traffic share of tr on line 3 is %2 %, which is no number."),
        ("tr;many\nen;1", "The traffic share of tr on line 1 is many, which is no number."),
        ("en;1\nen;0", "The traffic file names en twice, the second time on line 2."),
        ("Dil;Pay\n;;\n", "The traffic file names no locale."),
        ("locale,share\nen,0.98\ntr,0.02\nxx\0,0", r"holds a NUL character \(U\+0000\) on line 4, which belongs to no"),
        ("en,0.98\ntr,\x0b0.02", r"holds the control character U\+000B on line 2, which"),
        ('{"en": 1, "x\\u0000": 0}', r"holds a NUL character \(U\+0000\), which belongs to no locale and no share"),
    ],
)
def test_a_file_that_holds_no_shares_is_refused_in_one_sentence(
    corpus: Corpus, tmp_path: Path, given: str, reason: str
) -> None:
    (tmp_path / "shares").write_text(given)
    with pytest.raises(CommandError, match=reason):
        ask("--file", str(tmp_path / "shares"))


@pytest.mark.parametrize(
    "given",
    [
        "Sprache;Anteil\r\nen;97,5 %\r\ntr;2,5%\r\n;\r\n",
        "Dil;Pay\nen;%97,5\ntr;% 2,5",
        "langue\tpart\nen\t97,5\N{NO-BREAK SPACE}%\ntr\t2,5\N{NARROW NO-BREAK SPACE}%",
        'locale,share\nen,"0,975"\ntr,"2,5E-02"',
        '{"en": "97.5 %", "tr": 0.025}',
    ],
)
def test_shares_are_read_as_spreadsheets_write_them(corpus: Corpus, tmp_path: Path, given: str) -> None:
    (tmp_path / "shares").write_bytes(given.encode("utf-8-sig"))
    assert ask("--file", str(tmp_path / "shares"))[0]["shares"] == pytest.approx({"en": 0.975, "tr": 0.025})


def test_a_new_locale_is_offered_on_the_page(lead: Client, corpus: Corpus) -> None:
    factories.some_traffic(corpus, en=0.98, tr=0.02)
    factories.a_stratum(corpus, "ja en Jpan-kanji question distinctive", planned=30)
    assert "en 98 %\ntr 2 %\nja 0 %" in lead.get(ADDRESS).content.decode()


def test_shares_that_leave_out_what_is_asked_are_kept_with_one_remark_on_page_command_and_api(
    lead: Client, lena: User, corpus: Corpus, tmp_path: Path
) -> None:
    factories.judged_queries(factories.a_stratum(corpus, "tr en Latn question distinctive"), 2)
    factories.a_query(factories.a_stratum(corpus, "de en Latn question distinctive"))
    a_line(corpus, "ja", 1200, None)
    a_line(corpus, "tr", 3, None)
    remark = (
        "Turkish (2 queries, 3 searches), German (1 query) and Japanese (1,200 searches) have no share of the traffic,"
        " so they weigh nothing in the traffic-weighted mean. No query is in French, which has 100.0 % of the traffic:"
        " that part is not measured."
    )
    path = written(tmp_path, "t.json", '{"fr": 1}')
    out = StringIO()
    call_command("traffic", "claims", "--file", str(path), "--as-of", "2026-07-01", stdout=out)
    assert out.getvalue() == f"2026-07-01 file (in use): fr 100.0 %\n  {remark}\n"
    assert traffic_shares(corpus) == {"fr": 1.0}
    assert lead.get(ADDRESS).content.decode().count(remark) == 1
    assert state(lead, "fr 1", as_of="2026-06-01").count(remark) == 2, "of the one in use, and of the older one stated"
    answer = caller(lena).get("corpora/claims/traffic").json()
    assert answer == {"readings": ask()}
    assert answer["readings"][0]["remark"] == remark
    shapes.Traffic.model_validate(answer)


def test_shares_of_all_that_is_asked_need_no_remark(lead: Client, corpus: Corpus) -> None:
    assert "do not meet" not in state(lead, "fr 1"), "before there are queries, none is missing"
    factories.a_query(factories.a_stratum(corpus))
    assert "do not meet" not in state(lead, "tr 1")
    assert "Turkish (1 query) has no share of the traffic, so it weighs nothing" in state(lead, "fr 1\ntr 0")


def test_six_readings_cost_no_more_queries_than_one(
    lead: Client, corpus: Corpus, django_assert_num_queries: Any
) -> None:
    state(lead, "en 1", as_of="2026-06-01")
    with django_assert_num_queries(10):
        lead.get(ADDRESS)
    for day in range(2, 7):
        state(lead, "en 1", as_of=f"2026-06-0{day}")
    with django_assert_num_queries(10):
        lead.get(ADDRESS)


@pytest.mark.parametrize("command", [["traffic", "claims", "--since"], ["waive", "claims", "--until"]])
def test_a_word_that_is_no_day_is_refused_with_one_that_is(command: list[str]) -> None:
    with pytest.raises(CommandError, match="soon is no day of the form 2026-07-01"):
        call_command(*command, "soon")
