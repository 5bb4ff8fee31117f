"""Judging rules and the pool of a query, in a real browser: readable in both themes and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from curation.models import Query, Stratum, User
from judging.models import Pool
from tests import factories
from tests.judging import stage

from .conftest import Readable, SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def lena() -> User:
    """A lead whose corpus has a query with its pool, drawn without the production index."""
    corpus = stage.a_judged_corpus(6)
    Pool.objects.update(unanswered={"production": "The index hnsw does not answer."})
    return factories.lena(corpus)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"color_scheme": "dark"},
        {"viewport": {"width": 360, "height": 740}},
        {"java_script_enabled": False},
    ],
    ids=["light", "dark", "phone", "no script"],
)
def test_a_lead_sets_the_rules_and_reads_a_pool(
    window: Callable[..., Page], sign_in: SignIn, readable: Readable, lena: User, how: dict[str, object]
) -> None:
    page = window(**how)
    sign_in(page, lena)
    page.goto("/c/claims/judging-rules/")
    page.get_by_label("Opinions on a query of Turkish").select_option("2")
    page.get_by_label(re.compile("^Pool of Turkish")).select_option("pooled10")
    page.get_by_role("button", name="Save Turkish").click()
    expect(page.get_by_text("1 waiting pool that nobody had begun")).to_be_visible()
    expect(page.get_by_role("button", name="Save Turkish")).to_be_focused()
    assert (Stratum.objects.get().opinions, Stratum.objects.get().pool_kind) == (2, "pooled10")
    if how.get("java_script_enabled", True):
        readable(page, "rules")
    page.goto(f"/c/claims/queries/{Query.objects.get().pk}/pool/")
    expect(page.get_by_text("Drawn without the production index")).to_be_visible()
    if how.get("java_script_enabled", True):
        readable(page, "pool")
