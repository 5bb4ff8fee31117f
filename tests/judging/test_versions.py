"""Near-duplicates and folded translations on the pages: what all share, what differs, and what is claimed of neither."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.models import Corpus
from judging.models import Candidate, Pool
from judging.reports import findings
from tests import factories
from tests.judging import stage
from tests.judging.judges import another, held_by, marek
from tests.judging.test_pool_page import PAGE, group_together, opened, with_documents

pytestmark = pytest.mark.django_db

TEXT = "Hail is paid.\n\nA waiting period of 8 hours comes first. We pay at most {limit} since {date} and in {place}."
EDITIONS = (
    ("CY-EX-114-A", "EUR 250,000", "1 January 2022", "Austria"),
    ("CY-EX-114-B", "EUR 500,000", "1 July 2024", "Austria"),
    ("CY-EX-114-TR", "TRY 15,000,000", "1 July 2024", "Türkiye"),
)
TOLD = (
    '<span class="slot">EUR 250,000</span> since <span class="slot">1 January 2022</span> and in <span class="slot">Austria</span>.',
    '<span class="slot">EUR 500,000</span> since <span class="slot"><mark>1 July 2024</mark></span> and in',
    '<span class="slot">TRY 15,000,000</span> since <span class="slot"><mark>1 July 2024</mark></span> and in <span class="slot">Türkiye</span>.',
)


@pytest.fixture
def corpus() -> Corpus:
    """Three editions that are near-duplicates, and a document beside them; two people judge the query."""
    texts = [TEXT.format(limit=limit, date=date, place=place) for _, limit, date, place in EDITIONS]
    documents = [
        {"id": name, "text": text, "facts": {"effective_date": "2024-07-01"}}
        for (name, *_), text in zip(EDITIONS, texts, strict=True)
    ]
    corpus = with_documents(*documents, {"id": "CY-PW-24", "text": "Snow is 8 hours late."})
    group_together(corpus, *(name for name, *_ in EDITIONS))
    Pool.objects.all().delete()
    corpus.strata.update(opinions=2)
    stage.call("draw_pools", corpus)
    return corpus


def passages(page: str) -> dict[str, str]:
    """The whole passage of each document; without titles it stands under the id."""
    return dict(re.findall(r'<h2[^>]*>([^<]*)</h2>.*?<div class="passage"[^>]*>(.*?)</div>', page))


def test_a_group_bears_its_code_and_what_is_the_same_in_all(corpus: Corpus) -> None:
    page, _ = opened(corpus)
    head = page[page.index('<section class="grp"') : page.index('<article class="mem"')]
    assert "<small><bdi>CY-EX-114</bdi></small>" in head
    assert 'Same in all 3: <bdi lang="en">waiting period of 8 hours</bdi>, effective 1 Jul 2024</span>' in head
    assert page.count("Same in all 3") == 2  # the line, and its title


def test_values_that_differ_stand_in_slots_and_highlights_within_them(corpus: Corpus) -> None:
    shown = passages(opened(corpus)[0])
    for (name, *_), told in zip(EDITIONS, TOLD, strict=True):
        assert told in shown[name]
        assert "period of 8 hours comes" in shown[name]
    assert "slot" not in shown["CY-PW-24"]


def test_a_drawn_pool_keeps_what_near_duplicates_state_and_no_opening_reads_it_again(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings, "stated_in", None)
    assert TOLD[2] in passages(opened(corpus)[0])["CY-EX-114-TR"]
    assert not Candidate.objects.filter(highlights__has_key="stated", document__external_id="CY-PW-24").exists()


def test_a_group_that_was_mined_later_is_read_at_its_first_opening_alone(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    for candidate in Candidate.objects.all():
        bare = {name: kept for name, kept in candidate.highlights.items() if name not in {"stated", "values"}}
        Candidate.objects.filter(pk=candidate.pk).update(highlights=bare)
    first, held = opened(corpus)
    assert TOLD[2] in passages(first)["CY-EX-114-TR"]
    monkeypatch.setattr(findings, "stated_in", None)
    judge = marek(corpus)
    with CaptureQueriesContext(connection) as asked:
        judge.client.get(f"/c/claims/judge/{held.pk}/")
    assert len(asked) == PAGE


def test_a_lead_reads_a_disputed_document_with_the_same_slots(corpus: Corpus) -> None:
    for judge, grade in ((marek(corpus), 3), (another(corpus), 0)):
        held = held_by(judge)
        judge.mark(held, "CY-EX-114-TR", grade)
        judge.finish(held, "CY-EX-114-TR", nothing_because="" if grade else "none_answers")
    page = stage.signed_in(factories.lena(corpus)).get("/c/claims/disagreements/").content.decode()
    passage = page[page.index('<p class="passage"') : page.index("<summary>The whole text")]
    assert TOLD[2] in passage


def test_translations_tell_which_facts_they_declare_alike_and_otherwise() -> None:
    facts = {"effective_date": "2024-07-01", "limit_amount": "EUR 250000"}
    corpus = with_documents(
        {"id": "en", "canonical_id": "hail", "facts": facts, "is_source": True},
        {"id": "de", "canonical_id": "hail", "language": "de", "facts": {**facts, "limit_amount": "EUR 500000"}},
        {"id": "fr", "canonical_id": "hail", "language": "fr", "facts": {**facts, "limit_amount": "250 000 EUR"}},
        {"id": "ja", "canonical_id": "hail", "language": "ja"},
        {"id": "plain", "canonical_id": "snow", "is_source": True},
        {"id": "plain-de", "canonical_id": "snow", "language": "de"},
    )
    page, _ = opened(corpus)
    listed = re.findall(r"<li data-document.*?</li>", page)
    assert [re.sub("<[^>]+>", "", each).strip() for each in listed] == [
        "German: other limit EUR 500,000, same date",
        "French: same date, same limit",
        "Japanese: date declared in one only, limit declared in one only",
        "German",
    ]
    assert ["i-ok" in each for each in listed] == [False, True, False, False]
    assert ['class="ne"' in each for each in listed] == [True, False, False, False]
