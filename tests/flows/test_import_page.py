"""The import screen in a real browser: chosen, looked at and stored, with and without script."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from curation.models import Document, Query, User
from tests import factories

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROWS = [
    {"id": "Q-17", "text": "kasko muafiyeti ne kadar", "locale": "tk-nope", "gold_doc_id": "MF-HD-31"},
    {
        "id": "Q-18",
        "text": "dolu hasarı muafiyet filo",
        "locale": "tr",
        "gold_doc_id": "MF-HD-31",
        "query_type": "soru",
    },
    {"id": "Q-19", "text": "fidye ödemesi için kim onay verir", "locale": "tr", "gold_doc_id": "CG-077X"},
    {"id": "Q-20", "text": "ERR_MANDATE_REVOKED ne demek", "locale": "tr"},
    {"id": "Q-21", "text": "أين أبلغ عن الأضرار؟", "locale": "ar", "information_need": "Where do I report damage?"},
]


@pytest.fixture
def lena() -> User:
    corpus = factories.a_corpus("claims", name="Claims search")
    Document.objects.create(corpus=corpus, external_id="MF-HD-31", canonical_id="MF-HD-31", language="de")
    return factories.lena(corpus)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tr_batch3.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def look_at(page: Page, file: Path) -> None:
    page.goto("/c/claims/import/")
    page.get_by_label("Queries", exact=True).check()
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Look at the file").click()
    page.get_by_role("heading", name="Import queries").wait_for()


@pytest.mark.parametrize(
    ("theme", "width"), [("light", 1440), ("dark", 1440), ("light", 360)], ids=["light", "dark", "narrow"]
)
def test_the_screen_has_no_violation_and_never_scrolls_sideways(
    window: Callable[..., Page],
    violations: Callable[[Page], list[str]],
    sign_in: SignIn,
    lena: User,
    file: Path,
    theme: str,
    width: int,
) -> None:
    page = window(color_scheme=theme, viewport={"width": width, "height": 900})
    sign_in(page, lena)
    for step in ("choose", "preview"):
        page.goto("/c/claims/import/") if step == "choose" else look_at(page, file)
        if folder := os.environ.get("SCREENSHOTS"):
            page.screenshot(path=f"{folder}/import-{step}-{theme}-{width}.png", full_page=True)
        assert violations(page) == [], step
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), step


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_a_lead_looks_at_a_file_and_stores_its_good_rows(
    window: Callable[..., Page], sign_in: SignIn, lena: User, file: Path, *, script: bool
) -> None:
    page = window(java_script_enabled=script)
    sign_in(page, lena)
    look_at(page, file)
    assert "CG-077X" in page.get_by_role("region", name="What cannot be imported").inner_text()
    page.get_by_role("button", name="Store the 3 good rows").click()
    page.get_by_role("heading", name="Imported queries").wait_for()
    assert sorted(Query.objects.values_list("external_id", flat=True)) == ["Q-18", "Q-20", "Q-21"]
