"""Reviewing in a real browser: by keys alone, without script, in every look."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from curation.models import Corpus, HardNegative, Miner, MiningRun, Proposal, Query, User
from tests import factories, reviewing

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REVIEW = "/c/claims/review"


@pytest.fixture
def corpus() -> Corpus:
    """A corpus in which a run of each family has ended."""
    corpus = factories.a_corpus("claims", name="Claims search")
    reviewing.some_of_each(corpus)
    return corpus


@pytest.fixture
def lena(corpus: Corpus) -> User:
    """A lead of that corpus."""
    return factories.lena(corpus)


def test_one_proposal_of_each_family_is_accepted_by_keys_alone(page: Page, sign_in: SignIn, lena: User) -> None:
    sign_in(page, lena)
    page.goto(f"{REVIEW}/near_duplicate/")
    page.keyboard.press("3")
    expect(page.get_by_label("2. Write the query that must retrieve this version")).to_have_value(
        "Hail deductible, motor fleet vehicles garaged in Austria"
    )
    expect(page.locator("#fit-1")).to_have_text("no, territory")
    expect(page.locator("#checks")).to_contain_text("Fits 1 of 3 versions")
    page.keyboard.press("a")
    expect(page.get_by_role("status").first).to_contain_text("Accepted")

    page.goto(f"{REVIEW}/rare_entity/")
    page.keyboard.press("e")
    page.keyboard.type("what about barratry by the crew")
    expect(page.locator("#checks")).to_contain_text("6 words")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.get_by_role("status").first).to_contain_text("Accepted")

    page.goto(f"{REVIEW}/short_keyword/")
    page.keyboard.press("a")
    expect(page.get_by_role("status").first).to_contain_text("Accepted")

    made = {query.stratum.slice: query for query in Query.objects.select_related("stratum", "need")}
    assert made["near_duplicate"].need is not None
    assert made["near_duplicate"].need.gold_canonical_id == "HD-C"
    assert made["rare_entity"].text == "what about barratry by the crew"
    assert made["keyword"].text == "hagel sb flotte"


def test_keys_walk_reject_undo_and_open_the_source(page: Page, sign_in: SignIn, corpus: Corpus, lena: User) -> None:
    run = Proposal.objects.get(run__miner=Miner.RARE_ENTITY).run
    reviewing.a_term(run, "jettison", text="A jettison of cargo saves the ship.")
    sign_in(page, lena)
    page.goto(f"{REVIEW}/rare_entity/")
    heading = page.get_by_role("heading", level=1)
    page.keyboard.press("j")
    expect(heading).to_have_text("jettison")
    page.keyboard.press("k")
    expect(heading).to_have_text("barratry")
    page.keyboard.press("o")
    expect(page.locator("#source")).to_have_attribute("open", "")
    page.keyboard.press("2")
    expect(heading).to_have_text("jettison")
    page.keyboard.press("r")
    expect(page.get_by_text("All reviewed")).to_be_visible()
    page.keyboard.press("u")
    expect(heading).to_have_text("jettison")
    page.keyboard.press("/")
    page.keyboard.type("barr")
    page.keyboard.press("Enter")
    expect(page.get_by_role("navigation", name="Queue").get_by_role("link")).to_have_count(1)
    statuses = Proposal.objects.filter(run=run).order_by("rank").values_list("status", "reason")
    assert list(statuses) == [("rejected", "misspelling"), ("pending", "")]


def test_a_refused_query_keeps_its_field_in_focus_and_the_address_of_its_proposal(
    page: Page, sign_in: SignIn, lena: User
) -> None:
    sign_in(page, lena)
    page.goto(f"{REVIEW}/near_duplicate/")
    page.keyboard.press("e")
    page.keyboard.type("hail deductible")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").or_(page.get_by_role("status")).first).to_contain_text("fits 3 of 3 versions")
    expect(page.locator("#text")).to_be_focused()
    assert page.url.endswith(f"{REVIEW}/near_duplicate/?at={Proposal.objects.get(group__isnull=False).pk}")
    page.keyboard.type(" in Austria")
    expect(page.locator("#text")).to_have_value("hail deductible in Austria")
    expect(page.locator("#checks")).to_contain_text("The 2 other versions are stored as the query's negatives")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hail deductible, motor fleet")


def test_every_reason_of_a_group_has_a_letter_and_the_help_tells_all_keys(
    page: Page, sign_in: SignIn, lena: User
) -> None:
    sign_in(page, lena)
    page.goto(f"{REVIEW}/near_duplicate/")
    page.keyboard.press("?")
    told = page.get_by_role("dialog")
    for words in ("Reject: facts misread", "Next proposal", "Previous proposal", "Skip to the next", "Undo your last"):
        expect(told).to_contain_text(words)
    page.keyboard.press("Escape")
    page.keyboard.press("y")
    expect(page.get_by_text("All reviewed")).to_be_visible()
    assert Proposal.objects.get(group__isnull=False).reason == "facts misread"


def test_a_narrow_window_keeps_the_query_its_fit_and_most_of_its_height(
    window: Callable[..., Page], sign_in: SignIn, lena: User
) -> None:
    page = window(viewport={"width": 360, "height": 740})
    sign_in(page, lena)
    page.goto(f"{REVIEW}/near_duplicate/")
    bar = page.locator(".foot").bounding_box()
    assert bar is not None
    assert bar["height"] <= 64
    expect(page.get_by_role("button", name="Accept with this query")).to_be_in_viewport(ratio=1)
    field = page.locator("#text").bounding_box()
    assert field is not None
    assert field["width"] >= 320
    page.locator("#fit-1").scroll_into_view_if_needed()
    cell = page.locator("#fit-1").bounding_box()
    assert cell is not None
    assert 0 <= cell["x"] <= cell["x"] + cell["width"] <= 360


def test_a_group_is_reviewed_without_script(window: Callable[..., Page], sign_in: SignIn, lena: User) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, lena)
    page.goto(f"{REVIEW}/near_duplicate/")
    page.get_by_label("Version 2: HD-B").check()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_label("2. Write the query")).to_have_value(
        "Hail deductible, motor fleet vehicles garaged in Germany hail loss from 1 April 2024"
    )
    page.get_by_label("2. Write the query").fill("hail deductible")
    page.get_by_role("button", name="Accept with this query").click()
    expect(page.locator("#refusal")).to_contain_text("The query fits 3 of 3 versions.")
    page.get_by_label("2. Write the query").fill("hail deductible in Germany from 1 April 2024")
    page.get_by_role("button", name="Accept with this query").click()
    expect(page.get_by_text("All reviewed")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 360])
def test_a_hard_negative_is_sent_to_judging_by_keys_alone(
    window: Callable[..., Page],
    violations: Callable[[Page], list[str]],
    sign_in: SignIn,
    corpus: Corpus,
    lena: User,
    width: int,
) -> None:
    run = reviewing.a_finished_run(corpus, Miner.HARD_NEGATIVE)
    (query,) = factories.judged_queries(factories.a_stratum(corpus), 1)
    MiningRun.objects.update(params={"wanted": 8, "retrievers": ["exact", "bm25"]})
    names = [f"document {number}" for number in range(2, 31)]
    for rank, name in enumerate(("first", *names), 1):
        document = reviewing.a_document(corpus, name, f"Text of {name}.", title=f"Title of {name}")
        places = {"places": {"bm25": rank if rank < 20 else None}, "lowest_place": rank if rank < 20 else None}
        fields = {"canonical_id": document.canonical_id, "rank": rank, "score": 1 / rank, **places}
        HardNegative.objects.create(run=run, query=query, document=document, **fields)
    page = window(viewport={"width": width, "height": 900})
    sign_in(page, lena)
    page.goto("/c/claims/hard-negatives/")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for _ in range(29):
        page.keyboard.press("j")
    page.keyboard.press("p")
    said = page.get_by_role("status").first
    expect(said).to_contain_text(f"document 30 waits in the pool of query {query.external_id}")
    expect(said).to_be_in_viewport()
    row = page.get_by_role("row", name="Title of document 30")
    expect(row).to_contain_text("waits to be judged")
    expect(row).to_be_in_viewport()
    page.keyboard.press("k")
    expect(page.get_by_role("row", name="Title of document 29")).to_have_attribute("aria-current", "true")
    assert violations(page) == []


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 360)], ids=["dark", "narrow"])
def test_similarity_and_true_duplicates_open_without_a_violation(
    window: Callable[..., Page],
    violations: Callable[[Page], list[str]],
    sign_in: SignIn,
    lena: User,
    theme: str,
    width: int,
) -> None:
    kept = {"threshold": 0.9, "documents": "as they were", "true_duplicates": [["cargo", "cargo-again"]]}
    MiningRun.objects.filter(miner=Miner.NEAR_DUPLICATE).update(params=kept)
    page = window(color_scheme=theme, viewport={"width": width, "height": 900})
    sign_in(page, lena)
    page.goto(f"{REVIEW}/near_duplicate/")
    page.get_by_text("Similarity from 0.9 · 1 true duplicate").click()
    expect(page.get_by_text("cargo = cargo-again")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_label("Similarity from").fill("0.95")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("so its scores are out of date; mine again.")


@pytest.mark.parametrize("family", ["near_duplicate", "rare_entity", "short_keyword"])
@pytest.mark.parametrize(
    ("theme", "width"), [("light", 1440), ("dark", 1440), ("light", 360)], ids=["light", "dark", "narrow"]
)
def test_no_family_has_a_violation_or_scrolls_sideways(
    window: Callable[..., Page],
    violations: Callable[[Page], list[str]],
    sign_in: SignIn,
    lena: User,
    family: str,
    theme: str,
    width: int,
) -> None:
    page = window(color_scheme=theme, viewport={"width": width, "height": 900})
    sign_in(page, lena)
    page.goto(f"{REVIEW}/{family}/")
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{folder}/review-{family}-{theme}-{width}.png")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
