"""Text twins by the texts that somebody read, which the documents may not have any more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from django.db.models import Q

from curation.models import Corpus, DocumentText
from curation.reports.prepared import KEY, Prepared
from curation.reports.twins import twin_sets, twins_of

Read: TypeAlias = Mapping[int, str]
"""Document → the fingerprint of the text that somebody read of it."""
Twins: TypeAlias = Mapping[str, tuple[str, ...]]
"""Canonical id → it and its twins."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of an article: its language, and the fingerprint that twins have alike."""

    article: str
    language: str
    folded: str


Held: TypeAlias = Mapping[int, Text]
"""Document → its text."""


def twins_as_read(corpus: Corpus, reads: Sequence[Read], *, articles: Collection[str]) -> list[Twins]:
    """For each of `reads` the twins of `articles` (canonical ids): by the text read of a document, or its present one.

    A text that was read counts where its document is gone, too. One SQL query more than `twins_of`, and three more
    where somebody read what no document of the corpus has now, however many read.
    """
    present = twins_of(corpus, articles=articles)
    earlier = _earlier_texts({document for read in reads for document in read})
    moved = [{each[0]: earlier[each] for each in read.items() if each in earlier} for read in reads]
    if not any(moved):
        return [present] * len(reads)
    standing = _standing(corpus, articles, (text for each in moved for text in each.values()))
    return [_twins(standing, each) if each else present for each in moved]


def _earlier_texts(documents: Collection[int]) -> dict[tuple[int, str], Text]:
    """The texts of these documents that the corpus does not hold now, by document and fingerprint."""
    rows = _earlier_asked().rows({KEY: list(documents)})
    return {(document, sha256): Text(*told) for document, sha256, *told in rows}


@cache
def _earlier_asked() -> Prepared:
    moved = Q(current=False) | Q(document__gone_at__isnull=False)
    texts = DocumentText.objects.filter(moved, document__in=[KEY])
    told = ("document__canonical_id", "document__language", "folded_sha256")
    return Prepared.of(texts.values_list("document", "sha256", *told))


def _standing(corpus: Corpus, articles: Collection[str], earlier: Iterable[Text]) -> Held:
    """What the corpus holds of `articles`, of those with `earlier` texts, and of all that share a text with them."""
    texts = DocumentText.objects.filter(current=True, document__corpus=corpus, document__gone_at=None).order_by()
    read = list(earlier)
    names = {*articles, *(text.article for text in read)}
    own = texts.filter(document__canonical_id__in=names).values_list("folded_sha256", flat=True)
    shared = texts.filter(folded_sha256__in={*own, *(text.folded for text in read)})
    names |= set(shared.values_list("document__canonical_id", flat=True))
    held = texts.filter(document__canonical_id__in=names)
    told = held.values_list("document", "document__canonical_id", "document__language", "folded_sha256")
    return {document: Text(*text) for document, *text in told}


def _twins(standing: Held, read: Held) -> Twins:
    texts: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for text in {**standing, **read}.values():
        texts[text.article][text.language].add(text.folded)
    told = {name: {tag: frozenset(each) for tag, each in by.items()} for name, by in texts.items()}
    return {name: twins for twins in twin_sets(told) for name in twins}
