"""What a page says when a part of it cannot be fetched."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import factories

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("test_pages")]


@pytest.fixture
def requests(page: Page) -> Page:
    page.goto("/requests/")
    return page


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_broken_answer_leaves_the_page_as_it_was_and_says_what_to_do(
    requests: Page, violations: Callable[[Page], list[str]]
) -> None:
    press(requests, "Broken")
    expect(requests.get_by_role("alert")).to_contain_text("The server refused (500). Nothing was changed.")
    assert requests.locator("#place").inner_text() == "as before"
    assert violations(requests) == []


def test_next_answer_that_arrives_clears_the_complaint(requests: Page) -> None:
    press(requests, "Broken")
    expect(requests.locator("#live")).to_contain_text("The server refused")
    press(requests, "Saved")
    expect(requests.locator("#live")).to_be_empty()


def test_refusal_of_a_form_is_shown_in_its_place(requests: Page) -> None:
    press(requests, "Refused")
    expect(requests.locator("#place")).to_have_text("Not with this text.")
    expect(requests.locator("#live")).to_be_empty()


def test_server_out_of_reach_is_said_in_words(requests: Page) -> None:
    requests.context.set_offline(True)
    press(requests, "Saved")
    expect(requests.get_by_role("alert")).to_contain_text("The server did not answer.")


def test_result_is_announced_and_the_focus_stays(requests: Page) -> None:
    press(requests, "Saved")
    expect(requests.locator("#said")).to_have_text("Query 37 finished")
    assert requests.evaluate("document.activeElement.textContent") == "Saved"


def test_ended_session_leads_to_signing_in_and_not_into_a_fragment(page: Page, sign_in: SignIn) -> None:
    sign_in(page, factories.lena(factories.a_corpus()))
    page.goto("/settings/")
    page.context.clear_cookies()
    page.evaluate("htmx.ajax('GET', '/requests/inside/', { target: 'h1' })")
    page.wait_for_url("**/login/?next=/settings/")
