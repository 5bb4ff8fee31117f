"""Text twins in a real browser: one grade for both by a key, without script, and the list of a lead in every look."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from curation.models import Corpus, Need, Qrel, Query, Role, User
from judging.actions.candidates import add_candidate
from judging.models import Judgment
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge

from .conftest import Readable, SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXT = "Theft of an insured vehicle is reported to the police and to us within 24 hours. A later report ends the cover."
CHOICE = "same grade for its text twin"


@pytest.fixture
def corpus() -> Corpus:
    """A pool of six in which d001 and d004, and d002 and d005, are twins."""
    corpus = stage.a_judged_corpus(6)
    for names, text in ((("d001", "d004"), TEXT), (("d002", "d005"), "Keep the receipt.")):
        for document in corpus.documents.filter(external_id__in=names):
            stage.a_text(document, text, title="Duties after a theft of the vehicle, motor fleet policy")
    need = Need.objects.create(corpus=corpus, text="When must a theft be reported?")
    Query.objects.update(text="hırsızlık ihbar süresi", need=need)
    return corpus


@pytest.fixture
def marek(corpus: Corpus) -> User:
    return corpus.memberships.get(role=Role.ADJUSTER).user


def opened(page: Page) -> None:
    page.goto("/c/claims/judge/")
    see_all(page)


def see_all(page: Page) -> None:
    """Read to the end: on a phone not all six rows stand on one screen."""
    expect(page.locator("#on-screen b")).not_to_have_text("0")
    page.locator("article").last.scroll_into_view_if_needed()
    expect(page.locator("#on-screen b")).to_have_text("6")


def saved(page: Page) -> None:
    expect(page.locator("#save")).to_have_text("All marks saved")


def test_t_means_one_grade_for_both_twins_and_u_takes_it_back(page: Page, sign_in: SignIn, marek: User) -> None:
    sign_in(page, marek)
    opened(page)
    choice = page.get_by_label(CHOICE).first
    assert page.locator("article small bdi").all_inner_texts() == ["d001", "d004", "d002", "d005", "d003", "d006"]
    for key in ("3", "t"):
        page.keyboard.press(key)
    expect(choice).to_be_checked()
    expect(page.locator("#finish")).to_contain_text("Finish: 1 marked, 1 as a twin, 4 not relevant")
    expect(page.locator("[data-told]")).to_have_count(1)
    page.keyboard.press("u")
    expect(choice).not_to_be_checked()
    choice.click()
    saved(page)
    assert Judgment.objects.get().for_twins
    page.reload()
    expect(choice).to_be_checked()
    see_all(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing to judge")).to_be_visible()
    taken = Qrel.objects.get(source="derived")
    assert (taken.canonical_id, taken.grade, taken.twin_of) == ("d004", 3, "d001")


def test_without_script_the_choice_is_a_box_of_the_form(
    window: Callable[..., Page], sign_in: SignIn, marek: User
) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, marek)
    page.goto("/c/claims/judge/")
    page.locator("article").first.locator("label").nth(3).click()
    page.get_by_label(CHOICE).first.check()
    page.get_by_role("button", name="Finish").click()
    page.get_by_label("I read the whole list").check()
    page.get_by_role("button", name="Finish").click()
    assert Qrel.objects.get(source="derived").canonical_id == "d004"


def test_both_pages_are_readable_in_every_look(
    any_window: Page, sign_in: SignIn, corpus: Corpus, readable: Readable
) -> None:
    lead = factories.member(corpus, factories.lena(corpus), Role.ADJUSTER)
    sign_in(any_window, lead)
    opened(any_window)
    for key in ("3", "t"):
        any_window.keyboard.press(key)
    saved(any_window)
    any_window.locator(".twin bdi").first.evaluate("(name) => { name.textContent = 'WD_SC_1_'.repeat(6); }")
    readable(any_window, "judge-twins")
    any_window.evaluate("document.documentElement.dir = 'rtl'")
    readable(any_window, "judge-twins-rtl")
    any_window.goto("/c/claims/twins/")
    readable(any_window, "twins-none")
    graded_apart(Judge(lead))
    any_window.goto("/c/claims/twins/")
    expect(any_window.get_by_text("contradict each other")).to_be_visible()
    readable(any_window, "twins")


def graded_apart(judge: Judge) -> None:
    """Finish with twins that contradict each other; what was marked before stays."""
    held = stage.judging(judge.client)
    for name, grade in (("d002", 3), ("d005", 0)):
        judge.mark(held, name, grade)
    assert "next" in judge.finish(held).json()


def test_twins_that_are_graded_differently_tell_nothing_and_finish_says_so(
    page: Page, sign_in: SignIn, corpus: Corpus, marek: User
) -> None:
    stage.a_text(
        corpus.documents.get(external_id="d006"), TEXT, title="Duties after a theft of the vehicle, motor fleet policy"
    )
    sign_in(page, marek)
    opened(page)
    assert page.locator("article small bdi").all_inner_texts()[:3] == ["d001", "d004", "d006"]
    for key in ("3", "t", "j", "j", "0", "t"):
        page.keyboard.press(key)
    expect(page.locator("#finish")).to_contain_text("Finish: 2 marked, 1 left out (twins differ), 3 not relevant")
    expect(page.locator("[data-told]")).to_have_count(0)
    saved(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing to judge")).to_be_visible()
    assert Judgment.objects.get(document__external_id="d004").state == "unseen"
    assert not Qrel.objects.filter(canonical_id="d004").exists()


def test_a_twin_that_is_sent_alone_shows_what_was_meant_for_it_and_finish_counts_it(
    page: Page, sign_in: SignIn, corpus: Corpus, marek: User
) -> None:
    late = stage.a_document(corpus, "d900", TEXT)
    stage.a_text(late, TEXT, title="Duties after a theft of the vehicle, motor fleet policy")
    sign_in(page, marek)
    opened(page)
    for key in ("3", "t"):
        page.keyboard.press(key)
    saved(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing to judge")).to_be_visible()
    add_candidate(query=Query.objects.get(), document=late, origin="hard_negative", now=timezone.now())
    page.goto("/c/claims/judge/")
    expect(page.locator("[data-told='3']")).to_have_count(1)
    expect(page.locator("#finish")).to_contain_text("Finish: 0 marked, 1 as a twin, 0 not relevant")
