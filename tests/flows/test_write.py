"""Writing in a real browser: by keyboard, with drafts, without script, in three writing systems."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from curation.models import Corpus, Need, Query, Role, User
from tests import factories
from tests.curation.writing.scene import a_need, an_article

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Window = Callable[..., Page]
Violations = Callable[[Page], list[str]]
ADDRESS = "/c/claims/write/"
NARROW = {"width": 360, "height": 780}
TEXTS = {
    "tr": "tır gece bekçisiz parkta kalırsa hırsızlık ödenir mi",
    "ar": "هل تُغطّى سرقة البضاعة إذا باتت الشاحنة في موقف بلا حراسة؟",
    "ja": "夜間に無人の駐車場で積荷が盗まれたら補償される？",
}
SPELT = {
    "tr": "tir gece bekcisiz parkta kalirsa hirsizlik odenir mi",
    "ar": "هل تغطى سرقة البضاعة اذا باتت الشاحنة في موقف بلا حراسة؟",
    "ja": "やかんにむじんのちゅうしゃじょう",
}

LONG = "A carrier asks whose cargo was stolen while the lorry stood in a car park without a guard. " * 4
IS_CUT = "each => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1"


@pytest.fixture
def corpus() -> Corpus:
    corpus = factories.a_corpus("claims", name="Claims search")
    an_article(corpus, "CG-214", "en", "tr", "ja")
    for stratum in ("tr en Latn", "ar en Arab", "ja en Jpan-kanji"):
        factories.a_stratum(corpus, f"{stratum} question distinctive", planned=100)
    for text in ("Is theft covered at night?", "Who pays for wet cargo?", "When does the report come?"):
        a_need(corpus, text, gold_canonical_id="CG-214", context="A carrier asks")
    return corpus


@pytest.fixture
def elif_(corpus: Corpus) -> User:
    return factories.member(corpus, factories.person("elif"), Role.WRITER, languages=list(TEXTS))


@pytest.fixture
def desk(page: Page, sign_in: SignIn, elif_: User) -> Page:
    sign_in(page, elif_)
    page.goto(f"{ADDRESS}?locale=tr")
    return page


def typed(page: Page, text: str) -> None:
    """Type `text` where the caret stands once the page is open; keys that come sooner are keys of the page."""
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type(text)


def checked(page: Page, text: str) -> None:
    """Type `text` and wait until the checks know it."""
    page.locator("#text").fill(text)
    page.locator("#lands").get_by_text("→").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["tr", "ar", "ja"])
@pytest.mark.parametrize("width", [1440, 360])
def test_desk_shows_a_long_need_whole_beside_its_field_without_violation_or_sideways_scroll(
    window: Window, sign_in: SignIn, violations: Violations, elif_: User, theme: str, locale: str, width: int
) -> None:
    Need.objects.update(context=LONG)
    page = window(color_scheme=theme, viewport={"width": width, "height": 780})
    sign_in(page, elif_)
    page.goto(f"{ADDRESS}?locale={locale}")
    assert [page.locator(each).evaluate(IS_CUT) for each in (".q h1", ".q .need")] == [False, False]
    expect(page.locator("#text")).to_be_in_viewport(ratio=1)
    assert violations(page) == []
    checked(page, TEXTS[locale])
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("where", ["queries/", "queries/?status=retired", "needs/", "needs/add/", "plan/", "write/"])
@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 360)])
def test_pages_of_a_lead_have_no_violation_and_no_sideways_scroll(
    window: Window, sign_in: SignIn, violations: Violations, corpus: Corpus, where: str, theme: str, width: int
) -> None:
    factories.a_query(factories.a_stratum(corpus, "ar en Arab question distinctive"), TEXTS["ar"])
    page = window(color_scheme=theme, viewport={"width": width, "height": 780})
    sign_in(page, factories.lena(corpus))
    page.goto(f"/c/claims/{where}")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_page_of_a_query_has_no_violation(
    window: Window, sign_in: SignIn, violations: Violations, corpus: Corpus, theme: str
) -> None:
    [query] = factories.judged_queries(factories.a_stratum(corpus), 1)
    page = window(color_scheme=theme)
    sign_in(page, factories.lena(corpus))
    page.goto(f"/c/claims/queries/{query.pk}/")
    assert violations(page) == []


@pytest.mark.parametrize("locale", ["tr", "ar", "ja"])
def test_query_is_written_saved_and_undone_by_keyboard_alone(
    page: Page, sign_in: SignIn, elif_: User, locale: str
) -> None:
    sign_in(page, elif_)
    page.goto(f"{ADDRESS}?locale={locale}")
    typed(page, TEXTS[locale])
    page.locator("#lands").get_by_text("→").wait_for()
    page.keyboard.press("F2")
    if locale == "ja":
        page.keyboard.type(SPELT[locale])
        page.locator("#spellings").get_by_text("0 → 1").wait_for()
    expect(page.locator("#spellings")).to_contain_text("will be saved too")
    page.keyboard.press("Enter")
    page.get_by_text("Query saved:").wait_for()
    original, variant = Query.objects.order_by("pk")
    assert (original.text, variant.text, variant.variant_of) == (TEXTS[locale], SPELT[locale], original)
    expect(page.locator("#text")).to_have_value("")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.get_by_text("Query taken back.").wait_for()
    assert set(Query.objects.values_list("status", flat=True)) == {"retired"}
    expect(page.locator("#text")).to_have_value(TEXTS[locale])
    expect(page.locator("[name^=respelt-]").first).to_have_value(SPELT[locale])


TEN = [
    ("tr", "tır gece çalınırsa ödenir mi", "", "Turkish × English, Latin without diacritics"),
    ("tr", "ıslanan yükü kim öder", "", "Turkish × English, Latin without diacritics"),
    ("ja", "夜間の盗難は補償される？", "やかんのとうなんはほしょうされる？", "Japanese × English, Kana"),
    ("ja", "荷物の濡損は誰が払う？", "にもつのぬれぞんはだれがはらう？", "Japanese × English, Kana"),
    ("ar", "هل تُغطّى السرقة إذا باتت الشاحنة؟", "", "Arabic × English, Arabic without hamza and vowel marks"),
    ("ar", "من يدفع إذا ابتلت البضاعة؟", "", "Arabic × English, Arabic without hamza and vowel marks"),
    ("sr-Latn", "da li je krađa noću pokrivena?", "", "Serbian (Latin) × English, Latin without diacritics"),
    ("sr-Latn", "ko plaća štetu od vode?", "", "Serbian (Latin) × English, Latin without diacritics"),
    ("th", "ประกันจ่ายไหมถ้าสินค้าถูกขโมย", "", ""),
    ("th", "ใครจ่ายถ้าสินค้าเปียก", "", ""),
]
"""Locale, text, what has to be typed for its other spelling, and the cell of that spelling."""


def test_ten_queries_in_five_languages_move_the_cells_of_their_spellings(
    page: Page, sign_in: SignIn, corpus: Corpus
) -> None:
    for stratum in ("sr-Latn en Latn", "th en Thai"):
        factories.a_stratum(corpus, f"{stratum} question distinctive", planned=100)
    locales = sorted({locale for locale, *_ in TEN})
    sign_in(page, factories.member(corpus, factories.person("writer"), Role.WRITER, languages=locales))
    for number, (locale, text, by_hand, cell) in enumerate(TEN):
        have = number % 2
        page.goto(f"{ADDRESS}?locale={locale}")
        typed(page, text)
        page.locator("#lands").get_by_text(f"{have} → {have + 1}").wait_for()
        if by_hand or (cell and not have):  # the second one of a language finds its spelling chosen
            page.keyboard.press("F2")
        page.keyboard.type(by_hand)
        if cell:
            expect(page.locator(".var:has(:checked) .end").first).to_contain_text(f"{have} → {have + 1}")
        page.keyboard.press("Enter")
        saved = page.get_by_text("Query saved:")
        saved.wait_for()
        expect(saved).to_contain_text(f"{have + 1} of 30.")
        if cell:
            expect(saved).to_contain_text(f"In another spelling: {cell}, question, distinctive. {have + 1} of 30.")
    assert (Query.objects.filter(origin="written").count(), Query.objects.filter(origin="variant").count()) == (10, 8)


def test_keys_walk_the_queue_skip_and_come_back_to_the_field(desk: Page) -> None:
    title = desk.locator("h1")
    expect(title).to_have_text("Is theft covered at night?")
    for key, need in (("j", "Who pays"), ("j", "When does"), ("k", "Who pays"), ("s", "Is theft")):
        expect(desk.locator("#text")).to_be_focused()
        desk.keyboard.press("Escape")
        desk.keyboard.press(key)
        expect(title).to_contain_text(need)
    assert [text.strip() for text in desk.locator(".queue li").all_inner_texts()][-1] == "Who pays for wet cargo?"
    desk.keyboard.press("Escape")
    expect(desk.locator("#text")).not_to_be_focused()
    desk.keyboard.press("e")
    expect(desk.locator("#text")).to_be_focused()


def test_enter_outside_the_field_saves_too(desk: Page) -> None:
    checked(desk, TEXTS["tr"])
    desk.keyboard.press("Escape")
    desk.keyboard.press("Enter")
    desk.get_by_text("Query saved:").wait_for()


def test_enter_of_an_input_method_does_not_save(desk: Page) -> None:
    desk.locator("#text").fill("や")
    prevented = desk.locator("#text").evaluate(
        """(field) => [{ isComposing: true }, { keyCode: 229 }].map((how) => !field.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how })))"""
    )
    assert prevented == [True, True]
    assert not Query.objects.exists()


def test_letters_of_the_locale_go_where_the_caret_is(desk: Page) -> None:
    desk.locator("#text").fill("al")
    desk.locator("#text").evaluate("(field) => field.setSelectionRange(0, 0)")
    desk.get_by_role("button", name="ç", exact=True).click()
    desk.get_by_role("button", name="ş", exact=True).click(modifiers=["Shift"])
    expect(desk.locator("#text")).to_have_value("çŞal")
    expect(desk.locator("#text")).to_be_focused()


def test_draft_survives_a_reload_and_another_need_and_is_gone_once_saved(desk: Page) -> None:
    desk.locator("#text").fill("yarım kalan")
    desk.get_by_label("Type", exact=True).select_option("question")
    desk.reload()
    expect(desk.locator("#text")).to_have_value("yarım kalan")
    expect(desk.get_by_label("Type", exact=True)).to_have_value("question")
    desk.locator("#lands").get_by_text("→").wait_for()
    desk.get_by_role("link", name="Who pays for wet cargo?").click()
    expect(desk.locator("#text")).to_have_value("")
    desk.get_by_role("link", name="Is theft covered at night?").click()
    expect(desk.locator("#text")).to_have_value("yarım kalan")
    desk.keyboard.press("Enter")
    desk.get_by_text("Query saved:").wait_for()
    assert desk.evaluate("Object.keys(localStorage)") == []


CLICKS = "(button, times) => { while (times--) button.click(); return button.getAttribute('aria-busy'); }"


@pytest.mark.parametrize("with_script", [True, False], ids=["with script", "without script"])
def test_c64_five_clicks_save_one_query_and_the_button_is_busy(
    window: Window, sign_in: SignIn, elif_: User, cases: Path, with_script: bool
) -> None:
    given = json.loads((cases / "c64-scenario.json").read_text(encoding="utf-8"))
    page = window(java_script_enabled=with_script)
    sign_in(page, elif_)
    page.goto(f"{ADDRESS}?locale={given['form']['locale']}")
    page.locator("#text").fill(given["form"]["text"])
    save = page.get_by_role("button", name="Save and next")
    if with_script:
        assert save.evaluate(CLICKS, given["clicks"]) == "true"
    else:
        save.click(click_count=given["clicks"])
    page.get_by_text("Query saved:").wait_for()
    assert Query.objects.count() == given["expect"]["queries"]


def test_draft_sent_again_after_a_lost_answer_makes_no_second_query(desk: Page) -> None:
    def lose(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch(max_redirects=0)
            route.abort()
        else:
            route.continue_()

    desk.locator("#text").fill(TEXTS["tr"])
    desk.route("**/write/?*", lose)
    with desk.expect_event("requestfailed"):
        desk.keyboard.press("Enter")
    desk.unroute("**/write/?*")
    assert Query.objects.count() == 1
    desk.goto(f"{ADDRESS}?locale=tr")
    assert desk.evaluate("Object.keys(localStorage)") == []


def test_identical_text_is_told_while_typing_and_nothing_moves(desk: Page, corpus: Corpus) -> None:
    typed(desk, TEXTS["tr"])
    desk.keyboard.press("Enter")
    desk.get_by_text("Query saved:").wait_for()
    desk.reload()
    before = desk.locator("#typing").bounding_box()
    desk.locator("#text").fill(TEXTS["tr"].replace("i", "İ").upper())
    desk.locator("#text-error").get_by_text("is the same text, once case and spaces are folded").wait_for()
    assert desk.locator("#typing").bounding_box() == before
    expect(desk.locator("#said")).to_contain_text(Query.objects.get().external_id)
    expect(desk.locator("#text")).to_be_focused()


def test_other_side_of_the_gold_document_shows_without_script(window: Window, sign_in: SignIn, elif_: User) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, elif_)
    page.goto(f"{ADDRESS}?locale=tr")
    expect(page.get_by_text("Gece park koşulu")).to_be_visible()
    expect(page.get_by_text("Overnight parking condition")).not_to_be_visible()
    page.get_by_text("English original").click()
    expect(page.get_by_text("Overnight parking condition")).to_be_visible()


def test_checking_and_saving_work_without_script(window: Window, sign_in: SignIn, elif_: User) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, elif_)
    page.goto(f"{ADDRESS}?locale=tr")
    page.locator("#text").fill(TEXTS["tr"])
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#lands")).to_contain_text("0 → 1")
    page.locator("#text").press("Enter")
    page.get_by_text("Query saved:").wait_for()
    assert Query.objects.get().text == TEXTS["tr"]


def test_pressing_save_five_times_makes_one_query(desk: Page) -> None:
    desk.locator("#text").fill(TEXTS["tr"])
    desk.locator("button.primary").evaluate("(button) => { for (let n = 0; n < 5; n += 1) button.click(); }")
    desk.get_by_text("Query saved:").wait_for()
    assert Query.objects.count() == 1
