"""Judging by keyboard in a real browser, on the server that `up` starts, with 1,000 pools drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django import DjangoDbBlocker

from curation.models import User
from judging.management.benches import stage
from judging.management.benches.clients import Load
from judging.management.benches.judging import judged
from judging.management.benches.serving import HOST, own_database, serving
from judging.models import Assignment, Judgment, JudgmentEvent
from judging.reports.pool_page import shown_order

from .conftest import Record
from .port import Port, port_before

QUERIES, POOLS, MARKS = 20, 1000, 9
KEYS = 60  # a query
BARS = {"painted": 50, "acknowledged": 300, "next": 200}  # p95 in ms
FIRST, AFTER = 120, 25  # KB over the wire
STEADY = 120  # ms between two keys
AHEAD = 30
OFFLINE, CUTS, CUT = 120, 10, 60  # seconds offline; disconnects, and the seconds of each
OTHERS, BEFORE = range(4, 10), 5  # judges who have judged for some seconds: each of the server's programs is at work
BACK = 15  # seconds after which all that waited is stored
WATCHED = "JSON.parse(sessionStorage.getItem('watched'))"
WATCHING = (Path(__file__).parent / "watching.js").read_text(encoding="utf-8")


class Desk(NamedTuple):
    """A judge's window, the port between it and the server, and what the network brought it."""

    page: Page
    port: Port
    brought: list[float]

    @property
    def assignment(self) -> Assignment:
        key = int(self.page.locator("#judge").get_attribute("data-assignment") or 0)
        return Assignment.objects.select_related("pool").get(pk=key)

    def taken(self) -> float:
        """KB since it was asked last."""
        total = sum(self.brought) / 1024
        self.brought.clear()
        return total

    def watched(self) -> dict[str, Any]:
        kept: dict[str, Any] = self.page.evaluate(WATCHED)
        return kept


@pytest.fixture(scope="module")
def port(django_db_blocker: DjangoDbBlocker) -> Iterator[Port]:
    with django_db_blocker.unblock(), own_database() as environment:
        stage.plant(pools=POOLS, judges=OTHERS.stop)
        with serving(environment) as served, port_before(served.port) as port:
            names = [f"judge-{number}" for number in OTHERS]
            logs = judged(Load(HOST, served.port, stage.SLUG, names, stage.PASSWORD, BEFORE))
            assert not [fault for log in logs for fault in log.errors]
            yield port


@pytest.fixture
def desk(port: Port, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A cold browser of a judge of its own, signed in, before its first page."""
    client = Client()
    client.force_login(User.objects.get(username=f"judge-{request.param}"))
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": port.url}])
    context.add_init_script(WATCHING)
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    brought: list[float] = []
    network.on("Network.loadingFinished", lambda told: brought.append(told["encodedDataLength"]))
    yield Desk(page, port, brought)
    context.close()


def opened(desk: Desk) -> None:
    desk.page.goto(f"{desk.port.url}/c/{stage.SLUG}/judge/")
    saved(desk)


def saved(desk: Desk) -> None:
    expect(desk.page.locator("#save")).to_have_text("All marks saved")


def press(desk: Desk, key: str) -> None:
    desk.page.keyboard.press(key)
    desk.page.wait_for_timeout(STEADY)


def judge(desk: Desk) -> dict[int, int]:
    """Walk down the list, mark some rows, finish; what was marked, by candidate."""
    order, given = shown_order(desk.assignment), {}
    for place, candidate in enumerate(order):
        if place:
            press(desk, "j")
        if place % (len(order) // MARKS + 1) == 0:
            given[candidate.pk] = 3 - place % 4
            press(desk, str(given[candidate.pk]))
    expect(desk.page.locator("#on-screen b")).to_have_text(str(len(order)))
    return given


def leave(desk: Desk) -> None:
    """Finish, and ask nothing of the page before it has painted the next query: whatever is asked keeps it busy."""
    before = len(desk.watched()["next"])
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_function(f"before => {WATCHED}.next.length > before", arg=before)
    saved(desk)


def p95(times: list[float]) -> float:
    return quantiles(times, n=20, method="inclusive")[-1]


@pytest.mark.parametrize("desk", [0], indirect=True)
def test_twenty_queries_of_fifty_candidates_are_judged_by_keyboard(desk: Desk, record: Record) -> None:
    opened(desk)
    first, after, keys = desk.taken(), [], []
    given: dict[int, int] = {}
    for _ in range(QUERIES):
        assert desk.assignment.pool.candidates.count() == stage.DEPTH
        pressed = desk.watched()["keys"]
        given |= judge(desk)
        saved(desk)
        desk.taken()
        leave(desk)
        after.append(desk.taken())
        keys.append(desk.watched()["keys"] - pressed)
    watched = desk.watched()
    stored = dict(
        Judgment.objects.filter(state="graded", assessor__username="judge-0").values_list("candidate", "grade")
    )
    assert stored == given
    assert Assignment.objects.filter(finished_at__isnull=False, assessor__username="judge-0").count() == QUERIES
    assert max(keys) <= KEYS
    assert (len(watched["painted"]), len(watched["acknowledged"])) == (len(given), len(given))
    assert len(watched["next"]) == QUERIES
    times = {name: p95(watched[name]) for name in BARS}
    late = {name: times[name] for name, bar in BARS.items() if times[name] > bar}
    assert (late, first <= FIRST, max(after) <= AFTER) == ({}, True, True), (times, first, after)
    record(
        "Judging by keyboard",
        ["what", "figure", "bar"],
        [
            ["queries of 50 candidates judged, with 1,000 pools drawn", QUERIES, QUERIES],
            ["keys a query, at most", max(keys), KEYS],
            ["key → painted mark, p95", f"{times['painted']:.0f} ms", f"{BARS['painted']} ms"],
            ["key → acknowledged mark, p95", f"{times['acknowledged']:.0f} ms", f"{BARS['acknowledged']} ms"],
            ["finish → next query readable, p95", f"{times['next']:.0f} ms", f"{BARS['next']} ms"],
            ["first visit, over the wire", f"{first:.0f} KB", f"{FIRST} KB"],
            ["each query after it, at most", f"{max(after):.0f} KB", f"{AFTER} KB"],
        ],
    )


@pytest.mark.parametrize("desk", [1], indirect=True)
def test_of_thirty_marks_typed_ahead_thirty_stand_on_the_right_candidate(desk: Desk, record: Record) -> None:
    opened(desk)
    order = shown_order(desk.assignment)[:AHEAD]
    wanted = {candidate.pk: place % 4 for place, candidate in enumerate(order)}
    for grade in wanted.values():
        press(desk, str(grade))
        desk.page.keyboard.press("j")
    saved(desk)
    stored = dict(Judgment.objects.filter(assessor__username="judge-1").values_list("candidate", "grade"))
    right = sum(stored.get(key) == grade for key, grade in wanted.items())
    record("Keys typed ahead", ["keys at 120 ms", "stored on the right candidate"], [[AHEAD, right]])
    assert stored == wanted


@pytest.mark.parametrize("desk", [2], indirect=True)
def test_c07_five_marks_of_two_minutes_offline_arrive_once_and_in_order(desk: Desk, record: Record) -> None:
    opened(desk)
    order = shown_order(desk.assignment)[:5]
    desk.port.block()
    for grade in "12301":
        press(desk, grade)
        press(desk, "j")
    expect(desk.page.locator("#save")).to_have_text("5 unsaved")
    desk.page.wait_for_timeout(OFFLINE * 1000)
    expect(desk.page.locator("#save")).to_have_text("5 unsaved")
    assert desk.page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    desk.port.open()
    expect(desk.page.locator("#save")).to_have_text("All marks saved", timeout=BACK * 1000)
    desk.page.reload()
    expect(desk.page.locator("#finish")).to_contain_text("Finish: 5 marked")
    events = JudgmentEvent.objects.filter(judgment__assessor__username="judge-2").order_by("pk")
    stored = list(events.values_list("judgment__candidate", "grade"))
    record(
        "Two minutes behind a blocked port",
        ["marks made", "stored", "stored twice"],
        [[5, len(stored), len(stored) - len(set(stored))]],
    )
    assert stored == list(zip((one.pk for one in order), (1, 2, 3, 0, 1), strict=True))


@pytest.mark.parametrize("desk", [3], indirect=True)
def test_ten_disconnects_of_a_minute_lose_no_mark(desk: Desk, record: Record) -> None:
    """Three marks before each cut, so that some are on their way; two during it."""
    opened(desk)
    order = shown_order(desk.assignment)
    wanted = {candidate.pk: place % 4 for place, candidate in enumerate(order[: CUTS * 5])}
    for place, grade in enumerate(wanted.values()):
        if place % 5 == 3:
            desk.port.block()
        press(desk, str(grade))
        desk.page.keyboard.press("j")
        if place % 5 == 4:
            desk.page.wait_for_timeout(CUT * 1000)
            desk.port.open()
            desk.page.locator("#try-now").dispatch_event("click")
    saved(desk)
    events = JudgmentEvent.objects.filter(judgment__assessor__username="judge-3").order_by("pk")
    stored = list(events.values_list("judgment__candidate", "grade"))
    lost, twice = len(set(wanted.items()) - set(stored)), len(stored) - len(set(stored))
    record("Ten disconnects of a minute", ["marks made", "lost", "stored twice"], [[len(wanted), lost, twice]])
    assert stored == list(wanted.items())
