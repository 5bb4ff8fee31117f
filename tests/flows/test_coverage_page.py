"""The board in a real browser: readable by everyone, narrow or wide, light or dark."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from curation.models import Query, User
from tests import factories

from .conftest import Readable, SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ADDRESS = "/c/claims/coverage/?run=a-run&cell=tr,en"
CROWDED = """[...table.querySelectorAll("td .cell, thead tr:last-child th")]
    .filter(box => box.offsetWidth < 90 || box.scrollWidth > box.clientWidth + 1).map(box => box.textContent)"""

HEADS_IN_VIEW = """table => {
    const region = table.parentElement;
    region.style.maxBlockSize = "9rem";
    region.scrollTop = 60;
    return [region.scrollTop, Math.round(table.tHead.getBoundingClientRect().top - region.getBoundingClientRect().top)];
}"""
"""How far a matrix too long for its window scrolls, and where its heads are then."""


@pytest.fixture
def lena() -> User:
    """A lead whose corpus holds four query languages, of which Turkish fails, and more documents' than fit abreast."""
    corpus = factories.a_corpus("claims", name="Claims search")
    found: list[Query] = []
    missed: list[Query] = []
    for key, count, hits in (
        ("en en Latn question distinctive", 412, 380),
        ("en de Latn question distinctive", 96, 80),
        ("de en Latn question distinctive", 186, 165),
        ("tr en Latn-plain question distinctive", 118, 11),
        ("tr en Latn question near_duplicate", 71, 50),
        ("tr en Latn-plain error_string distinctive", 9, 9),
        ("ja en Jpan-kanji question distinctive", 133, 110),
        ("ja en Jpan-kana navigational keyword", 12, 10),
    ):
        queries = factories.judged_queries(factories.a_stratum(corpus, key, planned=count + 20), count)
        found, missed = found + queries[:hits], missed + queries[hits:]
        for tenth in range(10):
            among = Query.objects.filter(pk__in=[query.pk for query in queries[tenth::10]])
            among.update(judged_at=timezone.now() - timedelta(days=20 * tenth))
    factories.a_stratum(corpus, "sr-Latn en Latn question distinctive", planned=100)
    for locale in ("es", "fr", "it", "nl", "pl", "pt", "zh-Hant"):
        factories.a_stratum(corpus, f"en {locale} Latn question distinctive", planned=20)
    factories.a_run(corpus, found, missed)
    factories.a_run(corpus, found[:700], found[700:] + missed, name="b-run")
    factories.some_traffic(corpus, en=0.62, de=0.2, ja=0.13, tr=0.02, sr_Latn=0.03)
    return factories.lena(corpus)


def test_the_board_has_no_violation_and_never_scrolls_sideways(
    any_window: Page, readable: Readable, sign_in: SignIn, lena: User
) -> None:
    sign_in(any_window, lena)
    any_window.goto(ADDRESS)
    readable(any_window, "coverage")
    matrix = any_window.locator("#matrix")
    assert matrix.evaluate(f"table => {CROWDED}") == []
    matrix.get_by_role("link", name="English queries, Chinese (Traditional) documents").focus()
    assert matrix.locator("..").evaluate("region => region.scrollLeft") > 0
    assert matrix.evaluate(f"table => {CROWDED}") == []
    assert matrix.evaluate(HEADS_IN_VIEW) == [60, 0]


def test_a_cell_opens_its_split_without_script(window: Callable[..., Page], sign_in: SignIn, lena: User) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, lena)
    page.goto("/c/claims/coverage/?run=a-run")
    page.get_by_role("link", name="Turkish queries, English documents").click(position={"x": 12, "y": 8})
    split = page.get_by_role("complementary", name="Selected cell")
    assert "Latin without diacritics, Question" in split.inner_text()
    assert "0.09" in split.inner_text()


@pytest.mark.parametrize("size", [(1440, 900), (360, 800)])
def test_the_worst_cell_is_named_within_one_screen(
    window: Callable[..., Page], sign_in: SignIn, lena: User, size: tuple[int, int]
) -> None:
    page = window(viewport={"width": size[0], "height": size[1]})
    sign_in(page, lena)
    page.goto("/c/claims/coverage/?run=a-run")
    card = page.locator(".stat").first
    assert "Turkish × English, Latin without diacritics, question, distinctive" in card.inner_text()
    box = card.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= size[1]


def test_arrows_walk_the_matrix_enter_opens_the_split_and_tab_reaches_the_list(
    page: Page, sign_in: SignIn, lena: User
) -> None:
    sign_in(page, lena)
    page.goto("/c/claims/coverage/?run=a-run")
    assert page.locator('#matrix a[tabindex="0"]').count() == 2, "a cell and its count"
    page.locator('#matrix a[tabindex="0"]').first.focus()
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.get_by_role("link", name="Turkish queries, English documents")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Selected cell")).to_contain_text(
        "Latin without diacritics, Question"
    )
    page.get_by_role("link", name="Turkish queries, English documents").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("198 queries under these filters.")).to_be_visible()
