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
from judging.reports.pool_facts import fact_spans
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db
FIRST = "A roof. A hail storm from 1 July 2024 is paid."


def marked(query: str, locale: str, text: str, language: str = "en") -> list[str]:
    """The parts of a text that a query marks."""
    return [text[start:end] for start, end in Highlighter([Wording(query, locale)]).spans(text, language)]


@pytest.mark.parametrize(
    ("query", "locale", "text", "language", "found"),
    [
        ("2024 temmuz sonrası siber", "tr", "Gilt ab 1. Juli 2024, nicht 1. Juni 2024.", "de", ["1. Juli 2024"]),
        ("cyberpolice ab juli 2024", "de", "From 15 July 2024, not 1 August 2024.", "en", ["15 July 2024"]),
        ("社用車 2025年5月", "ja", "Valid from 1 May 2025.", "en", ["1 May 2025"]),
        ("dolu 2024", "tr", "Valid from 1 May 2024 or 1 May 2023.", "en", ["1 May 2024"]),
    ],
)
def test_a_month_or_a_year_asked_for_marks_the_days_in_it(
    query: str, locale: str, text: str, language: str, found: list[str]
) -> None:
    assert marked(query, locale, text, language) == found


@pytest.mark.parametrize(
    ("query", "locale", "text", "language", "found"),
    [
        ("ingiltere siber", "tr", "Sold in the United Kingdom and in Turkey.", "en", ["United Kingdom"]),
        ("cyber uk", "en", "Gilt im Vereinigten Königreich und in Großbritannien.", "de", ["Großbritannien"]),
        ("Türkei Cyber", "de", "Türkiye'de geçerlidir.", "tr", ["Türkiye"]),
        ("バイエルンの車", "ja", "Only in Bavaria.", "en", ["Bavaria"]),
        ("turkey cyber", "en", "Gilt in der Türkei.", "de", ["Türkei"]),
        ("extortion eea", "en", "Avrupa Ekonomik Alanı'nda geçerlidir.", "tr", ["Avrupa Ekonomik Alanı"]),
    ],
)
def test_a_country_is_marked_in_other_languages(
    query: str, locale: str, text: str, language: str, found: list[str]
) -> None:
    assert marked(query, locale, text, language) == found


def test_an_amount_in_turkish_capitals_is_found_however_it_is_written() -> None:
    assert marked("100 TÜRK LİRASI", "tr", "Paid up to TRY 100.") == ["TRY 100"]


@pytest.mark.parametrize(
    ("query", "locale", "declared"),
    [("ingiltere", "tr", "UK"), ("england", "de", "GB"), ("türkei", "de", "TR"), ("バイエルン", "ja", "DE-BY")],
)
def test_the_fact_of_a_country_asked_for_is_marked_whole(query: str, locale: str, declared: str) -> None:
    facts = {"jurisdiction": declared, "effective_date": "2024-07-01"}
    spans = fact_spans(facts, Highlighter([Wording(query, locale)]))
    assert spans == [[], [], [(0, len(declared))]]
    assert fact_spans({"jurisdiction": "FR"}, Highlighter([Wording(query, locale)])) == [[], [], []]


def test_the_number_of_a_name_is_no_amount_and_an_amount_is_found_however_it_is_written() -> None:
    text = "Vidronik 3000 up to 3,000 EUR or 13.000 EUR."
    assert marked("Vidronik 3000", "en", text) == ["Vidronik 3000"]
    assert marked("limit 3000 EUR", "en", text) == ["3,000 EUR"]
    assert marked("50000 hail", "en", "Hail up to 50,000 pesos.") == ["Hail", "50,000"]


@pytest.mark.parametrize(
    ("query", "locale", "text"),
    [
        ("wer haftet bei einer Panne als Fahrer, ihr oder die Firma", "de", "Wer bei einer als ihr die."),
        ("sigorta sonra sonrası için", "tr", "Bundan sonra ve sonrası için."),
        ("保険はいつから", "ja", "いつから"),
    ],
)
def test_words_that_only_link_are_not_marked(query: str, locale: str, text: str) -> None:
    assert marked(query, locale, text, locale) == []


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
    ("Regeln im Herbst 2024", "de", "Regeln gelten ab 1.1.2024."),
    ("متى يدفع التأمين", "ar", "يدفع التأمين بعد العاصفة."),
)
FOUND = {4: "cab713a3279e5b33"}


def test_what_is_kept_under_one_version_was_found_in_one_way() -> None:
    """A change of highlights or passages that moves these spans needs the next `FINDS_AS`, and its entry here."""
    found = []
    for query, locale, text in SAMPLE:
        spans = Highlighter([Wording(query, locale)]).spans(text, locale)
        passage = best_passage(text, spans)
        found.append((spans, passage.start, passage.end))
    assert FOUND[findings.FINDS_AS] == sha256(json.dumps(found).encode()).hexdigest()[:16]
