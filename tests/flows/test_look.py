"""The frame of every page: axe, both themes, both directions, a narrow window, no script, keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from curation.models import Corpus, Miner, User
from tests import factories
from tests.judging.home import cast

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("test_pages")]

Window = Callable[..., Page]
Violations = Callable[[Page], list[str]]
NARROW = {"width": 360, "height": 780}


@pytest.fixture
def lena() -> User:
    return factories.lena(factories.a_corpus("claims", name="Claims search"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_components_in_every_state_have_no_violation(window: Window, violations: Violations, theme: str) -> None:
    page = window(color_scheme=theme)
    page.goto("/states/")
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("address", ["/login/", "/nowhere/"])
def test_pages_for_everybody_have_no_violation(
    window: Window, violations: Violations, theme: str, address: str
) -> None:
    page = window(color_scheme=theme)
    page.goto(address)
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("address", ["/settings/", "/api/", "/password/", "/c/claims/people/"])
def test_pages_of_a_person_have_no_violation(
    window: Window, violations: Violations, sign_in: SignIn, lena: User, theme: str, address: str
) -> None:
    page = window(color_scheme=theme)
    sign_in(page, lena)
    page.goto(address)
    assert violations(page) == []


@pytest.mark.parametrize("address", ["/login/", "/settings/", "/states/", "/c/claims/", "/c/claims/people/"])
@pytest.mark.parametrize("width", [360, 720, 1024])
def test_no_page_scrolls_sideways(window: Window, sign_in: SignIn, lena: User, address: str, width: int) -> None:
    page = window(viewport={"width": width, "height": 780})
    sign_in(page, lena)
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.fixture
def busy_corpus(lena: User) -> Corpus:
    """A corpus in the middle of its work: cells at every level, a query in hand, mined work, a worst cell."""
    corpus = Corpus.objects.get()
    question = factories.a_stratum(corpus, "tr en Latn-plain question distinctive", planned=400)
    judged = factories.judged_queries(question, 118)
    factories.a_run(corpus, judged[:11], judged[11:], name="exact")
    for key, count in (("tr en Latn question distinctive", 71), ("tr en Latn navigational keyword", 12)):
        factories.judged_queries(factories.a_stratum(corpus, key, planned=100), count)
    factories.judged_queries(factories.a_stratum(corpus, "th en Thai question distinctive", planned=100), 36)
    aylin, marek = factories.aylin(corpus), factories.marek(corpus)
    for number in range(12):
        cast.finished(marek, factories.a_query(question, author=aylin, origin="written"), seconds=60 + 11 * number)
    cast.holds(marek, cast.a_pool(factories.a_query(question, "1 Temmuz 2024 sonrası siber fidye alt limiti")))
    generation = cast.a_generation(corpus)
    cast.a_mining_run(generation, Miner.HARD_NEGATIVE, state="running")
    cast.a_mining_run(generation, Miner.RARE_ENTITY, pending=9)
    return corpus


@pytest.mark.parametrize("options", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"viewport": NARROW}])
@pytest.mark.parametrize("name", ["lena", "marek", "aylin"])
def test_my_work_of_each_role_has_no_violation(
    window: Window, violations: Violations, sign_in: SignIn, busy_corpus: Corpus, options: dict[str, Any], name: str
) -> None:
    page = window(**options)
    sign_in(page, User.objects.get(username=name))
    page.goto("/c/claims/")
    assert page.evaluate("document.documentElement.scrollWidth") == page.evaluate("innerWidth")
    assert violations(page) == []


def test_enter_opens_the_next_thing_to_do(page: Page, sign_in: SignIn, lena: User, busy_corpus: Corpus) -> None:
    sign_in(page, lena)
    page.goto("/c/claims/")
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/claims/coverage/")


def test_right_to_left_has_no_violation_and_no_sideways_scroll(window: Window, violations: Violations) -> None:
    page = window(viewport=NARROW)
    page.goto("/states/")
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    assert violations(page) == []


def test_menu_folds_away_in_a_narrow_window(
    window: Window, sign_in: SignIn, lena: User, violations: Violations
) -> None:
    page = window(viewport=NARROW)
    sign_in(page, lena)
    page.goto("/c/claims/")
    link = page.get_by_role("link", name="My work", exact=True)
    assert not link.is_visible()
    page.get_by_text("Menu").click()
    assert link.is_visible()
    assert violations(page) == []


def test_menu_stands_open_in_a_wide_window(page: Page, sign_in: SignIn, lena: User) -> None:
    sign_in(page, lena)
    page.goto("/c/claims/")
    assert page.get_by_role("link", name="My work", exact=True).is_visible()
    assert not page.get_by_text("Menu", exact=True).is_visible()


def test_targets_are_at_least_24_pixels(window: Window, sign_in: SignIn, lena: User) -> None:
    page = window()
    sign_in(page, lena)
    page.goto("/settings/")
    small = page.evaluate(
        """[...document.querySelectorAll('button, summary, .nav a, .btn, input:not([type=hidden], [type=radio], [type=checkbox])')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML)"""
    )
    assert small == []


def test_theme_chosen_in_the_settings_wins_over_the_system(window: Window, sign_in: SignIn, lena: User) -> None:
    page = window(color_scheme="light")
    sign_in(page, lena)
    page.goto("/settings/")
    before = page.evaluate("getComputedStyle(document.body).color")
    page.get_by_label("Dark").check()
    page.get_by_role("button", name="Save settings").click()
    page.get_by_text("Settings saved.").wait_for()
    assert page.evaluate("getComputedStyle(document.body).color") != before
    lena.refresh_from_db()
    assert lena.theme == "dark"


def test_settings_are_saved_without_script(window: Window, sign_in: SignIn, lena: User) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, lena)
    page.goto("/settings/")
    page.get_by_label("Your name").fill("Lena Berg")
    page.get_by_role("button", name="Save settings").click()
    lena.refresh_from_db()
    assert lena.name == "Lena Berg"
    assert not page.get_by_role("button", name="Keys").is_visible()


COVERED = """() => {
    const box = document.activeElement.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + 4, box.y + box.height / 2);
    return top !== document.activeElement && document.activeElement.id !== '' ? [document.activeElement.id] : [];
}"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (720, 450), (360, 780)])
def test_sticky_bars_never_cover_what_has_the_focus(
    window: Window, sign_in: SignIn, lena: User, width: int, height: int
) -> None:
    page = window(viewport={"width": width, "height": height})
    sign_in(page, lena)
    page.goto("/c/claims/work/")
    covered = []
    for key in ("Tab", "Shift+Tab"):
        for _ in range(50):
            page.keyboard.press(key)
            covered += page.evaluate(COVERED)
    assert covered == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_work_screen_has_no_violation(
    window: Window, violations: Violations, sign_in: SignIn, lena: User, theme: str
) -> None:
    page = window(color_scheme=theme)
    sign_in(page, lena)
    page.goto("/c/claims/work/")
    assert violations(page) == []
