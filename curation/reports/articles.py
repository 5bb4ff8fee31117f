"""The article behind a canonical id: the current texts of its documents, in every language it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.models import Corpus, Document, DocumentText

from .places import Rendering, corpus_language_of


@dataclass(frozen=True, slots=True)
class Side:
    """The article in one language; several texts where its documents are chunks."""

    language: str
    is_source: bool
    texts: Sequence[DocumentText]


@dataclass(frozen=True, slots=True)
class Article:
    """The gold of a need as a writer sees it: `sides` holds their own language first, then the source."""

    canonical_id: str
    sides: Sequence[Side]


def article(corpus: Corpus, canonical_id: str, *, locale: str) -> Article | None:
    """The article for a writer of `locale`; None where the corpus has no such document (any more)."""
    texts = list(
        DocumentText.objects.filter(
            document__corpus=corpus, document__canonical_id=canonical_id, document__gone_at=None, current=True
        )
        .select_related("document")
        .order_by("document__external_id")
    )
    return Article(canonical_id, shown(texts, locale)) if texts else None


def shown(texts: Sequence[DocumentText], locale: str) -> list[Side]:
    """The rendering in `locale` and the source; where there is neither, the first rendering."""
    by_language: dict[str, list[DocumentText]] = {}
    for text in texts:
        by_language.setdefault(text.document.language, []).append(text)
    sides = [
        Side(language, any(text.document.is_source for text in held), held) for language, held in by_language.items()
    ]
    wanted = [side for side in sides if side.language == locale or side.is_source]
    return sorted(wanted or sides[:1], key=lambda side: (side.language != locale, side.language))


def language_of_gold(corpus: Corpus, canonical_id: str) -> str:
    """The corpus language of a query for this gold; "und" without one."""
    documents = Document.objects.filter(corpus=corpus, canonical_id=canonical_id, gone_at=None)
    return corpus_language_of(Rendering(*row) for row in documents.values_list("language", "is_source"))
