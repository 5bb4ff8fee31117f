"""The lead's board: what its counts open, what its scores hide, what it says of two runs."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, datetime
from html import unescape
from typing import cast
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client

from curation.models import Corpus, Query
from curation.reports.board import Board
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

BOARD = "/c/claims/coverage/"
A_COUNT = re.compile(r'<a (?:class="n" )?href="(/c/claims/queries/\?[^"]*)"[^>]*>(\d[\d,]*)')


def stage_rows() -> None:
    """A Turkish of two populations, an English that is well, a thin German; judged from May on."""
    corpus = factories.a_corpus()
    found: list[Query] = []
    missed: list[Query] = []
    for key, count, hits in (
        ("tr en Latn-plain question distinctive", 118, 11),
        ("tr en Latn question near_duplicate", 665, 63),
        ("tr en Latn error_string distinctive", 100, 62),
        ("en en Latn question distinctive", 120, 110),
        ("de en Latn question keyword", 12, 12),
    ):
        queries = factories.judged_queries(factories.a_stratum(corpus, key, planned=count + 8), count)
        found, missed = found + queries[:hits], missed + queries[hits:]
    factories.a_run(corpus, found, missed)
    factories.a_run(corpus, found[:150], found[150:] + missed, name="b-run")
    factories.some_traffic(corpus, en=0.9, tr=0.02, de=0.08)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get(slug="claims")


@pytest.fixture
def lead(corpus: Corpus, client: Client) -> Client:
    client.force_login(factories.lena(corpus))
    return client


def page(lead: Client, **asked: str) -> str:
    return lead.get(BOARD, {"run": "a-run", **asked}).content.decode()


def board_of(lead: Client) -> Board:
    return cast("Board", lead.get(BOARD, {"run": "a-run"}).context["board"])


def words(text: str) -> str:
    """What a reader sees, white space as one space."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def test_a_pooled_0_15_hides_questions_at_0_09_and_error_strings_at_0_62(lead: Client) -> None:
    told = words(page(lead, cell="tr,en"))
    assert "0.15 hides two populations: Latin without diacritics, question at 0.09" in told
    assert "code or error at 0.62" in told
    assert "Worst cell ≥ at least 0.09 0.05–0.16, n = 118 Turkish × English, Latin without diacritics, question" in told


def test_parts_whose_intervals_overlap_are_no_two_populations(lead: Client) -> None:
    assert "fewer than two of its parts can be read" in words(page(lead, cell="en,en"))
    assert "hides two populations" not in words(page(lead, cell="en,en"))


@pytest.mark.parametrize("asked", [{"cell": "tr,en"}, {"cell": "tr,en", "script": "Latn"}, {"slice": "near_duplicate"}])
def test_every_count_opens_a_list_of_as_many_queries(lead: Client, asked: dict[str, str]) -> None:
    links = {unescape(href): int(count.replace(",", "")) for href, count in A_COUNT.findall(page(lead, **asked))}
    kinds = {frozenset(parse_qs(urlsplit(href).query)) for href in links}
    assert len(kinds) >= 4, "totals, cells, scripts and slices each name other dimensions"
    for href, count in links.items():
        assert lead.get(href).context["page"].paginator.count == count, href


def test_the_list_of_the_worst_part_is_one_press_away(lead: Client) -> None:
    [(href, text)] = re.findall(r'<a class="btn" href="([^"]*)">(Open the 118[^<]*)<', page(lead, cell="tr,en"))
    assert text == "Open the 118 queries of the worst part"
    assert lead.get(unescape(href)).context["page"].paginator.count == 118


def test_where_no_part_is_readable_the_whole_cell_is_opened_and_not_called_a_part(lead: Client, corpus: Corpus) -> None:
    for query_type in ("question", "error_string"):
        factories.judged_queries(factories.a_stratum(corpus, f"de de Latn {query_type} distinctive"), 60)
    told = page(lead, cell="de,de")
    [(href, text)] = re.findall(r'<a class="btn" href="([^"]*)">(Open the 120[^<]*)<', told)
    assert text == "Open the 120 queries"
    assert lead.get(unescape(href)).context["page"].paginator.count == 120


@pytest.mark.parametrize(
    ("shares", "asked", "reason"),
    [
        ({"fr": 1.0}, {}, "– no locale with a share is readable"),
        ({"de": 1.0}, {}, "– no locale with a share is readable"),
        ({"en": 0.9, "de": 0.1}, {}, "90.0 % of traffic"),
        ({"en": 0.9, "de": 0.1}, {"use": "compare"}, "– no locale with a share is readable"),
        ({}, {}, "– no traffic shares"),
    ],
)
def test_a_missing_traffic_weighted_mean_names_its_reason(
    lead: Client, corpus: Corpus, shares: dict[str, float], asked: dict[str, str], reason: str
) -> None:
    corpus.traffic_readings.all().delete()
    if shares:
        factories.some_traffic(corpus, **shares)
    card = words(page(lead, **asked)).split("Traffic-weighted", 1)[1].split("A smoke alarm", 1)[0]
    assert reason in card


def test_a_mix_that_holds_nothing_says_so_and_leads_back_to_the_whole_board(lead: Client) -> None:
    told = page(lead, query_type="navigational", slice="keyword", cell="tr,en")
    assert ("Nothing is in this mix" in told, "No strata yet" in told) == (True, False)
    [href] = re.findall(r'<a class="btn" href="([^"]*)">Clear the facets<', told)
    assert parse_qs(unescape(href)[1:]) == {"run": ["a-run"], "cell": ["tr,en"]}


@pytest.mark.parametrize("asked", [{}, {"script": "Latn"}, {"use": "screen"}, {"beside": "b-run"}, {"show": "counts"}])
def test_the_exports_hold_the_screens_cells(lead: Client, asked: dict[str, str]) -> None:
    shown = lead.get(BOARD, {"run": "a-run", **asked}).context["board"]
    told = lead.get(f"{BOARD}export", {"run": "a-run", **asked}).json()
    table = csv.DictReader(
        lead.get(f"{BOARD}export", {"run": "a-run", "format": "csv", **asked}).content.decode().splitlines()
    )
    screen = {(row.locale, "en"): cell for row in shown.rows for cell in row.cells.values() if cell}
    rows = {(row["query_language"], row["corpus_language"]): row for row in table}
    assert len(told["cells"]) == len(screen) == len(rows) > 1
    for cell in told["cells"]:
        place = cell["query_language"], cell["corpus_language"]
        on_screen, row = screen[place], rows[place]
        assert (cell["n"], cell["score"], cell["ready"]) == (on_screen.n, on_screen.score, on_screen.ready)
        assert (row["n"], row["score"]) == (str(cell["n"]), "" if cell["score"] is None else str(cell["score"]))
        assert cell["ci"] == (list(on_screen.ci) if on_screen.ci else None)
        if asked.get("beside"):
            assert cell["beside"]["score"] == on_screen.beside.score
            assert row["beside_score"] == ("" if cell["beside"]["score"] is None else str(cell["beside"]["score"]))


def test_two_runs_side_by_side_need_400_on_every_surface(lead: Client, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"beside": "b-run", "use": "screen"}
    told = lead.get(f"{BOARD}export", {"run": "a-run", **asked}).json()
    assert (told["use"], told["target"], told["beside"]) == ("compare", 400, "b-run")
    scored = {cell["query_language"]: cell["beside"]["score"] for cell in told["cells"] if cell["score"] is not None}
    assert scored == {"tr": pytest.approx(136 / 883)}
    assert [cell["n"] for cell in told["cells"] if cell["score"] is None] == [120, 12]
    shown = page(lead, **asked)
    assert "English queries, English documents: 120 counted, count only" in shown
    assert "hit@10 at least 0.15, interval 0.13–0.18, a lower bound; b-run 0.15" in shown
    call_command("coverage", "claims", "--run", "a-run", "--beside", "b-run", "--use", "screen", "--json")
    assert json.loads(capsys.readouterr().out) == told
    call_command("coverage", "claims", "--run", "a-run", "--beside", "b-run")
    printed = capsys.readouterr().out
    assert "hit@10 of a-run" in printed
    assert "hit@10 of b-run" in printed
    assert printed.count("n = 883") == 2


def test_a_second_run_alone_is_refused(lead: Client) -> None:
    refused = lead.get(f"{BOARD}export", {"beside": "a-run"})
    assert (refused.status_code, "stands beside no other" in refused.json()["error"]) == (400, True)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"run": "nope"}, "Corpus claims has no run called nope. Its runs: a-run, b-run."),
        ({"run": "a-run", "beside": "nope"}, "Corpus claims has no run called nope. Its runs: a-run, b-run."),
        ({"run": "a-run", "beside": "a-run"}, "Run a-run stands beside itself: name another run, or leave one out."),
        ({"script": "nope"}, "No script is called nope: the corpus has Latn, Latn-plain."),
    ],
)
def test_what_nobody_knows_is_refused_in_the_same_words_on_the_board_and_in_its_exports(
    lead: Client, asked: dict[str, str], reason: str
) -> None:
    board, as_json = lead.get(BOARD, asked), lead.get(f"{BOARD}export", asked)
    assert (board.status_code, reason in words(board.content.decode())) == (400, True)
    assert (as_json.status_code, as_json.json()["error"]) == (400, reason)
    assert lead.get(f"{BOARD}export", {**asked, "format": "csv"}).json()["error"] == reason


def test_the_command_cuts_down_to_the_same_cells_as_the_page(lead: Client, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("coverage", "claims", "--run", "a-run", "--only", "script=Latn", "--json")
    assert json.loads(capsys.readouterr().out) == lead.get(f"{BOARD}export", {"run": "a-run", "script": "Latn"}).json()


def test_each_mean_says_how_much_of_the_lowest_locale_it_hides(lead: Client) -> None:
    told = words(page(lead))
    assert "Turkish counts 1 in 2, so its shortfall moves this by 0.36." in told
    assert "Turkish is 2.0 % of traffic: its shortfall moves this by 0.016." in told
    assert "Fails the floor by 0.45." in told


def test_what_to_write_next_leads_to_the_plan(lead: Client) -> None:
    assert '<a class="btn sm" href="/c/claims/plan/">Open the plan</a>' in page(lead)


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("share", ["English", "German", "Turkish"]),
        ("worst", ["Turkish", "English", "German"]),
        ("count", ["Turkish", "English", "German"]),
        ("name", ["German", "English", "Turkish"]),
        ("nonsense", ["English", "German", "Turkish"]),
    ],
)
def test_rows_sort_by_traffic_worst_count_and_name(lead: Client, sort: str, order: list[str]) -> None:
    assert re.findall(r'<th scope="row" class="loc">(\w+)', page(lead, sort=sort)) == order


def test_from_35_per_cent_a_locale_is_said_to_test_nobody(lead: Client, corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus, "de en Latn error_string distinctive")
    factories.judged_queries(stratum, 6)
    assert "warns" not in words(page(lead)), "6 of 18 are a third"
    factories.judged_queries(stratum, 1)
    told = words(page(lead))
    assert "German 7 of 19 36.8 % warns 36.8 % of the German population is not being tested." in told
    told = lead.get(f"{BOARD}export", {"run": "a-run"}).json()["error_strings"]
    assert [(each["locale"], each["errors"], each["n"], each["alarms"]) for each in told] == [
        ("de", 7, 19, True),
        ("tr", 100, 883, False),
        ("en", 0, 120, False),
    ]


def test_a_cell_tells_what_the_next_queries_buy(lead: Client) -> None:
    told = words(page(lead, cell="en,en"))
    assert "120 now 0.101 +10, 130 in all 0.097 +30, 150 in all 0.090 +280, 400 in all 0.054 At the same rate." in told
    thin = words(page(lead, cell="de,en"))
    assert "12 now 0.492" in thin, "the widest at 12, whatever was found"
    assert "At most: the score may not be read yet" in thin


def test_counts_over_time_are_those_of_the_months_they_were_judged_in(
    lead: Client, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curation.views.coverage.timezone.now", lambda: datetime(2026, 11, 20, tzinfo=UTC))
    english = Query.objects.filter(corpus=corpus, stratum__query_language="en").order_by("pk")
    for n, (place, month) in enumerate(((40, 3), (70, 8))):
        held = english.values("pk")[sum((40, 70)[:n]) : sum((40, 70)[:n]) + place]
        Query.objects.filter(pk__in=[row["pk"] for row in held]).update(judged_at=datetime(2026, month, 31, tzinfo=UTC))
    Query.objects.filter(pk__in=[each.pk for each in english[110:]]).update(judged_at=datetime(2026, 11, 1, tzinfo=UTC))
    growth = lead.get(BOARD, {"run": "a-run", "cell": "en,en"}).context["board"].split.growth
    told = {f"{month:%Y-%m}": count for month, _, count in growth.points}
    assert told["2026-03"] == told["2026-07"] == 40
    assert told["2026-08"] == told["2026-10"] == 110
    assert growth.counts[-1] == 120
    shown = page(lead, cell="en,en")
    assert "120 now, 128 with the plan" in shown
    links = re.findall(r'<a href="([^"]*judged_before=[^"]*)">(\d+)', shown.partition('id="progress"')[0])
    assert {int(count) for _, count in links} == {40, 110, 120}
    for href, count in links:
        assert lead.get(unescape(href)).context["page"].paginator.count == int(count), href


def test_with_the_plan_counts_what_stands_beyond_a_plan_and_without_one(lead: Client, corpus: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(corpus, "de en Latn question distinctive"), 7)
    factories.judged_queries(factories.a_stratum(corpus, "de en Latn navigational distinctive", planned=1), 3)
    [german] = [each for each in board_of(lead).progress if each.cell.dimensions == {"query_language": "de"}]
    # 12 of 20 planned, 7 without a plan, 3 where 1 was planned.
    assert (german.cell.n, german.with_plan) == (22, 30)
    assert "what counts beyond a plan or without one is in it" in page(lead)
    corpus.strata.filter(query_language="de").update(planned=3)
    assert all(each.with_plan is None for each in board_of(lead).progress if "de" in each.cell.dimensions.values())


LOCALES = ("bg", "da", "de", "el", "en", "es", "fr", "it", "tr")
COLUMN = re.compile(r'<th scope="col">([^<]*)</th>')


def test_a_board_of_many_languages_that_search_their_own_folds_these_into_one_column(
    lead: Client, corpus: Corpus
) -> None:
    corpus.strata.update(corpus_language="en")
    for locale in LOCALES:
        script = {"bg": "Cyrl", "el": "Grek"}.get(locale, "Latn")
        factories.a_stratum(corpus, f"{locale} {locale} {script} question near_duplicate", planned=7)
    matrix = page(lead).partition('id="matrix"')[2].partition("</table>")[0]
    assert COLUMN.findall(matrix) == ["The query's own", "English"]
    assert "Greek queries, Greek documents: 0 counted" in matrix, "the own cell is a cell"
    assert "in the first column" in words(matrix), "English x English stands under own alone"
    factories.a_stratum(corpus, "tr fr Latn question near_duplicate", planned=7)
    for locale in ("bg", "da", "es"):
        factories.a_stratum(corpus, f"de {locale} Latn question near_duplicate", planned=7)
    crossed = page(lead).partition('id="matrix"')[2].partition("</table>")[0]
    assert "own</th>" not in crossed, "most are searched from elsewhere, so each has its column"
    assert f'span="{len(LOCALES)}"' in crossed
