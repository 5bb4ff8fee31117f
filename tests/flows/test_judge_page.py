"""Judging by keyboard in a real browser: grade, undo, finish, the next query; offline; without script; axe."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from unittest.mock import ANY

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from curation.models import Corpus, Document, DocumentText, Membership, Qrel, Query, Role, User
from judging.models import Assignment, Candidate, Judgment, JudgmentEvent
from tests import factories
from tests.judging import stage

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Window = Callable[..., Page]
Violations = Callable[[Page], list[str]]


@pytest.fixture
def corpus() -> Corpus:
    return stage.a_judged_corpus(8, queries=2)


@pytest.fixture
def marek(corpus: Corpus) -> User:
    return corpus.memberships.get(role=Role.ADJUSTER).user


@pytest.fixture
def judge(page: Page, sign_in: SignIn, marek: User) -> Page:
    sign_in(page, marek)
    return opened(page)


def opened(page: Page) -> Page:
    page.goto("/c/claims/judge/")
    expect(page.locator("#save")).to_have_text("All marks saved")
    return page


def saved(page: Page) -> None:
    expect(page.locator("#save")).to_have_text("All marks saved")


def seen(page: Page, count: int) -> None:
    expect(page.locator("#on-screen b")).to_have_text(str(count))


def try_now(page: Page) -> None:
    """Press the button, also where the page has tried again by itself meanwhile and hidden it."""
    page.locator("#try-now").dispatch_event("click")


def grades() -> dict[str, int | None]:
    """Each document's grade, in the order of the list: the one marked first is the closest."""
    graded = Judgment.objects.filter(state="graded").order_by("candidate__exact_rank")
    return dict(graded.values_list("document__external_id", "grade"))


def test_a_query_is_judged_by_keyboard_alone_and_the_next_one_opens(judge: Page) -> None:
    first = judge.url
    seen(judge, 8)
    for key in ("3", "j", "2", "j", "c", "j", "1", "u"):
        judge.keyboard.press(key)
    expect(judge.locator("#live")).to_have_text("d004: 1 is taken back, no mark stands.")
    judge.keyboard.press("k")
    judge.keyboard.press("0")
    expect(judge.locator("#live")).to_be_empty(timeout=3000)
    expect(judge.locator("#finish")).to_contain_text("Finish: 3 marked, 5 not relevant")
    judge.keyboard.press("Enter")
    judge.wait_for_url(lambda url: url != first)
    assert grades() == {"d001": 3, "d002": 2, "d003": 0}
    assert Qrel.objects.count() == 8
    assert dict(Qrel.objects.values_list("canonical_id", "swept"))["d005"] is True
    on_screen = dict(Judgment.objects.filter(state="swept").values_list("document__external_id", "screen_ms"))
    assert len(on_screen) == 5
    assert all(ms is not None and 400 < ms < 60_000 for ms in on_screen.values())
    assert Query.objects.filter(status="judged").count() == 1
    expect(judge.locator("#live")).to_contain_text("finished.")
    expect(judge.locator(".told .note:visible")).to_have_count(0)


def test_undo_goes_across_queries_and_finishing_again_replaces_what_was_settled(judge: Page) -> None:
    first = judge.url
    seen(judge, 8)
    judge.keyboard.press("3")
    judge.keyboard.press("Enter")
    judge.wait_for_url(lambda url: url != first)
    saved(judge)
    judge.keyboard.press("u")
    judge.wait_for_url(first)
    expect(judge.locator(".told")).to_contain_text("You finished this query before")
    expect(judge.locator("#live")).to_contain_text("which you finished, is open again.")
    seen(judge, 8)
    judge.keyboard.press("2")
    judge.keyboard.press("Enter")
    judge.wait_for_url(lambda url: url != first)
    expect(judge.locator("#live")).not_to_contain_text("is open again", timeout=3000)
    assert Qrel.objects.get(canonical_id="d001").grade == 2


def test_enter_with_rows_unseen_stops_once_and_stores_them_as_not_seen(
    window: Window, sign_in: SignIn, marek: User
) -> None:
    page = window(viewport={"width": 1440, "height": 420})
    sign_in(page, marek)
    opened(page)
    first = page.url
    page.keyboard.press("3")
    expect(page.locator("#on-screen b")).not_to_have_text("0")
    on_screen, finish = page.evaluate("['#on-screen b', '#finish'].map((at) => document.querySelector(at).textContent)")
    assert int(on_screen) < 8
    assert f"Finish: 1 marked, {int(on_screen) - 1} not relevant" in finish
    page.evaluate("document.getElementById('judge').scrollTop = 0")
    earlier = set(DocumentText.objects.values_list("sha256", flat=True))
    for document in Document.objects.all():
        stage.a_text(document, f"New text of {document}.")
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_contain_text("not on screen yet. Finish again ends the query")
    assert page.url == first
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    expect(page.locator("#live")).to_have_text(re.compile(r"^Query \S+ finished\.$"))
    assert Judgment.objects.filter(state="unseen").count() > 0
    swept_on = set(Judgment.objects.filter(state="swept").values_list("text_sha256", flat=True))
    assert swept_on
    assert swept_on <= earlier
    assert not Qrel.objects.filter(canonical_id="d008").exists()


def test_the_next_query_comes_with_the_answer_and_the_window_stays(judge: Page) -> None:
    first = judge.url
    seen(judge, 8)
    judge.evaluate("window.same = true")
    asked: list[str] = []
    judge.on("request", lambda request: asked.append(request.url) if "/judge/" in request.url else None)
    judge.keyboard.press("3")
    judge.keyboard.press("Enter")
    judge.wait_for_url(lambda url: url != first)
    assert [url.rsplit("/", 1)[-1] for url in asked] == ["mark", "finish"]
    assert judge.evaluate("window.same")
    expect(judge).to_have_title("Judge 2 of 2 · Hardset")
    assert judge.evaluate("document.querySelector('.bar progress').offsetWidth") > 100
    expect(judge.locator("article").first).to_be_focused()
    expect(judge.locator("#live")).to_contain_text("finished.")
    expect(judge.locator("#said")).to_contain_text(judge.locator("h1").inner_text())
    saved(judge)
    judge.keyboard.press("2")
    expect(judge.locator("#live")).to_be_empty(timeout=3000)
    judge.keyboard.press("?")
    expect(judge.locator("#keys")).to_be_visible()
    judge.keyboard.press("Escape")
    saved(judge)
    assert Judgment.objects.filter(state="graded").values("query").distinct().count() == 2
    judge.go_back()
    expect(judge.locator(".told")).to_contain_text("You have finished query")


def test_a_mark_that_is_refused_leaves_the_row_with_what_is_stored(judge: Page) -> None:
    judge.keyboard.press("2")
    saved(judge)
    refusal = {"status": 409, "content_type": "application/json", "body": '{"refused": "Query q1 was withdrawn."}'}
    judge.route("**/mark", lambda route: route.fulfill(**refusal))
    judge.keyboard.press("3")
    expect(judge.locator("#live")).to_contain_text("d001: the mark 3 is not saved. Query q1 was withdrawn. 2 stands.")
    expect(judge.locator("article").first.locator(":checked")).to_have_attribute("value", "2")
    expect(judge.locator("#finish")).to_contain_text("Finish: 1 marked")


def test_x_flags_a_row_and_unfolds_what_is_not_the_same_document(judge: Page, corpus: Corpus) -> None:
    DocumentText.objects.filter(document__external_id="d002").update(title="Cyber extortion endorsement " * 4)
    folded = [stage.a_document(corpus, f"d002-{tag}", canonical_id="d002", language=tag).pk for tag in ("tr", "de")]
    candidate = Candidate.objects.filter(document__external_id="d002")
    candidate.update(folded=folded)
    judge.reload()
    saved(judge)
    for key in ("j", "2", "x", "2"):
        judge.keyboard.press(key)
    expect(judge.locator("article").nth(1).locator(".flag")).to_have_text("Wrong country")
    expect(judge.locator("#flags")).to_have_text("1 flagged")
    judge.set_viewport_size({"width": 1440, "height": 420})
    judge.locator("#judge").evaluate("list => { list.scrollTop = 40; }")
    where = judge.locator("article").nth(1).bounding_box()
    judge.keyboard.press("x")
    judge.locator("#mismatches select").select_option(label="Turkish")
    judge.get_by_role("button", name="Not the same document").click()
    expect(judge.locator("article")).to_have_count(9)
    expect(judge.locator("article").nth(1)).to_be_focused()
    assert where is not None
    assert judge.locator("article").nth(1).bounding_box() == {**where, "height": ANY}
    judge.keyboard.press("j")
    judge.keyboard.press("1")
    saved(judge)
    assert grades() == {"d002": 2, "d002-tr": 1}
    judge.keyboard.press("k")
    judge.keyboard.press("x")
    judge.keyboard.press("0")
    expect(judge.locator("article")).to_have_count(8)
    expect(judge.locator(".flag")).to_have_count(0)
    assert grades() == {"d002": 2}
    judge.keyboard.press("u")  # what folded the row, on a page that does not know of it
    expect(judge.locator("article")).to_have_count(9)
    expect(judge.locator("article").nth(1)).to_be_focused()
    for key in ("x", "4", "u"):
        judge.keyboard.press(key)
    flag = judge.locator("article").nth(1).locator(".flag")
    expect(flag).to_have_text("Not the same document")
    assert flag.evaluate("(flag) => flag.scrollWidth <= flag.clientWidth")


def test_a_flag_that_is_refused_leaves_its_row(judge: Page) -> None:
    refusal = {"status": 409, "content_type": "application/json", "body": '{"refused": "Query q1 was withdrawn."}'}
    judge.route("**/mismatch", lambda route: route.fulfill(**refusal))
    judge.keyboard.press("x")
    expect(judge.locator("#mismatches [data-mismatch]:visible")).to_have_text(
        [re.compile("Wrong"), re.compile("edition")]
    )
    judge.keyboard.press("4")
    expect(judge.locator("#live")).to_contain_text("d001: the flag is not saved. Query q1 was withdrawn.")
    expect(judge.locator(".flag")).to_have_count(0)


def test_nothing_relevant_asks_why_with_one_key(judge: Page) -> None:
    first = judge.url
    seen(judge, 8)
    judge.keyboard.press("Enter")
    expect(judge.locator("#why")).to_be_visible()
    expect(judge.locator("#why-title")).to_be_focused()
    judge.keyboard.press("Enter")  # the question has the caret: who holds the key down answers nothing
    expect(judge.locator("#why")).to_be_visible()
    judge.keyboard.press("3")  # a key of the dialog, no grade
    judge.wait_for_url(lambda url: url != first)
    assert Assignment.objects.get(finished_at__isnull=False).nothing_because == "cannot_tell"
    assert Query.objects.filter(status="judged").count() == 0


def test_finish_leads_on_from_a_withdrawn_query_without_asking_why(judge: Page) -> None:
    first = judge.url
    seen(judge, 8)
    held = Assignment.objects.get()
    Query.objects.filter(pools=held.pool_id).update(status="retired", retired_reason="It asks two things.")
    judge.keyboard.press("Enter")
    expect(judge.locator(".told")).to_contain_text("was withdrawn: It asks two things.")
    assert judge.url != first
    expect(judge.locator("#why")).to_be_hidden()
    assert not Assignment.objects.filter(finished_at__isnull=False).exists()


def test_the_time_before_a_question_is_told_with_its_answer(judge: Page) -> None:
    seen(judge, 8)
    Assignment.objects.update(seconds_active=100)
    judge.reload()
    expect(judge.locator("[data-time]")).not_to_have_text("1:40")
    judge.keyboard.press("Enter")
    expect(judge.locator("#why")).to_be_visible()
    judge.keyboard.press("1")
    expect(judge.locator("#live")).to_contain_text("finished.")
    assert Assignment.objects.get(finished_at__isnull=False).seconds_active > 100


def test_the_row_under_the_moving_pointer_is_current_until_a_key_moves_on(judge: Page) -> None:
    row = judge.locator("article").nth(3)
    judge.mouse.move(400, 250)
    row.hover()
    judge.keyboard.press("2")
    judge.keyboard.press("j")
    judge.keyboard.press("1")
    saved(judge)
    assert grades() == {"d004": 2, "d005": 1}
    row.locator("label").first.click()
    saved(judge)
    assert grades()["d004"] == 0


def test_keys_follow_their_place_whatever_the_layout_writes(judge: Page) -> None:
    fire = "(init) => document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }))"
    judge.evaluate(fire, {"code": "Digit3", "key": "٣"})
    judge.evaluate(fire, {"code": "KeyJ", "key": "о"})
    judge.evaluate(fire, {"code": "Digit1", "key": "&"})
    judge.evaluate(fire, {"code": "Digit2", "key": "2", "isComposing": True})
    saved(judge)
    assert grades() == {"d001": 3, "d002": 1}


def test_typed_ahead_marks_land_each_on_its_candidate_once(judge: Page) -> None:
    for value in "31203120":
        judge.keyboard.press(value)
        judge.keyboard.press("j")
    saved(judge)
    assert list(grades().values()) == [3, 1, 2, 0, 3, 1, 2, 0]
    assert JudgmentEvent.objects.count() == 8


def test_c07_marks_made_offline_are_counted_and_arrive_once_and_in_order(judge: Page) -> None:
    assert judge.evaluate("performance.getEntriesByType('resource').some((got) => /icons\\/off\\b/.test(got.name))")
    judge.context.set_offline(True)
    for value in "12301":
        judge.keyboard.press(value)
        judge.keyboard.press("j")
    expect(judge.locator("#save")).to_have_text("5 unsaved")
    expect(judge.locator("#offline")).to_contain_text("5 presses wait in this browser to be sent")
    assert judge.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    judge.context.set_offline(False)
    try_now(judge)
    saved(judge)
    expect(judge.locator("#offline")).to_be_hidden()
    judge.reload()
    expect(judge.locator("#finish")).to_contain_text("Finish: 5 marked")
    events = JudgmentEvent.objects.order_by("pk").values_list("judgment__document__external_id", "grade")
    assert list(events) == [("d001", 1), ("d002", 2), ("d003", 3), ("d004", 0), ("d005", 1)]


def test_c07_marks_made_while_the_port_is_blocked_put_off_no_later_try(
    window: Window, sign_in: SignIn, marek: User
) -> None:
    page = window()
    page.clock.install()
    sign_in(page, marek)
    opened(page)
    tries: list[str] = []

    def block(route: Route) -> None:
        tries.append(route.request.post_data or "")
        route.abort()

    page.route("**/mark", block)
    for value in "12301":
        page.keyboard.press(value)
        page.keyboard.press("j")
    expect(page.locator("#offline")).to_contain_text("5 presses wait in this browser to be sent. Next try in")
    for wait in (2, 4, 8, 16, 32):
        before = len(tries)
        page.clock.fast_forward(wait * 1000)
        while len(tries) == before:
            page.wait_for_timeout(20)
        expect(page.locator("#offline")).to_contain_text(f"Next try in {min(2 * wait, 60)} s")
    page.unroute("**/mark")
    page.clock.fast_forward(60_000)
    saved(page)
    expect(page.locator("#live")).to_contain_text("The 5 presses that waited are saved.")
    assert list(grades().values()) == [1, 2, 3, 0, 1]
    assert JudgmentEvent.objects.count() == 5


def test_marks_of_a_closed_window_are_shown_and_sent_by_the_next_one(judge: Page) -> None:
    sent = re.compile(r"/(mark|mismatch)$")
    judge.route(sent, lambda route: route.abort())
    for key in ("3", "j", "2", "j", "1", "x", "2"):
        judge.keyboard.press(key)
    expect(judge.locator("#save")).to_have_text("4 unsaved")
    judge.on("dialog", lambda dialog: dialog.accept())
    judge.goto("about:blank")
    assert Judgment.objects.count() == 0
    judge.goto("/c/claims/judge/")
    expect(judge.locator("#save")).to_have_text("4 unsaved")
    marks = judge.locator("article :checked")
    for _ in range(2):  # before the server has them, and after
        expect(judge.locator("#finish")).to_contain_text("Finish: 3 marked")
        assert marks.evaluate_all("(all) => all.map((radio) => radio.value)") == ["3", "2", "1"]
        expect(judge.locator("article").nth(2).locator(".flag")).to_have_text("Wrong country")
        judge.unroute(sent)
        try_now(judge)
        saved(judge)
    assert grades() == {"d001": 3, "d002": 2, "d003": 1}


def test_an_answer_that_got_lost_does_not_count_twice(judge: Page) -> None:
    lost: list[str] = []

    def lose_first_answer(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().text())
        route.abort()

    judge.route("**/mark", lose_first_answer)
    judge.keyboard.press("3")
    expect(judge.locator("#save")).to_have_text("1 unsaved")
    saved(judge)
    assert (len(lost), grades(), JudgmentEvent.objects.count()) == (1, {"d001": 3}, 1)


def test_mark_typed_while_the_query_closes_changes_nothing_and_says_so(judge: Page) -> None:
    first = judge.url
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    judge.route("**/finish", hold)
    seen(judge, 8)
    for key in ("3", "Enter", "0", "u", "j", "2"):
        judge.keyboard.press(key)
    expect(judge.locator("#live")).to_contain_text("You are leaving this query, so nothing was marked.")
    expect(judge.locator("#finish")).to_contain_text("Finish: 1 marked, 7 not relevant")
    while not held:  # it is sent once the mark is saved
        judge.wait_for_timeout(20)
    expect(judge.locator("#finish")).to_have_attribute("aria-busy", "true")
    held[0].continue_()
    judge.wait_for_url(lambda url: url != first)
    saved(judge)
    assert grades() == {"d001": 3}
    assert JudgmentEvent.objects.count() == 1


def test_enter_with_a_mark_that_cannot_be_sent_keeps_the_query_open(judge: Page) -> None:
    first = judge.url
    seen(judge, 8)
    judge.context.set_offline(True)
    judge.keyboard.press("3")
    judge.keyboard.press("Enter")
    expect(judge.locator("#live")).to_contain_text("Some marks are not saved yet, so the query stays open.")
    judge.keyboard.press("2")
    judge.context.set_offline(False)
    try_now(judge)
    saved(judge)
    judge.keyboard.press("Enter")
    judge.wait_for_url(lambda url: url != first)
    assert grades() == {"d001": 2}


def test_page_of_something_in_between_acknowledges_and_refuses_no_mark(judge: Page) -> None:
    answers = [(200, "Sign in to this network"), (404, "This is not the page of the mark")]

    def from_in_between(route: Route) -> None:
        if answers:
            status, body = answers.pop(0)
            route.fulfill(status=status, content_type="text/html", body=body)
        else:
            route.continue_()

    judge.route("**/mark", from_in_between)
    judge.keyboard.press("3")
    expect(judge.locator("#offline")).to_contain_text("The server does not answer. Go on: 1 press waits")
    try_now(judge)
    expect(judge.locator("#offline")).to_contain_text("Who is signed in here now cannot open this corpus.")
    try_now(judge)
    saved(judge)
    assert grades() == {"d001": 3}


def test_enter_held_down_finishes_nothing_unseen(window: Window, sign_in: SignIn, marek: User) -> None:
    page = window(viewport={"width": 1440, "height": 420})
    sign_in(page, marek)
    opened(page)
    page.keyboard.press("3")
    for _ in range(3):
        page.keyboard.down("Enter")
    expect(page.locator("#live")).to_contain_text("not on screen yet. Finish again ends the query")
    assert page.locator("#finish").get_attribute("aria-busy") is None


def test_enter_counts_while_the_focus_is_on_a_button_that_just_vanished(judge: Page) -> None:
    first = judge.url
    seen(judge, 8)
    judge.keyboard.press("3")
    saved(judge)
    enter = "new KeyboardEvent('keydown', { bubbles: true, cancelable: true, code: 'Enter', key: 'Enter' })"
    judge.evaluate(f"document.getElementById('try-now').dispatchEvent({enter})")
    judge.wait_for_url(lambda url: url != first)


def test_note_of_a_window_closed_while_it_was_written_is_saved(judge: Page) -> None:
    judge.keyboard.press("2")
    saved(judge)
    judge.locator("#pane textarea").fill("only in Austria")
    judge.goto("about:blank")
    opened(judge)
    assert list(Judgment.objects.values_list("grade", "note")) == [(2, "only in Austria")]


def test_c06_a_second_window_is_told_of_the_newer_mark(judge: Page) -> None:
    other = judge.context.new_page()
    opened(other)
    other.keyboard.press("3")
    saved(other)
    judge.keyboard.press("0")
    expect(judge.locator("#live")).to_contain_text(
        re.compile(r"d001: you marked 3 in another window at \d\d:\d\d, 0 here\.")
    )
    assert grades() == {"d001": 3}
    judge.keyboard.press("0")
    expect(judge.locator("#live")).to_be_empty(timeout=3000)
    saved(judge)
    assert grades() == {"d001": 0}
    assert list(JudgmentEvent.objects.order_by("pk").values_list("grade", flat=True)) == [3, 0, 0]
    other.reload()  # the window shows what is stored, not the mark that it held
    expect(other.locator("article").first.locator(":checked")).to_have_attribute("value", "0")


def test_c65_a_slow_first_answer_changes_nothing_that_came_after(judge: Page) -> None:
    late: list[tuple[Route, APIResponse]] = []

    def hold_the_first_answer(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    judge.route("**/mark", hold_the_first_answer)
    judge.keyboard.press("1")
    judge.keyboard.press("3")
    judge.locator("#pane textarea").fill("abc")
    judge.locator("#pane textarea").press_sequentially("def")
    judge.keyboard.press("Escape")
    judge.wait_for_timeout(300)
    [(route, answer)] = late
    route.fulfill(response=answer)
    saved(judge)
    assert list(Judgment.objects.values_list("grade", "note")) == [(3, "abcdef")]
    history = JudgmentEvent.objects.order_by("pk").values_list("grade", "note")
    assert [grade for grade, note in history if not note] == [1, 3]
    expect(judge.locator("article").first.locator(":checked")).to_have_attribute("value", "3")


def signs_in_anew(tab: Page, person: User) -> None:
    """By the forms, so that the session and the token against forgery change for every tab of the browser."""
    if "/login/" not in tab.url:
        tab.evaluate("document.querySelector('form[action=\"/logout/\"]').submit()")
        tab.wait_for_url("**/login/**")
    tab.get_by_label("Username").fill(person.username)
    tab.get_by_label("Password").fill(factories.PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url(lambda url: "/login/" not in url)


def test_c67_marks_wait_for_the_same_person_and_are_never_saved_under_another_name(
    judge: Page, marek: User, corpus: Corpus
) -> None:
    bora = factories.member(corpus, factories.person("bora"), Role.ADJUSTER)
    tab = judge.context.new_page()
    tab.goto("/login/")
    signs_in_anew(tab, marek)
    judge.reload()
    judge.route("**/mark", lambda route: route.abort())
    for value in "123":
        judge.keyboard.press(value)
        judge.keyboard.press("j")
    expect(judge.locator("#save")).to_have_text("3 unsaved")
    signs_in_anew(tab, marek)
    judge.unroute("**/mark")
    try_now(judge)
    expect(judge.locator("#live")).to_contain_text("The 3 presses that waited are saved.")
    saved(judge)
    assert grades() == {"d001": 1, "d002": 2, "d003": 3}
    signs_in_anew(tab, bora)
    judge.keyboard.press("2")
    expect(judge.locator("#offline")).to_contain_text(
        "You are signed in as Bora here now. Nothing was saved under that name. "
        "Go on: 1 press waits in this browser to be sent."
    )
    assert grades() == {"d001": 1, "d002": 2, "d003": 3}
    assert JudgmentEvent.objects.count() == 3
    assert set(Judgment.objects.values_list("assessor__username", flat=True)) == {"marek"}


def test_signed_out_marks_wait(judge: Page, sign_in: SignIn, marek: User) -> None:
    judge.context.clear_cookies()
    judge.keyboard.press("1")
    expect(judge.locator("#offline")).to_contain_text("You were signed out, or this window lost its cookie.")
    sign_in(judge, marek)
    judge.request.get("/login/")  # a new token against forgery
    try_now(judge)
    saved(judge)
    assert grades() == {"d001": 1}


def test_marks_of_whoever_judges_no_more_wait_and_the_reason_is_told(judge: Page, marek: User) -> None:
    role = Membership.objects.filter(user=marek)
    role.update(role=Role.WRITER)
    judge.keyboard.press("1")
    expect(judge.locator("#offline")).to_contain_text("Who is signed in here now does not judge in this corpus.")
    role.update(role=Role.ADJUSTER)
    try_now(judge)
    saved(judge)
    assert grades() == {"d001": 1}


def test_a_digit_held_down_is_one_press(judge: Page) -> None:
    judge.keyboard.down("3")
    for _ in range(3):
        judge.keyboard.down("3")
    judge.keyboard.up("3")
    saved(judge)
    assert JudgmentEvent.objects.count() == 1


def test_a_note_is_kept_beside_the_mark(judge: Page) -> None:
    judge.keyboard.press("2")
    judge.locator("#pane textarea").fill("abc")
    judge.locator("#pane textarea").press_sequentially("def")
    judge.keyboard.press("Escape")
    saved(judge)
    judge.keyboard.press("j")
    saved(judge)
    assert list(Judgment.objects.values_list("grade", "note")) == [(2, "abcdef")]
    judge.keyboard.press("u")
    expect(judge.locator("#live")).to_have_text("d001: the note is taken back.")
    expect(judge.locator("#pane textarea")).to_have_value("")
    saved(judge)
    assert list(Judgment.objects.values_list("grade", "note")) == [(2, "")]
    judge.keyboard.press("u")
    expect(judge.locator("#live")).to_have_text("d001: 2 is taken back, no mark stands.")


def test_a_chosen_cannot_tell_covers_nothing_of_the_flag_beside_it(judge: Page) -> None:
    judge.keyboard.press("c")
    row = judge.locator("article").first
    expect(row.locator(".unsure :checked")).to_have_count(1)
    doubt, flag, words = (row.locator(at).bounding_box() for at in (".unsure > span", ".mis", ".body"))
    assert doubt
    assert flag
    assert words
    assert doubt["x"] + doubt["width"] <= flag["x"]
    assert flag["x"] + flag["width"] <= words["x"]


def test_a_mark_pressed_again_goes_and_a_double_click_is_one_press(judge: Page) -> None:
    row = judge.locator("article").nth(1)
    row.hover()
    for label, marked in ((".grade label:nth-child(3)", 1), (".unsure", 1)):
        row.locator(label).dblclick()
        expect(judge.locator("#finish")).to_contain_text(f"Finish: {marked} marked")
        judge.wait_for_timeout(500)  # until the next click is no third one
        row.locator(label).click()
        expect(judge.locator("#finish")).to_contain_text("Finish: 0 marked")
        expect(row.locator(":checked")).to_have_count(0)
    row.locator(".unsure").click()
    expect(judge.locator("#unsure")).to_have_text("? 1 cannot tell")


def test_marks_that_cannot_be_sent_hold_up_no_other_query(judge: Page, marek: User) -> None:
    """Left behind in this browser: a press in a corpus that this person cannot open any more, and what nobody can read."""
    gone = {"url": "/c/gone/judge/9/mark", "fields": {"token": "t", "value": "3"}, "about": "x"}
    kept = {
        f"hardset.mark.{marek.pk}.{name}": value
        for name, value in (("1", json.dumps(gone)), ("2", "{bad"), ("3", "null"))
    }
    judge.evaluate("kept => { for (const name in kept) localStorage.setItem(name, kept[name]); }", kept)
    judge.reload()
    expect(judge.locator("#save")).to_have_text("1 unsaved")
    expect(judge.locator("#offline")).to_contain_text("Who is signed in here now cannot open this corpus.")
    first = judge.url
    seen(judge, 8)
    judge.keyboard.press("3")
    judge.keyboard.press("Enter")
    judge.wait_for_url(lambda url: url != first)
    assert grades() == {"d001": 3}
    assert judge.evaluate("Object.keys(localStorage).length") == 1


def test_a_browser_that_keeps_nothing_judges_all_the_same(page: Page, sign_in: SignIn, marek: User) -> None:
    for store in ("localStorage", "sessionStorage"):
        page.add_init_script(
            f"Object.defineProperty(window, '{store}', {{ get() {{ throw new Error('forbidden'); }} }})"
        )
    sign_in(page, marek)
    opened(page)
    seen(page, 8)
    first = page.url
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    assert grades() == {"d001": 3}


def test_a_window_whose_marks_were_replaced_shows_those_that_stand(judge: Page) -> None:
    seen(judge, 8)
    judge.keyboard.press("2")
    saved(judge)
    other = judge.context.new_page()
    opened(other)
    other.keyboard.press("0")
    saved(other)
    judge.keyboard.press("Enter")
    expect(judge.locator("#live")).to_have_text(
        "Marks of this query were changed in another window, or their text was. The list shows those that stand."
    )
    expect(judge.locator("article").first.locator(":checked")).to_have_attribute("value", "0")
    expect(judge.locator("#why")).to_be_hidden()
    judge.keyboard.press("j")
    expect(judge.locator("#live")).to_be_empty(timeout=3000)
    judge.reload()  # one goes on where one was
    expect(judge.locator("article").nth(1)).to_have_attribute("aria-current", "true")


def test_an_undo_whose_answer_is_lost_takes_back_one_press(judge: Page) -> None:
    for key in ("3", "j", "2"):
        judge.keyboard.press(key)
    saved(judge)
    judge.reload()
    saved(judge)
    judge.route("**/undo", lambda route: (route.fetch(), route.abort()), times=1)
    judge.keyboard.press("u")
    expect(judge.locator("#live")).to_contain_text("The server did not answer.")
    judge.keyboard.press("u")
    expect(judge.locator("#finish")).to_contain_text("Finish: 1 marked")
    assert grades() == {"d001": 3}


def test_the_filter_shows_what_it_finds_and_escape_shows_all(judge: Page) -> None:
    judge.keyboard.press("/")
    judge.keyboard.type("of d007")
    expect(judge.locator("article:visible")).to_have_count(1)
    judge.keyboard.press("Enter")
    judge.keyboard.press("3")
    saved(judge)
    assert grades() == {"d007": 3}
    judge.set_viewport_size({"width": 720, "height": 450})  # a window of 1440 x 900 at 200 %
    judge.keyboard.press("/")
    expect(judge.locator("#find")).to_be_focused()
    judge.keyboard.press("Escape")
    expect(judge.locator("article:visible")).to_have_count(8)


def test_a_filter_that_finds_nothing_says_so_and_how_to_go_back(judge: Page) -> None:
    judge.keyboard.press("/")
    judge.keyboard.type("snow")
    judge.keyboard.press("Enter")
    expect(judge.locator("#found")).to_have_text(
        "None of 8 documents holds “snow”. Esc, or an empty field, shows all of them again."
    )
    expect(judge.locator("#end")).to_be_hidden()
    expect(judge.locator("#pane .full")).to_have_count(0)
    expect(judge.locator("#find")).to_be_focused()
    judge.keyboard.press("Escape")
    expect(judge.locator("article:visible")).to_have_count(8)
    expect(judge.locator("article").first).to_be_focused()
    expect(judge.locator("[aria-current=true]")).to_have_count(1)
    expect(judge.locator("#pane .full")).to_have_count(1)


def test_skip_puts_the_query_off(judge: Page) -> None:
    Assignment.objects.update(seconds_active=3660)
    judge.reload()
    judge.wait_for_timeout(1100)  # the clock has counted on
    expect(judge.locator("[data-time]")).to_have_text("1 h 1 min")
    first = judge.url
    judge.keyboard.press("s")
    judge.wait_for_url(lambda url: url != first)
    assert Assignment.objects.filter(skipped_at__isnull=False).count() == 1


def test_without_script_a_query_can_be_judged_too(window: Window, sign_in: SignIn, marek: User) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, marek)
    page.goto("/c/claims/judge/")
    row = page.locator("article").nth(1)
    expect(row.locator(".passage")).to_be_hidden()
    row.get_by_text("Whole passage").click()
    expect(row.locator(".passage")).to_be_visible()
    row.locator("label").nth(3).click()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_text("1 of 8 documents are marked.")).to_be_visible()
    page.get_by_label("I read the whole list").check()
    page.get_by_role("button", name="Finish").click()
    assert grades() == {"d002": 3}
    assert Qrel.objects.count() == 8


def test_without_script_a_stored_mark_can_be_let_go_and_with_it_nothing_more_shows(
    window: Window, sign_in: SignIn, marek: User
) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, marek)
    page.goto("/c/claims/judge/")
    row = page.locator("article").nth(1)
    row.locator(".grade label").nth(3).click()
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("link", name="Back to the list").click()
    expect(page.locator(".unmark")).to_have_text("No mark")
    with_script = window()
    sign_in(with_script, marek)
    opened(with_script)
    expect(with_script.locator("article").nth(1).locator(":checked")).to_have_value("3")
    expect(with_script.locator(".unmark")).to_have_count(0)
    row.locator(".unmark").click()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_text("0 of 8 documents are marked.")).to_be_visible()
    assert grades() == {}


ARABIC = "ما هو الحد الفرعي لدفع الفدية بعد 1 يوليو 2024؟"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"color_scheme": "dark"},
        {"viewport": {"width": 360, "height": 780}},
        {"viewport": {"width": 1000, "height": 700}},
    ],
    ids=["light", "dark", "narrow", "sheet"],
)
def test_the_page_has_no_violation(
    window: Window, sign_in: SignIn, marek: User, violations: Violations, options: dict[str, object]
) -> None:
    Query.objects.filter(pk=Query.objects.order_by("pk")[0].pk).update(text=ARABIC)
    page = window(**options)
    sign_in(page, marek)
    opened(page)
    for key in ("3", "j", "c", "j", "2", "o"):
        page.keyboard.press(key)
    saved(page)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if page.locator("#close").is_visible():
        row, sheet = (page.locator(at).bounding_box() for at in ("[aria-current=true]", "#pane"))
        assert row
        assert sheet
        assert row["y"] + row["height"] <= sheet["y"] + 1
        foot = page.locator(".foot").bounding_box()
        assert foot
        assert sheet["y"] + sheet["height"] <= foot["y"]
        page.locator("#close").click()
        expect(page.locator("#pane")).to_be_hidden()
        page.locator("#whole").click()
        expect(page.locator("#pane .passage")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("?")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    assert violations(page) == []
    page.keyboard.press("1")
    saved(page)
    assert violations(page) == []


def test_dialog_empty_page_and_confirmation_have_no_violation(
    window: Window, sign_in: SignIn, marek: User, violations: Violations
) -> None:
    page = window(viewport={"width": 360, "height": 780})
    sign_in(page, marek)
    opened(page)
    page.evaluate("document.getElementById('why').showModal()")
    assert violations(page) == []
    held = Assignment.objects.get()
    page.evaluate("document.getElementById('judge').submit()")
    page.wait_for_url(f"**/judge/{held.pk}/finish")
    assert violations(page) == []
    Query.objects.update(status="judged")
    page.goto("/c/claims/judge/")
    expect(page.get_by_text("Nothing to judge")).to_be_visible()
    assert violations(page) == []
