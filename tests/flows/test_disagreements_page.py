"""Settling disagreements in a real browser: by keys alone, without script, in every look."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from curation.models import Corpus, Need, OpenDispute, Query, User
from judging.models import Adjudication, Assignment
from tests import factories
from tests.judging import stage
from tests.judging.judges import another, corpus_of, finish_with, marek

from .conftest import Readable, SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGE = "/c/claims/disagreements/"
TEXT = "The insured bears €1,500 of each hail loss to vehicles garaged in Bavaria, from 1 April 2025 on. Glass is free of deductible."


@pytest.fixture
def lena() -> User:
    """A lead of a corpus in which two judges disagree on three documents."""
    corpus = corpus_of(2)
    words_of(corpus)
    finish_with(marek(corpus), {"d001": 3, "d002": 2, "d003": 1})
    finish_with(another(corpus), {"d001": 2})
    Assignment.objects.update(seconds_active=92)
    return factories.lena(corpus)


def words_of(corpus: Corpus) -> None:
    document = corpus.documents.get(external_id="d002")
    document.facts = {"effective_date": "2025-04-01", "limit_amount": "1500", "jurisdiction": "Bavaria"}
    document.save()
    stage.a_text(document, TEXT, title="Hail deductible, motor fleet")
    need = Need.objects.create(corpus=corpus, text="Deductible for hail losses in Bavaria")
    Query.objects.update(text="filo için dolu muafiyeti Bavyera", need=need)


def heading(page: Page) -> str:
    return page.locator(".doc h3").inner_text()


def unhurried(page: Page) -> None:
    page.wait_for_timeout(2100)


def test_disagreements_are_settled_skipped_and_taken_back_by_keys_alone(
    page: Page, sign_in: SignIn, lena: User
) -> None:
    sign_in(page, lena)
    page.goto(PAGE)
    expect(page.locator(".doc h3")).to_have_text("Hail deductible, motor fleet")
    page.keyboard.press("s")
    expect(page.locator(".doc h3")).not_to_have_text("Hail deductible, motor fleet")
    second = heading(page)
    unhurried(page)
    expect(page.locator("#settle .keys")).not_to_contain_text("undo")
    page.keyboard.press("3")
    expect(page.locator(".chosen[data-grade='3']")).to_be_visible()
    expect(page.locator(".grade :checked + span")).to_have_css("font-weight", "700")
    page.keyboard.press("c")
    expect(page.get_by_label("Missed while scanning")).to_be_checked()
    page.keyboard.press("c")
    expect(page.get_by_label("Rubric unclear")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("settled at 3")
    expect(page.get_by_role("navigation", name="Open disagreements").get_by_role("link")).to_have_count(2)
    page.keyboard.press("u")
    expect(page.locator(".doc h3")).to_have_text(second)
    made = Adjudication.objects.get()
    assert (made.grade, made.cause, made.is_hasty, made.undone_at is not None) == (3, "rubric", False, True)
    assert OpenDispute.objects.count() == 3


def test_a_hasty_decision_is_asked_once_more_and_the_same_press_settles_it(
    page: Page, sign_in: SignIn, lena: User
) -> None:
    sign_in(page, lena)
    page.goto(PAGE)
    button = page.locator("#settle-now")
    expect(button).to_have_attribute("aria-disabled", "true")
    place = button.bounding_box()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator("#missing")).to_have_text("Say why the opinions differed before you settle.")
    expect(page.get_by_label("Missed while scanning")).to_be_focused()
    assert button.bounding_box() == place
    page.keyboard.press("Space")
    expect(button).to_have_attribute("aria-disabled", "false")
    assert button.bounding_box() == place
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Decided in under 2 s")
    expect(page.get_by_label("Missed while scanning")).to_be_checked()
    assert not Adjudication.objects.exists()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("settled at 2")
    assert Adjudication.objects.get().is_hasty


def test_everything_works_without_script(window: Callable[..., Page], sign_in: SignIn, lena: User) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, lena)
    page.goto(PAGE)
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("navigation", name="Open disagreements").get_by_role("link").last.click()
    expect(page.locator(".doc h3")).to_have_text("Hail deductible, motor fleet")
    unhurried(page)
    page.locator("label:has(> input[name=grade][value='0'])").click()
    page.get_by_text("Slip of the key").click()
    page.get_by_role("button", name="Settle and next").click()
    expect(page.get_by_role("status").first).to_contain_text("settled at 0")
    made = Adjudication.objects.get()
    assert (made.canonical_id, made.cause, made.is_hasty) == ("d002", "slip", False)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").first).to_contain_text("Taken back")


def test_the_page_is_readable_in_every_look(any_window: Page, sign_in: SignIn, lena: User, readable: Readable) -> None:
    sign_in(any_window, lena)
    any_window.goto(PAGE)
    readable(any_window, "disagreements")
    any_window.evaluate("document.documentElement.dir = 'rtl'")
    readable(any_window, "disagreements-rtl")
    any_window.goto("/c/claims/")
    readable(any_window, "home-lead-disputed")
    OpenDispute.objects.all().delete()
    any_window.goto(PAGE)
    readable(any_window, "disagreements-none")
