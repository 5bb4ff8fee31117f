"""Keys by place, at rest where they would get in the way, and listed on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from curation.models import User
from tests import factories

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("test_pages")]

FIRE = """(init) => (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }))"""


@pytest.fixture
def keys(page: Page) -> Page:
    page.goto("/keys/")
    page.wait_for_function("document.getElementById('rows') && document.readyState === 'complete'")
    return page


def pressed(page: Page) -> str:
    return page.locator("#pressed").inner_text().strip()


def fire(page: Page, **init: Any) -> None:
    page.evaluate(FIRE, init)


def test_key_presses_the_button_that_declares_it(keys: Page) -> None:
    keys.keyboard.press("s")
    assert pressed(keys) == "skip"


@pytest.mark.parametrize("letter", ["ы", "س", "ห", "と"])
def test_key_is_read_by_its_place_whatever_the_layout_writes(keys: Page, letter: str) -> None:
    fire(keys, code="KeyS", key=letter)
    assert pressed(keys) == "skip"


def test_number_pad_counts_as_the_digit_row(keys: Page) -> None:
    fire(keys, code="Numpad2", key="2")
    assert pressed(keys) == "two"


@pytest.mark.parametrize(("code", "key"), [("Numpad0", "Insert"), ("Numpad3", "PageDown"), ("Numpad2", "Process")])
def test_number_pad_that_moves_is_no_digit(keys: Page, code: str, key: str) -> None:
    fire(keys, code=code, key=key)
    assert pressed(keys) == ""


def test_arrows_of_the_number_pad_walk(keys: Page) -> None:
    fire(keys, code="Numpad2", key="ArrowDown")
    assert keys.evaluate("document.activeElement.textContent") == "two"


def test_a_key_without_a_place_is_no_key(keys: Page) -> None:
    broken: list[str] = []
    keys.on("pageerror", lambda error: broken.append(str(error)))
    keys.evaluate("document.body.dispatchEvent(new Event('keydown', { bubbles: true }))")
    assert (pressed(keys), broken) == ("", [])


def test_a_key_held_down_walks_and_does_nothing_else_again(keys: Page) -> None:
    for code, key in (("KeyP", "p"), ("KeyJ", "j")):
        fire(keys, code=code, key=key)
        for _ in range(3):
            fire(keys, code=code, key=key, repeat=True)
    assert pressed(keys) == "bound"
    assert keys.evaluate("document.activeElement.textContent") == "three"


def test_keys_rest_in_a_text_field_save_those_that_work_anywhere(keys: Page) -> None:
    keys.locator("#filter").focus()
    keys.keyboard.type("s2")
    keys.keyboard.press("F2")
    assert (pressed(keys), keys.locator("#filter").input_value()) == ("variant", "s2")


@pytest.mark.parametrize(
    "held", [{"isComposing": True}, {"ctrlKey": True}, {"altKey": True}, {"metaKey": True}, {"modifierAltGraph": True}]
)
def test_keys_rest_while_composing_and_with_a_modifier_down(keys: Page, held: dict[str, bool]) -> None:
    fire(keys, code="KeyS", key="s", **held)
    assert pressed(keys) == ""


def test_slash_puts_the_focus_into_the_field_and_writes_nothing(keys: Page) -> None:
    keys.keyboard.press("/")
    assert keys.evaluate("document.activeElement.id") == "filter"
    assert keys.locator("#filter").input_value() == ""


def test_enter_presses_what_has_the_focus_before_what_declares_it(keys: Page) -> None:
    keys.locator("#skip").focus()
    keys.keyboard.press("Enter")
    keys.locator("#rows li").first.focus()
    keys.keyboard.press("Enter")
    assert pressed(keys) == "skip finish"


def test_blocked_button_ignores_its_key(keys: Page) -> None:
    keys.keyboard.press("b")
    assert pressed(keys) == ""


def test_rows_have_one_tab_stop_and_keys_walk_between_them(keys: Page) -> None:
    keys.keyboard.press("j")
    keys.keyboard.press("ArrowDown")
    keys.keyboard.press("k")
    assert keys.evaluate("[...document.querySelectorAll('#rows li')].map((row) => row.tabIndex)") == [-1, 0, -1]
    assert keys.evaluate("document.activeElement.textContent") == "two"


def test_help_lists_the_keys_of_the_page_with_their_words(keys: Page, violations: Callable[[Page], list[str]]) -> None:
    keys.keyboard.press("?")
    rows = keys.locator("#keys dl > div").all_inner_texts()
    assert [" ".join(row.split()) for row in rows] == [
        "Next row j ↓",
        "Previous row k ↑",
        "Two 2",
        "Blocked b",
        "Bound p",
        "Skip s",
        "Filter the rows /",
        "Finish Enter",
        "Add the spelling F2",
        "These keys ?",
    ]
    assert violations(keys) == []


def test_page_keys_rest_while_the_help_is_open_and_escape_closes_it(keys: Page) -> None:
    keys.keyboard.press("?")
    keys.keyboard.press("s")
    keys.keyboard.press("Escape")
    assert pressed(keys) == ""
    keys.keyboard.press("s")
    assert pressed(keys) == "skip"


def test_single_keys_can_be_turned_off_and_named_keys_stay(page: Page, sign_in: SignIn) -> None:
    lena = factories.lena(factories.a_corpus())
    User.objects.filter(pk=lena.pk).update(single_keys=False)
    sign_in(page, lena)
    page.goto("/keys/")
    for key in ("s", "2", "?", "F2"):
        page.keyboard.press(key)
    assert pressed(page) == "variant"
    assert not page.locator("#keys").is_visible()
