"""Judging again in a real browser: both texts side by side, a key, and the lead's list; without script; axe."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from curation.models import Corpus, Qrel, Role, User
from tests import factories
from tests.judging import stage
from tests.judging.judges import corpus_of, finish_with, marek

from .conftest import Readable, SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Window = Callable[..., Page]
BEFORE = "The insured bears €1,500 of each hail loss to vehicles garaged in Bavaria.\nGlass is free of deductible."
NOW = "The insured bears €2,000 of each hail loss to vehicles garaged in Bavaria.\nGlass is free of deductible."
PAGE = "/c/claims/judge-again/"


@pytest.fixture
def corpus() -> Corpus:
    """Marek graded d001 and d002; d001 changed since."""
    corpus = corpus_of(1)
    document = corpus.documents.get(external_id="d001")
    stage.a_text(document, BEFORE, title="Hail deductible")
    finish_with(marek(corpus), {"d001": 2, "d002": 1})
    stage.a_text(document, NOW, title="Hail deductible")
    return corpus


@pytest.fixture
def lena(corpus: Corpus) -> User:
    return factories.lena(corpus)


def adjuster(corpus: Corpus) -> User:
    return corpus.memberships.get(role=Role.ADJUSTER).user


def side(page: Page, name: str) -> str:
    return page.get_by_role("region", name=name).inner_text()


def test_a_changed_answer_is_sent_and_judged_again_by_keyboard(
    window: Window, sign_in: SignIn, corpus: Corpus, lena: User
) -> None:
    lead = window()
    sign_in(lead, lena)
    lead.goto(PAGE)
    lead.get_by_role("button", name="Send the one to judges").click()
    expect(lead.locator("tbody")).to_contain_text("waits for a judge")
    judge = window()
    sign_in(judge, adjuster(corpus))
    judge.goto("/c/claims/judge/")
    expect(judge.locator(".reread")).to_contain_text("You graded it 2 on the earlier text.")
    assert "€1,500" in side(judge, "Earlier text of d001")
    assert "€2,000" in side(judge, "Text of d001 now")
    first = judge.url
    expect(judge.locator("#finish")).to_contain_text("Finish: 0 marked")
    for key in ("3", "u", "3"):
        judge.keyboard.press(key)
    expect(judge.locator("#save")).to_have_text("All marks saved")
    judge.keyboard.press("Enter")
    judge.wait_for_url(lambda url: url != first)
    assert Qrel.objects.get(canonical_id="d001").grade == 3
    lead.goto(PAGE)
    expect(lead.locator("main")).to_contain_text("Every settled grade was given to the present text")


def test_without_script_an_answer_is_ticked_sent_and_graded(
    window: Window, sign_in: SignIn, corpus: Corpus, lena: User
) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, lena)
    page.goto(PAGE)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Send the ticked ones").click()
    expect(page.locator("tbody")).to_contain_text("waits for a judge")
    sign_in(page, adjuster(corpus))
    page.goto("/c/claims/judge/")
    assert "€1,500" in side(page, "Earlier text of d001")
    page.get_by_role("radiogroup", name="Grade of d001").get_by_text("2", exact=True).click()
    page.locator("#finish").click()
    expect(page.locator("main")).to_contain_text("Every document is marked.")
    page.get_by_role("button", name="Finish").click()
    expect(page.locator("main")).to_contain_text("finished.")
    qrel = Qrel.objects.select_related("gold_document").get(canonical_id="d001")
    assert qrel.gold_document is not None
    assert qrel.text_sha256 == qrel.gold_document.texts.get(current=True).sha256


def test_the_list_and_the_row_read_well_in_every_look(
    any_window: Page, readable: Readable, sign_in: SignIn, corpus: Corpus, lena: User
) -> None:
    sign_in(any_window, lena)
    any_window.goto(PAGE)
    readable(any_window, "judge-again")
    stage.signed_in(lena).post(f"{PAGE}send", {"all": "1"})
    gone = stage.a_document(corpus, "d900", "Withdrawn.", title="Withdrawn terms", gone_at=corpus.created_at)
    pool = corpus.queries.get().pools.get(closed_at=None)
    pool.candidates.create(document=gone, canonical_id="d900", origins={"hard_negative": None})
    sign_in(any_window, adjuster(corpus))
    any_window.goto("/c/claims/judge/")
    expect(any_window.locator(".gone")).to_contain_text("Gone from the corpus")
    readable(any_window, "judge-again-row")


def test_keys_pass_over_a_document_that_is_gone(page: Page, sign_in: SignIn, corpus: Corpus, lena: User) -> None:
    stage.signed_in(lena).post(f"{PAGE}send", {"all": "1"})
    corpus.documents.filter(external_id="d001").update(gone_at=corpus.created_at)
    pool = corpus.queries.get().pools.get(closed_at=None)
    kept = corpus.documents.get(external_id="d003")
    pool.candidates.create(document=kept, canonical_id="d003", origins={"hard_negative": None})
    sign_in(page, adjuster(corpus))
    page.goto("/c/claims/judge/")
    expect(page.locator("#on-screen")).to_contain_text("of 1 on screen")
    page.keyboard.press("2")
    expect(page.get_by_role("radiogroup", name="Grade of d003").get_by_role("radio", name="2")).to_be_checked()
    assert page.locator(".gone input").count() == 0
