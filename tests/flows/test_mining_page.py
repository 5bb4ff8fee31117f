"""The Mining page in a real browser: a run is started, watched and cancelled without a reload."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone
from playwright.sync_api import Page, expect

from curation import tasks
from curation.actions import generations, holds, mining
from curation.models import Corpus, Job, Miner, TargetIndex, User, WorkerSign
from tests import factories
from tests.curation.mining.claims import bring_claims

from .conftest import Readable, SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ADDRESS = "/c/claims/mining/"


@pytest.fixture
def lena(tmp_path: Path) -> User:
    """A lead whose corpus is mined: one family finished, one failed, one at work, one waiting."""
    corpus = bring_claims(tmp_path)
    now = timezone.now()
    WorkerSign.objects.create(name="here", seen_at=now)
    TargetIndex.objects.update(remine_due_on=date(2027, 1, 1), remine_anchor=date(2026, 1, 1))
    index = corpus.indexes.get()
    generations.open_next(index=index, due_on=(now - timedelta(days=99)).date(), now=now - timedelta(days=99))
    earlier = generations.mine_now(
        corpus=corpus, miners=[Miner.SHORT_KEYWORD, Miner.HARD_NEGATIVE], asked_by=None, now=now
    )
    for job in earlier:
        tasks.work_on(job.pk)
    score_a_slice(corpus)
    generations.open_next(index=index, due_on=(now - timedelta(days=13)).date(), now=now)
    first, second, third, _ = generations.mine_now(corpus=corpus, miners=list(Miner), asked_by=None, now=now)
    tasks.work_on(first.pk)
    held = holds.claim(job_id=second.pk, now=now)
    assert held is not None
    held.progress(2374, 3768, "2,374 of 3,768 queries searched")
    failing = holds.claim(job_id=third.pk, now=now)
    assert failing is not None
    failing.fail("The corpus claims holds no document; import some first.")
    return factories.lena(corpus)


def score_a_slice(corpus: Corpus) -> None:
    """Enough judged queries, answered by exact search, that the chart has something to draw."""
    corpus.queries.update(external_id=Concat(Value("claims-"), "external_id"))  # room for the factory's ids
    queries = factories.judged_queries(factories.a_stratum(corpus), 40)
    exact = factories.a_run(corpus, queries[:30], queries[30:], name="exact")
    exact.embedding_space = corpus.embedding_spaces.get(current=True)
    exact.save(update_fields=["embedding_space"])


def test_the_page_has_no_violation_and_never_scrolls_sideways(
    any_window: Page, readable: Readable, sign_in: SignIn, lena: User
) -> None:
    sign_in(any_window, lena)
    pages = {"mining": ADDRESS, "schedule": f"{ADDRESS}schedule/"}
    pages |= {f"generation {number}": f"{ADDRESS}generations/{number}/" for number in (1, 2)}
    for name, address in pages.items():
        any_window.goto(address)
        readable(any_window, name)


def test_in_a_narrow_window_every_family_shows_its_state_and_its_buttons(
    window: Callable[..., Page], sign_in: SignIn, lena: User
) -> None:
    page = window(viewport={"width": 360, "height": 900})
    sign_in(page, lena)
    page.goto(ADDRESS)
    table = page.get_by_role("table").first
    expect(table.get_by_role("row")).to_have_count(5)  # rows for whoever listens, too
    for shown in (table.get_by_role("button", name="Mine again"), table.get_by_role("cell").filter(has_text="State")):
        for each in shown.all():
            box = each.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360


def test_a_run_is_watched_to_its_end_without_a_reload(window: Callable[..., Page], sign_in: SignIn, lena: User) -> None:
    page = window()
    sign_in(page, lena)
    page.goto(ADDRESS)
    expect(page.get_by_text("2,374 of 3,768 queries searched")).to_be_visible()
    job = Job.objects.get(kind=mining.KIND, state="running")
    Job.objects.filter(pk=job.pk).update(progress_done=3000, progress_words="3,000 of 3,768 queries searched")
    expect(page.get_by_text("3,000 of 3,768 queries searched")).to_be_visible()
    page.get_by_role("button", name="Cancel run").first.click()
    expect(page.get_by_text("Hard negatives: cancelled.")).to_be_visible()
    tasks.work_on(Job.objects.get(state="queued").pk)
    expect(page.get_by_role("region", name="Runs at work")).to_have_count(0)
    expect(page.get_by_text("Mining has ended.")).to_have_count(1)
    expect(page.get_by_text("is still being mined")).to_have_count(0)
    expect(page.get_by_role("navigation").get_by_text("running")).to_have_count(0)


def test_the_next_dates_follow_the_day_chosen(window: Callable[..., Page], sign_in: SignIn, lena: User) -> None:
    page = window()
    sign_in(page, lena)
    page.goto(ADDRESS)
    page.get_by_role("link", name="Change schedule").click()
    page.get_by_label("Quarters count from").fill("2030-01-31")
    expect(page.get_by_text("Tuesday 30 April 2030")).to_be_visible()
    page.get_by_role("button", name="Save schedule").click()
    expect(page.get_by_text("Next quarterly run Thursday 31 January 2030.").first).to_be_visible()


def test_a_generation_is_read_by_keyboard_without_script(
    window: Callable[..., Page], sign_in: SignIn, lena: User
) -> None:
    """From the schedule to the generation, to another family, and back: links and one form do it all."""
    page = window(java_script_enabled=False)
    sign_in(page, lena)
    page.goto(ADDRESS)
    page.get_by_role("link", name="Generation 2", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What changed since generation 1")).to_be_visible()
    page.get_by_role("link", name="Keyword queries").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Keyword queries")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Back to mining").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Mining", exact=True)).to_be_visible()
