"""A key acts on the row that the judge looks at, and what another window changed is shown before a query is finished."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from judging.models import Assignment
from tests.judging import stage

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def judge(page: Page, sign_in: SignIn) -> Page:
    corpus = stage.a_judged_corpus(30, queries=2)
    sign_in(page, corpus.memberships.get(role="adjuster").user)
    page.goto("/c/claims/judge/")
    expect(page.locator("#save")).to_have_text("All marks saved")
    return page


def test_a_digit_after_scrolling_marks_a_row_in_sight(judge: Page) -> None:
    judge.locator("#judge").evaluate("list => { list.scrollTop = list.scrollHeight; }")
    expect(judge.locator("[aria-current]")).to_be_in_viewport()
    judge.keyboard.press("3")
    expect(judge.locator("article:has([value='3']:checked)")).to_be_in_viewport()
    expect(judge.locator("article").first.locator(":checked")).to_have_count(0)


def test_the_page_is_as_tall_as_the_window(judge: Page) -> None:
    assert judge.evaluate("document.documentElement.scrollHeight - innerHeight") == 0


def test_a_key_leads_to_the_note_and_escape_back(judge: Page) -> None:
    judge.keyboard.press("j")
    judge.keyboard.press("e")
    expect(judge.locator("#pane [data-note]")).to_be_focused()
    judge.keyboard.press("Escape")
    expect(judge.locator("article").nth(1)).to_be_focused()


def test_a_relevant_mark_of_another_window_is_shown_before_the_query_is_finished(judge: Page) -> None:
    judge.keyboard.press("1")
    expect(judge.locator("#save")).to_have_text("All marks saved")
    other = judge.context.new_page()
    other.goto(judge.url)
    other.keyboard.press("3")
    expect(other.locator("#save")).to_have_text("All marks saved")
    judge.keyboard.press("Enter")
    judge.keyboard.press("Enter")
    expect(judge.locator("#live")).to_contain_text("changed in another window")
    expect(judge.locator("article").first.locator(":checked")).to_have_attribute("value", "3")
    assert not Assignment.objects.filter(finished_at__isnull=False).exists()
