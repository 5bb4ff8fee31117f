"""A corpus with articles, needs and planned strata, for those who write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.models import Corpus, Document, DocumentText, Need
from tests import factories

TEXTS = {
    "en": ("Overnight parking condition", "Between 22:00 and 06:00 the vehicle stays in a fenced area."),
    "tr": ("Gece park koşulu", "Araç, 22.00 ile 06.00 arasında çitle çevrili bir alanda bırakılır."),
    "ar": ("شرط المبيت", "تُترك المركبة بين العاشرة مساءً والسادسة صباحًا في منطقة مسيّجة."),
    "ja": ("夜間駐車条項", "車両は、22時から翌6時までの間、柵のある区画に駐車します。"),
}


def an_article(corpus: Corpus, canonical_id: str, *languages: str, source: str = "en") -> list[Document]:
    """The article `canonical_id` in each of `languages`, one document a language."""
    made = []
    for language in languages:
        title, text = TEXTS[language]
        document = Document.objects.create(
            corpus=corpus,
            external_id=f"{canonical_id}.{language}",
            canonical_id=canonical_id,
            language=language,
            is_source=language == source,
            facts={"effective_date": "2025-01-01", "limit_amount": "EUR 75,000"},
        )
        sha256 = f"{document.pk:064x}"
        DocumentText.objects.create(document=document, sha256=sha256, folded_sha256=sha256, title=title, text=text)
        made.append(document)
    return made


def a_need(corpus: Corpus, text: str = "Is theft of cargo covered at night?", **fields: Any) -> Need:
    """A need of the corpus."""
    return Need.objects.create(corpus=corpus, text=text, **fields)


def a_desk(corpus: Corpus, *, planned: int = 100) -> Need:
    """One planned Turkish stratum, one English article with a Turkish rendering, and one need for it."""
    factories.a_stratum(corpus, "tr en Latn question distinctive", planned=planned)
    an_article(corpus, "CG-214", "en", "tr")
    return a_need(corpus, context="The truck stands without a guard", gold_canonical_id="CG-214")


def questions_of(call: Callable[[], object]) -> int:
    """How many questions `call` puts to the database."""
    with CaptureQueriesContext(connection) as questions:
        call()
    return len(questions)
