"""The agreement page in a browser: figures, charts with their tables, flips, in both themes, mirrored and narrow."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page

from curation.models import Role, User
from tests import factories
from tests.judging import two_judges
from tests.judging.two_judges import SWEPT, Said

from .conftest import EveryLook, SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Window = Callable[..., Page]
ADDRESS = "/c/claims/agreement/"


@pytest.fixture
def lena() -> User:
    """A lead of a corpus with pairs in three months, a tenth of relevant answers missed, and cells near the floor."""
    corpus = factories.a_corpus("claims", name="Claims search")
    two_judges.documents(corpus, 50)
    lead, marek = factories.lena(corpus), factories.marek(corpus)
    bora = factories.member(corpus, factories.person("bora"), Role.ADJUSTER)
    relevant = {f"d{number}": 3 for number in range(40)}
    for number in range(15):
        missed: list[Said] = [SWEPT if place % 7 == number % 7 else 3 for place in range(40)]
        agreed: list[Said] = [3 if place < 40 else 0 for place in range(50)]
        said: dict[User, list[Said]] = {marek: agreed, bora: missed + [SWEPT] * 10}
        at = datetime(2026, 1 + number % 3, 9, tzinfo=UTC)
        locale = "tr en Latn" if number % 2 else "de de Latn"
        query = two_judges.a_query_of(corpus, said, at=at, stratum=f"{locale} question distinctive")
        two_judges.settled(query, relevant)
    judged = factories.judged_queries(factories.a_stratum(corpus), 118)
    factories.a_run(corpus, judged[:68], judged[68:], name="newer")
    return lead


def test_figures_charts_and_flips_read_well_in_every_look(
    page: Page, every_look: EveryLook, sign_in: SignIn, lena: User
) -> None:
    sign_in(page, lena)
    page.goto(f"{ADDRESS}?run=newer")
    assert page.get_by_role("img").count() == page.locator("svg.chart[aria-label]").count() == 2
    every_look(page, "agreement-figures")


def test_without_script_the_page_says_the_same_and_disagreements_leads_to_it(
    window: Window, sign_in: SignIn, lena: User
) -> None:
    page = window(java_script_enabled=False)
    sign_in(page, lena)
    page.goto("/c/claims/disagreements/")
    page.get_by_role("link", name="By cell, judges, month and place").click()
    assert page.get_by_role("heading", name="Agreement", exact=True).is_visible()
    page.goto(f"{ADDRESS}?run=newer")
    assert page.get_by_text("3 flipped grades would lift it over 0.60").is_visible()
    page.get_by_label("Query language").select_option("de")
    page.get_by_role("button", name="Show").click()
    assert page.get_by_text("No query of these cells is counted.").is_visible()
