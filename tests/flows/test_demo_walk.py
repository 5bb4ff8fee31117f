"""The main job, end to end, on the demo corpus: written, judged, counted; mined, watched, reviewed."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import Page, expect

from curation import tasks
from curation.actions import jobs
from curation.models import Corpus, Job, Query, User

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SLOW = 90_000  # milliseconds that a job may take on a busy machine
TEXT = "kaptan yükü satıp gemiyi bilerek batırırsa sigorta öder mi?"
BARRATRY = "MC-KB-088"
Violations = Callable[[Page], list[str]]


@pytest.fixture
def people(loaded_demo: str) -> dict[str, User]:
    """The people of the demo, by role, in a demo that was just loaded."""
    Corpus.objects.update(double_judged=0)  # a new query has a random id: one in ten would wait for a second judge
    return {user.username.removeprefix("demo-"): user for user in User.objects.filter(username__startswith="demo-")}


@contextmanager
def a_worker() -> Iterator[None]:
    """Do the jobs that pages ask for, in a thread, as a worker would."""
    stop = threading.Event()
    thread = threading.Thread(target=_work, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _work(stop: threading.Event) -> None:
    try:
        while not stop.wait(0.2):
            jobs.sign(worker="a thread", now=timezone.now())
            for pk in list(Job.objects.filter(state=Job.State.QUEUED).values_list("pk", flat=True)):
                tasks.work_on(pk)
    finally:
        connection.close()


def shot(page: Page, name: str) -> None:
    """Keep a picture of the page where SCREENSHOTS names a folder."""
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{folder}/{name}.png")


def test_the_main_job_is_done_by_three_people(
    window: Callable[..., Page], sign_in: SignIn, violations: Violations, people: dict[str, User]
) -> None:
    writer, adjuster, lead = window(), window(), window()
    for page, role in ((writer, "writer"), (adjuster, "adjuster"), (lead, "lead")):
        sign_in(page, people[role])
    before = counted(lead)

    a_query_is_written(writer, violations)
    assert counted(lead) == before
    with a_worker():
        a_pool_is_drawn()
    it_is_judged(adjuster, violations)
    assert counted(lead) == before + 1
    assert violations(lead) == []

    a_run_is_watched_to_its_end(lead, violations)
    for accepted, family in enumerate(("near_duplicate", "rare_entity", "short_keyword"), 1):
        a_proposal_is_accepted(lead, family, violations)
        assert Query.objects.filter(proposal__status="accepted", status="ready").count() == accepted


def a_query_is_written(writer: Page, violations: Violations) -> None:
    """The writer goes from My work to the emptiest stratum's need, and types a Turkish wording of it."""
    writer.goto("/")
    writer.get_by_role("link", name="Write").first.wait_for()
    writer.keyboard.press("Enter")
    expect(writer.get_by_label("Write it as someone would type it in Turkish")).to_be_focused()
    writer.keyboard.type(TEXT)
    expect(writer.locator("#lands")).to_contain_text("0 → 1")
    shot(writer, "write")
    assert violations(writer) == []
    writer.keyboard.press("Enter")
    expect(writer.get_by_role("status").first).to_contain_text("Query saved")


def a_pool_is_drawn() -> None:
    """Wait until the query just written has its candidates."""
    for _ in range(SLOW // 100):
        if Query.objects.get(text=TEXT).pools.exists():
            return
        threading.Event().wait(0.1)
    pytest.fail("no pool was drawn")


def it_is_judged(adjuster: Page, violations: Violations) -> None:
    """The adjuster opens the next query, which fills the emptiest stratum, and grades its gold by keyboard."""
    adjuster.goto("/")
    adjuster.get_by_role("link", name="Judge").first.wait_for()
    adjuster.keyboard.press("Enter")
    expect(adjuster.get_by_role("heading", level=1)).to_have_text(TEXT)
    adjuster.wait_for_load_state("load")  # before it no key is read
    place = rows(adjuster).index(BARRATRY)
    for _ in range(place):
        adjuster.keyboard.press("j")
    adjuster.keyboard.press("3")
    expect(adjuster.locator("#save")).to_have_text("All marks saved")
    shot(adjuster, "judge")
    assert violations(adjuster) == []
    adjuster.keyboard.press("Enter")
    expect(adjuster.locator("#live")).to_contain_text("Finish again ends the query")
    adjuster.keyboard.press("Enter")
    expect(adjuster.get_by_role("heading", level=1)).not_to_have_text(TEXT)


def rows(adjuster: Page) -> list[str]:
    """The canonical ids of the candidates, as listed."""
    codes = adjuster.locator("[data-candidate] .code bdi, [data-candidate] small bdi").all_inner_texts()
    return [code.rpartition(".")[0] for code in codes]


def counted(lead: Page) -> int:
    """How many Turkish queries for English documents the board counts."""
    lead.goto("/c/claims/coverage/")
    cell = lead.get_by_role("link", name="Turkish queries, English documents")
    told = re.search(r": (\d+) counted", cell.get_attribute("aria-label") or "")
    assert told
    return int(told[1])


def a_run_is_watched_to_its_end(lead: Page, violations: Violations) -> None:
    """The lead mines one family again; its progress comes and goes without a reload."""
    lead.goto("/c/claims/mining/")
    lead.locator("#mine-near_duplicate").click()
    live = lead.get_by_role("region", name="Runs at work")
    expect(live).to_contain_text("Near-duplicate groups")
    shot(lead, "mining")
    assert violations(lead) == []
    with a_worker():
        expect(live).to_have_count(0, timeout=SLOW)
    expect(lead.locator("tr", has=lead.locator("#mine-near_duplicate"))).to_contain_text("In review")


def a_proposal_is_accepted(lead: Page, family: str, violations: Violations) -> None:
    """The lead accepts the first proposal of a family as it was drafted."""
    lead.goto(f"/c/claims/review/{family}/")
    shot(lead, f"review-{family}")
    assert violations(lead) == []
    lead.keyboard.press("a")
    expect(lead.get_by_role("status").first).to_contain_text("Accepted")
