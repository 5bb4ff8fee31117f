"""What a query finds in its candidates is kept beside them, and never outlives the texts and words it speaks of."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from curation.models import Corpus, Need
from judging.models import Candidate
from judging.reports import findings
from judging.reports.highlights import Highlighter, Wording
from judging.reports.passages import best_passage
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db
FIRST = "A roof. A hail storm from 1 July 2024 is paid."


@pytest.fixture
def corpus() -> Corpus:
    corpus = factories.a_corpus()
    facts = {"effective_date": "2024-07-01"}
    stage.a_document(corpus, "d", FIRST, title="Hail", facts=facts)
    stage.a_space(corpus, {"d": 0.0})
    need = Need.objects.create(corpus=corpus, text="What is paid after hail from 1 July 2024?")
    stage.aims(factories.a_query(factories.a_stratum(corpus), "dolu", need=need))
    stage.call("draw_pools", corpus)
    factories.marek(corpus)
    return corpus


def page_of(corpus: Corpus) -> str:
    judge = Judge(corpus.memberships.get(user__username="marek").user)
    held = judge.next()
    assert held is not None
    page = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    return page[page.index("<article") : page.index("</article>")]


def candidate() -> Candidate:
    return Candidate.objects.get()


def test_a_drawn_pool_keeps_what_its_query_finds(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    assert candidate().highlights["title"] == [0, 4]
    monkeypatch.setattr(findings, "Highlighter", None)  # opening it reads no text again
    assert "A <mark>hail</mark> storm from <mark>1 July 2024</mark> is <mark>paid</mark>." in page_of(corpus)


def test_a_pool_of_before_shows_the_same_and_keeps_it_once_opened(corpus: Corpus) -> None:
    kept, page = candidate().highlights, page_of(corpus)
    Candidate.objects.update(highlights={})
    assert page_of(corpus) == page
    assert candidate().highlights == kept


def test_a_text_that_changed_is_read_anew(corpus: Corpus) -> None:
    page_of(corpus)
    stage.a_text(corpus.documents.get(), "Snow is paid. " + FIRST, title="Snow and hail")
    page = page_of(corpus)
    assert "Snow and <mark>hail</mark>" in page
    assert "Snow is <mark>paid</mark>." in page
    assert candidate().highlights["title"] == [9, 13]


def test_a_query_a_need_a_fact_or_a_language_that_changed_is_looked_for_anew(corpus: Corpus) -> None:
    assert "<mark>1 Jul 2024</mark>" in page_of(corpus)
    corpus.queries.update(text="roof")
    assert "A <mark>roof</mark>." in page_of(corpus)
    Need.objects.update(text="Which storm?")
    assert "A hail <mark>storm</mark> from 1 July 2024 is paid." in page_of(corpus)
    Need.objects.update(text="Which storm on 2 May 2025?")
    corpus.documents.update(facts={"effective_date": "2025-05-02"})
    assert "<mark>2 May 2025</mark>" in page_of(corpus)
    before = candidate().highlights["key"]
    corpus.documents.update(language="de")
    page_of(corpus)
    assert candidate().highlights["key"] != before


def test_an_opening_that_finds_nothing_new_writes_only_its_lease(corpus: Corpus) -> None:
    page_of(corpus)
    Candidate.objects.update(score=0.5)
    before = Candidate.objects.values().get()
    page_of(corpus)
    assert Candidate.objects.values().get() == before


SAMPLE = (
    (
        "What is paid after a hail storm from 1 July 2024 over $500?",
        "en",
        "Hailstorms: $500.00 since July 1, 2024. Paid.",
    ),
    ("Dolu hasarı ne zaman ödenir?", "tr", "Kar. Dolu hasarları 1 Temmuz 2024 tarihinden beri ödenir."),
    ("自2005年以来的旅伴", "zh", "前言。自2005年以来，旅伴有很多。"),
    ("ตลาดหลักทรัพย์ก่อตั้งในปีใด", "th", "ตลาดหลักทรัพย์แห่งแรกได้รับการก่อตั้งขึ้น"),
    ("متى يدفع التأمين", "ar", "يدفع التأمين بعد العاصفة."),
)
FOUND = {1: "de4a80836344c55f"}


def test_what_is_kept_under_one_version_was_found_in_one_way() -> None:
    """A change of highlights or passages that moves these spans needs the next `FINDS_AS`, and its entry here."""
    found = []
    for query, locale, text in SAMPLE:
        spans = Highlighter([Wording(query, locale)]).spans(text, locale)
        passage = best_passage(text, spans)
        found.append((spans, passage.start, passage.end))
    assert FOUND[findings.FINDS_AS] == sha256(json.dumps(found).encode()).hexdigest()[:16]
