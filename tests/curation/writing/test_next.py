"""What to write next: the same figures on Coverage, on the command line and in the JSON; people, hours and pace."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from curation.models import BookedHours, Corpus, Query, Role, User, WritingAssignment
from tests import factories
from tests.bringing import run
from tests.judging.home import cast

pytestmark = pytest.mark.django_db

COVERAGE, PLAN, QUERIES = "/c/claims/coverage/", "/c/claims/plan/", "/c/claims/queries/"
NOON = datetime(2026, 7, 14, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def noon() -> Any:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def told(*words: str) -> dict[str, Any]:
    out = StringIO()
    call_command("plan", "claims", *words, "--json", stdout=out)
    return dict(json.loads(out.getvalue()))


def page(client: Client, address: str = COVERAGE) -> str:
    return " ".join(client.get(address).content.decode().split())


def words(text: str) -> str:
    """What a reader sees, white space as one space."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def post(client: Client, address: str, **fields: Any) -> str:
    return " ".join(client.post(address, fields, follow=True).content.decode().split())


@pytest.fixture
def thin(corpus: Corpus) -> Corpus:
    """120 English queries, 36 Thai ones of 100 planned; two locales, 98 and 2 % of the traffic."""
    factories.judged_queries(factories.a_stratum(corpus, "en en Latn question distinctive", planned=120), 120)
    factories.judged_queries(factories.a_stratum(corpus, "th en Thai question distinctive", planned=100), 36)
    factories.some_traffic(corpus, en=0.98, th=0.02)
    return corpus


@pytest.fixture
def siriporn(thin: Corpus) -> User:
    return factories.member(thin, factories.person("siriporn"), Role.WRITER, languages=["th"])


def test_page_command_and_json_tell_the_same_step(lead: Client, thin: Corpus, siriporn: User) -> None:
    [step] = told()["next"]["steps"]
    # 64 to write: 3 h 12 min, judged in 1 h 55 min; then 100 of 220 queries at 2 % of the traffic.
    assert (step["query_language"], step["n"], step["to_write"]) == ("th", 36, 64)
    assert (step["writing_seconds"], step["judging_seconds"]) == (11_520, 6_912)
    assert step["oversample"] == pytest.approx(100 / 220 / 0.02)
    assert (step["why"], step["writers"]) == ("Locale not readable", ["Siriporn"])
    row = page(lead).partition("What to write next</h2>")[2]
    for shown in ("Thai × English", "+64", "3:12", "1:55", "22.7×", "Locale not readable", "<bdi>Siriporn</bdi>"):
        assert shown in row
    assert "5:07 h, 0.6 person-days of 8 h. No hours are booked this month." in row
    out = StringIO()
    call_command("plan", "claims", stdout=out)
    assert out.getvalue().splitlines() == [
        "Cheapest path to make every planned locale readable at 100. Writing at 3:00, judging 50 candidates at 1:48"
        " a query. Booked this month 0:00 h.",
        "th × en: 36, +64, 3:12 h writing, 1:55 h judging, 22.7×. Locale not readable. Siriporn",
        "Total: +64, 3:12 h writing, 1:55 h judging. 5:07 h, 0.6 person-days of 8 h. No hours are booked this month."
        " Too early to tell when it is done: 0 written at the desk and 0 judged by people in four weeks, and a pace"
        " takes 30 of what is left to do.",
    ]


def test_a_locale_without_a_writer_leads_to_people(lead: Client, thin: Corpus) -> None:
    assert '<a href="/c/claims/people/?language=th#invite">Find a writer' in page(lead)
    assert "Assign it" not in page(lead)


def test_a_corpus_without_a_plan_says_so_and_leads_to_it(lead: Client, thin: Corpus) -> None:
    thin.strata.update(planned=0)
    told_next = page(lead).partition("What to write next</h2>")[2]
    assert "Nothing is planned yet" in told_next
    assert '<a class="btn" href="/c/claims/plan/">Plan a stratum</a>' in told_next
    assert "Every planned locale is readable" not in told_next
    home = lead.get("/c/claims/").content.decode()
    assert "Nothing is planned yet" in home
    assert "Every planned cell is at its plan" not in home
    out = StringIO()
    call_command("plan", "claims", stdout=out)
    assert out.getvalue() == "Nothing is planned yet. Plan strata on the page Plan, or with import_plan.\n"


def test_at_another_target_the_path_is_another(lead: Client, thin: Corpus) -> None:
    assert "Every planned locale is readable" in page(lead, f"{COVERAGE}?use=screen")
    assert told("--use", "screen")["next"]["steps"] == []
    out = StringIO()
    call_command("plan", "claims", "--use", "screen", stdout=out)
    assert out.getvalue() == "Every planned locale is readable at 30.\n"
    steps = told("--use", "compare")["next"]["steps"]
    assert [(step["query_language"], step["to_write"], step["over_plan"]) for step in steps] == [
        ("en", 280, 280),
        ("th", 364, 300),
    ]
    assert "280 more than" in page(lead, f"{COVERAGE}?use=compare")


def test_the_run_that_is_read_tells_which_cell_is_split(lead: Client, corpus: Corpus) -> None:
    plain = factories.judged_queries(factories.a_stratum(corpus, "tr en Latn-plain question distinctive"), 118)
    factories.a_stratum(corpus, "tr en Latn question distinctive", planned=100)
    factories.a_run(corpus, plain[:11], plain[11:], name="a-run")
    assert "Splits the worst cell by script" in page(lead, f"{COVERAGE}?run=a-run")
    [step] = told("--run", "a-run")["next"]["steps"]
    assert (step["script"], step["to_write"], step["why"]) == ("Latn", 100, "Splits the worst cell by script")


def test_an_unknown_run_or_corpus_is_refused(thin: Corpus) -> None:
    for words in (["claims", "--run", "none"], ["nowhere"]):
        with pytest.raises(CommandError) as refusal:
            call_command("plan", *words)
        assert refusal.value.returncode == 2


def test_assigning_all_asks_the_writer_once_and_both_pages_tell(
    client: Client, lead: Client, thin: Corpus, siriporn: User, lena: User
) -> None:
    assert "Assign it" in page(lead)
    assert "64 queries are assigned to 1 person." in post(lead, f"{PLAN}assign/all/", use="gate", run="")
    assert "Nothing more was to be assigned." in post(lead, f"{PLAN}assign/all/", use="gate", run="")
    [made] = WritingAssignment.objects.all()
    assert (made.person, made.count, made.assigned_by, made.assigned_at) == (siriporn, 64, lena, NOON)
    [where] = re.findall(r'<a href="([^"]*)">64 assigned', page(lead))
    assert unescape(where) == f"{PLAN}?query_language=th&corpus_language=en#assigned"
    behind = lead.get(unescape(where)).context
    assert ([each.left for each, _ in behind["assigned"]], behind["left"]) == ([64], 64)
    assert lead.get(f"{PLAN}?query_language=en").context["assigned"] == []
    assert "0 of 64" in page(lead, PLAN)
    assert told()["assigned"] == [{"stratum": made.stratum_id, "person": "Siriporn", "count": 64, "written": 0}]
    client.force_login(siriporn)
    assert "Assigned to you" in page(client, "/c/claims/")


@pytest.mark.parametrize(("by_hand", "added"), [(6, 58), (500, 0)])
def test_assigning_all_adds_what_is_lacking_beside_what_is_assigned_in_the_cell(
    lead: Client, thin: Corpus, siriporn: User, *, by_hand: int, added: int
) -> None:
    small = factories.a_stratum(thin, "th en Thai navigational distinctive", planned=4)
    remark = f"The plan of 4 lacks 4 there, and people are asked for {by_hand}:"
    assert remark in post(lead, f"{PLAN}assign/", stratum=small.pk, person=siriporn.pk, count=by_hand)
    assert ("Assign it" in page(lead)) == bool(added)
    post(lead, f"{PLAN}assign/all/", use="gate", run="")
    assert sum(WritingAssignment.objects.values_list("count", flat=True)) == by_hand + added
    large = thin.strata.get(query_language="th", query_type="question")
    assert "people are asked for" not in post(lead, f"{PLAN}assign/", stratum=large.pk, person=siriporn.pk, count=1)


def test_the_command_tells_what_waits_what_is_over_plan_and_what_is_assigned_as_the_page_does(
    lead: Client, thin: Corpus, siriporn: User
) -> None:
    stratum = thin.strata.get(query_language="th")
    post(lead, f"{PLAN}assign/", stratum=stratum.pk, person=siriporn.pk, count=14)
    post(lead, f"{PLAN}hours/", month="2026-07", **{f"hours-{siriporn.pk}": "1.5"})
    for _ in range(65):
        factories.a_query(stratum)
    waits = "64 of 65 that wait to be judged"
    board = page(lead)
    assert waits in words(board)
    [where] = re.findall(r'href="([^"]*)">65 that wait to be judged', board)
    assert lead.get(unescape(where)).context["page"].paginator.count == 65
    assert f": 36, +0 ({waits}), 0:00 h writing" in run("plan", "claims")[1]
    factories.judged_queries(stratum, 1)
    shown, printed = page(lead, f"{COVERAGE}?use=compare"), run("plan", "claims", "--use", "compare")[1]
    for said in ("65 wait to be judged", "14 assigned", "More than the booked hours."):
        assert said in shown
        assert said in printed
    assert 'Booked this month</span> <a href="/c/claims/plan/hours/"><b>1:30 h</b>' in shown
    assert "Booked this month 1:30 h." in printed
    assert "+298 (65 wait to be judged, 298 more than planned)" in printed


def test_what_is_written_of_an_assignment_is_counted_and_withdrawing_keeps_it(
    lead: Client, thin: Corpus, siriporn: User
) -> None:
    stratum = thin.strata.get(query_language="th")
    with time_machine.travel(NOON.replace(hour=11), tick=False):
        factories.a_query(stratum, author=siriporn)
    post(lead, f"{PLAN}assign/", stratum=stratum.pk, person=siriporn.pk, count=10)
    with time_machine.travel(NOON.replace(hour=13), tick=False):
        factories.a_query(stratum, author=siriporn)
        factories.a_query(stratum, author=siriporn, status="retired", retired_reason="asked twice")
        factories.a_query(stratum)
    assert "1 of 10 9" in words(page(lead, PLAN))
    assert "Withdrawn from Siriporn" in post(lead, f"{PLAN}assign/{WritingAssignment.objects.get().pk}/withdraw/")
    assert (told()["assigned"], Query.objects.filter(author=siriporn).count()) == ([], 3)


def test_who_is_asked_twice_for_a_stratum_owes_the_sum_and_each_count_opens_its_queries(
    client: Client, lead: Client, thin: Corpus, siriporn: User, lena: User
) -> None:
    stratum = thin.strata.get(query_language="th")
    asked = {"stratum": stratum, "person": siriporn, "count": 2, "assigned_by": lena}
    for hour in (12, 14):
        WritingAssignment.objects.create(**asked, assigned_at=NOON.replace(hour=hour))
        with time_machine.travel(NOON.replace(hour=hour + 1), tick=False):
            factories.a_query(stratum, author=siriporn)
    assert [each["written"] for each in told()["assigned"]] == [2, 0]
    client.force_login(siriporn)
    assert "0 of 2" in page(client, "/c/claims/")
    with time_machine.travel(NOON.replace(hour=16), tick=False):
        for _ in range(3):
            factories.a_query(stratum, author=siriporn)
    assert [each["written"] for each in told()["assigned"]] == [2, 3]
    older, newer = (
        [query.pk for query in client.get(QUERIES, {"written_for": each.pk}).context["page"].object_list]
        for each in WritingAssignment.objects.order_by("assigned_at")
    )
    wrote = list(Query.objects.filter(author=siriporn).order_by("created_at", "pk").values_list("pk", flat=True))
    assert (sorted(older), sorted(newer)) == (wrote[:2], wrote[2:])
    client.force_login(lena)
    links = re.findall(r'href="([^"]*written_for=[^"]*)"[^>]*>(\d+)</a>', page(lead, PLAN))
    assert {count: lead.get(href).context["page"].paginator.count for href, count in links} == {"2": 2, "3": 3}


def test_nobody_is_asked_for_a_language_they_do_not_write(lead: Client, thin: Corpus, siriporn: User) -> None:
    english = thin.strata.get(query_language="en")
    answer = post(lead, f"{PLAN}assign/", stratum=english.pk, person=siriporn.pk, count=3)
    assert "Siriporn does not write English here. Give them the language under People first." in answer
    assert "Select a valid choice" in post(lead, f"{PLAN}assign/", stratum=english.pk, person=9**9, count=3)
    assert not WritingAssignment.objects.exists()


def test_an_assignment_of_another_corpus_is_neither_told_nor_withdrawn(
    lead: Client, thin: Corpus, siriporn: User, lena: User
) -> None:
    others = factories.a_corpus("others")
    factories.member(others, siriporn, Role.WRITER, languages=["th"])
    stratum = factories.a_stratum(others, "th en Thai question distinctive", planned=100)
    given = {"person": siriporn, "count": 5, "assigned_by": lena, "assigned_at": NOON}
    foreign = WritingAssignment.objects.create(stratum=stratum, **given)
    assert lead.post(f"{PLAN}assign/{foreign.pk}/withdraw/").status_code == 404
    assert told()["assigned"] == []


def test_the_writer_with_least_left_to_write_is_asked(lead: Client, thin: Corpus, siriporn: User) -> None:
    anong = factories.member(thin, factories.person("anong"), Role.WRITER, languages=["th", "en"])
    english = thin.strata.get(query_language="en")
    post(lead, f"{PLAN}assign/", stratum=english.pk, person=anong.pk, count=3)
    post(lead, f"{PLAN}assign/all/", use="gate", run="")
    assert WritingAssignment.objects.get(count=64).person == siriporn


def test_the_desk_takes_assigned_strata_first_and_the_emptiest_of_them(
    client: Client, lead: Client, thin: Corpus, siriporn: User
) -> None:
    factories.a_stratum(thin, "th en Thai navigational distinctive", planned=100)
    client.force_login(siriporn)
    assert "Thai × English, Thai, navigational" in page(client, "/c/claims/")
    asked = thin.strata.get(query_language="th", query_type="question")
    client.force_login(thin.memberships.get(role="lead").user)
    post(client, f"{PLAN}assign/", stratum=asked.pk, person=siriporn.pk, count=1)
    client.force_login(siriporn)
    assert "Thai × English, Thai, question, distinctive: " in page(client, "/c/claims/")
    factories.a_query(asked, author=siriporn)
    assert "Thai × English, Thai, navigational, distinctive: " in page(client, "/c/claims/")


def test_booked_hours_of_the_month_say_whether_the_path_fits(lead: Client, thin: Corpus, siriporn: User) -> None:
    def book(hours: str, month: str = "2026-07") -> str:
        return post(lead, f"{PLAN}hours/", month=month, **{f"hours-{siriporn.pk}": hours})

    assert "Hours of July 2026 are booked." in book("5.2")
    assert "Fits in the booked hours." in page(lead)
    book("5")
    assert "More than the booked hours." in page(lead)
    assert (told()["next"]["booked_hours"], told()["next"]["fits"]) == (5.0, False)
    book("90", "2026-08")
    assert told()["next"]["booked_hours"] == 5.0
    assert 'value="90"' in page(lead, f"{PLAN}hours/?month=2026-08")
    book("0")
    assert [str(booked.month) for booked in BookedHours.objects.all()] == ["2026-08-01"]


@pytest.mark.parametrize(
    ("hours", "month", "words"),
    [
        ("lots", "2026-07", "is no number of hours"),
        ("-1", "2026-07", "Book between 0.1 and 744 hours a month, or 0 for none."),
        ("nan", "2026-07", "Book between 0.1 and 744 hours a month, or 0 for none."),
        ("1e-9", "2026-07", "Book between 0.1 and 744 hours a month, or 0 for none."),
        ("5", "2025-06", "June 2025 is too far away: book a month up to a year back and up to two years ahead."),
        ("5", "2028-08", "August 2028 is too far away"),
        ("5", "2026-13", "Write the month as 2026-07."),
    ],
)
def test_hours_that_cannot_be_are_refused(lead: Client, siriporn: User, hours: str, month: str, words: str) -> None:
    assert words in post(lead, f"{PLAN}hours/", month=month, **{f"hours-{siriporn.pk}": hours})
    assert not BookedHours.objects.exists()


def test_a_month_that_is_none_is_said_to_be_none(lead: Client, thin: Corpus) -> None:
    answer = lead.get(f"{PLAN}hours/?month=2026-13")
    assert answer.status_code == 422
    assert "Write the month as 2026-07." in answer.content.decode()
    assert "in July 2026." in answer.content.decode()


def test_hours_are_booked_for_members_alone(lead: Client, thin: Corpus) -> None:
    stranger = factories.charlie()
    answer = post(lead, f"{PLAN}hours/", month="2026-07", **{f"hours-{stranger.pk}": "5"})
    assert "have no role in this corpus any more" in answer


def test_the_path_ends_when_all_is_written_and_judged_at_the_pace_of_four_weeks(
    lead: Client, thin: Corpus, siriporn: User
) -> None:
    assert told()["next"]["done_on"] is None
    marek, stratum = factories.marek(thin), thin.strata.get(query_language="en")
    for _ in range(40):  # as files of queries and grades bring them
        factories.a_query(stratum, author=siriporn, origin="imported", status="judged", judged_at=NOON)
    factories.a_query(stratum, author=siriporn, origin="variant", status="retired", retired_reason="a key, no writing")
    factories.a_query(stratum, author=siriporn, origin="written", status="retired", retired_reason="taken back")
    with time_machine.travel(NOON.replace(month=5), tick=False):
        factories.a_query(stratum, author=siriporn, origin="written")
    for number in range(32):
        query = factories.a_query(stratum, author=siriporn, origin="written", judged_at=NOON)
        if number < 29:
            cast.finished(marek, query, seconds=100)
    early = "32 written at the desk and 29 judged by people in four weeks, and a pace takes 30 of what is left to do."
    assert (told()["next"]["done_on"], told()["next"]["pace"]["judged"]) == (None, 29)
    assert f"Too early to tell when it is done: {early}" in page(lead)
    assert f"Too early to tell when it is done: {early}" in run("plan", "claims")[1]
    cast.finished(marek, query, seconds=100)
    # 64 at 32 written in four weeks take 8 weeks, 64 at 30 judged take 8.5: 60 days.
    assert told()["next"]["pace"] == {"weeks": 4, "written": 32, "judged": 30, "enough": 30}
    assert told()["next"]["done_on"] == "2026-09-12"
    at = "At 32 written at the desk and 30 judged by people in four weeks, done by 12 Sep 2026."
    assert at in page(lead)


def test_a_median_of_thirty_judged_queries_stands_in_for_the_planning_figure(lead: Client, thin: Corpus) -> None:
    marek, stratum = factories.marek(thin), factories.a_stratum(thin, "en en Latn navigational keyword")
    for number in range(29):
        cast.finished(marek, factories.a_query(stratum), seconds=60 + number)
    assert told()["next"]["rates"]["exact50"] == {"seconds": 108, "measured": 0}
    cast.finished(marek, factories.a_query(stratum), seconds=500)
    assert told()["next"]["rates"]["exact50"] == {"seconds": 74.5, "measured": 30}
    [step] = told()["next"]["steps"]
    assert step["judging_seconds"] == 64 * 74.5
    assert "(median of 30 measured)" in page(lead)


def test_a_median_of_thirty_written_queries_stands_in_for_the_planning_figure(lead: Client, thin: Corpus) -> None:
    stratum = factories.a_stratum(thin, "en en Latn navigational keyword")
    for number in range(29):
        factories.a_query(stratum, origin="written", metadata={"seconds": 100 + number})
    factories.a_query(stratum, origin="imported", metadata={"seconds": 900})
    taken_back = {"status": "retired", "retired_reason": "taken back"}
    factories.a_query(stratum, origin="written", metadata={"seconds": 900}, **taken_back)
    assert told()["next"]["rates"]["writing"] == {"seconds": 180, "measured": 0}
    factories.a_query(stratum, origin="written", metadata={"seconds": 900})
    assert told()["next"]["rates"]["writing"] == {"seconds": 114.5, "measured": 30}
    assert "Writing at 1:54 (median of 30 measured)" in page(lead)


def test_the_plan_of_fourteen_locales_takes_28_person_days_and_7_a_quarter(lead: Client, corpus: Corpus) -> None:
    locales = ["de", "fr", "ja", "es", "tr", "it", "nl", "pl", "ar", "pt", "th", "et", "sv", "da"]
    for locale in locales:
        key = f"{locale} en Latn question distinctive"
        factories.a_stratum(corpus, key, planned=120, pool_kind="pooled10")
    cost = told()["cost"]
    assert cost["locales"]["tr"] == {"writing_seconds": 6 * 3600, "judging_seconds": 8 * 3600, "person_days": 2}
    assert (cost["person_days"], cost["refresh_days_a_quarter"]) == (28, 7.0)
    shown = page(lead, PLAN)
    assert "84:00 h of writing and 112:00 h of judging: 196:00 h, 24.5 person-days of 8 h, or 28 whole days" in shown
    assert "Keeping 14 locales fresh takes 7 person-days a quarter." in shown


def test_weights_of_the_json_give_the_headline_of_the_board_back(thin: Corpus) -> None:
    extra = factories.judged_queries(thin.strata.get(query_language="th"), 84)
    english = list(Query.objects.filter(stratum__query_language="en"))
    thai = list(Query.objects.filter(stratum__query_language="th"))
    assert len(thai) == 36 + len(extra)
    factories.a_run(thin, english[:108] + thai[:18], english[108:] + thai[18:], name="a-run")
    weights = told("--run", "a-run")["weights"]
    out = StringIO()
    call_command("coverage", "claims", "--run", "a-run", "--by", "query_language", "--json", stdout=out)
    board = json.loads(out.getvalue())
    weighed = [(cell["n"] * weights[cell["query_language"]], cell["score"]) for cell in board["cells"]]
    mean = sum(weight * score for weight, score in weighed) / sum(weight for weight, _ in weighed)
    assert mean == pytest.approx(board["headline"]["weighted"])
    assert mean == pytest.approx(0.98 * 108 / 120 + 0.02 * 18 / 120)


def test_export_and_command_hold_the_same_plan(lead: Client, thin: Corpus) -> None:
    assert lead.get(f"{PLAN}export?format=json").json() == told()
    out = StringIO()
    call_command("plan", "claims", "--csv", stdout=out)
    assert lead.get(f"{PLAN}export?format=csv").content.decode() == out.getvalue()


@pytest.mark.parametrize(("address", "most"), [(COVERAGE, 10), (PLAN, 12)])
def test_many_strata_people_and_assignments_cost_no_more_queries(
    lead: Client,
    thin: Corpus,
    siriporn: User,
    address: str,
    most: int,
    django_assert_max_num_queries: Callable[[int], Any],
) -> None:
    for kind in ("question", "navigational", "error_string"):
        for locale in ("th", "ja", "de"):
            factories.a_stratum(thin, f"{locale} en Latn {kind} keyword", planned=50)
    for number in range(4):
        person = factories.person(f"p{number}")
        factories.member(thin, factories.member(thin, person, Role.ADJUSTER), Role.WRITER, languages=["th", "ja"])
    post(lead, f"{PLAN}assign/all/", use="gate", run="")
    assert WritingAssignment.objects.count() > 3
    with django_assert_max_num_queries(most):
        lead.get(address)
