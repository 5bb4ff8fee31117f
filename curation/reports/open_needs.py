"""Needs that still lack a wording in a stratum, in the order a writer gets them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from curation.models import Corpus, Document, Membership, Role, User

from .checks import live
from .counts import StratumCount
from .places import UNKNOWN_LANGUAGE, Rendering, corpus_language_of, slice_of


@dataclass(frozen=True, slots=True)
class Open:
    """A need as a candidate for the desk, with the part of a wording's stratum that the need decides."""

    pk: int
    is_english: bool
    slice: str
    corpus_language: str


@dataclass(frozen=True, slots=True)
class Needs:
    """Every need of a corpus, and where each is worded: (need, locale, script, type, slice)."""

    needs: Sequence[Open]
    worded: frozenset[tuple[int, str, str, str, str]]
    wordings: Counter[tuple[int, str]]

    def left_for(self, count: StratumCount, *, lands: bool) -> list[Open]:
        """Needs without a wording in the stratum's locale, script, type and slice; with `lands`, those it is for."""
        place = (count.query_language, count.script, count.query_type, count.slice)
        return [
            need
            for need in self.needs
            if (need.pk, *place) not in self.worded
            and (not lands or (need.slice, need.corpus_language) == (count.slice, count.corpus_language))
        ]

    def in_order(self, needs: Iterable[Open], locale: str, *, skipped: Sequence[int], share: float) -> list[int]:
        """The ids of `needs`: skipped ones last, English before others, those never worded in the locale first.

        Among equals a writer starts after `share` (0 to 1) of them, so that colleagues do not word the same need
        at the same time.
        """
        later = {pk: place for place, pk in enumerate(skipped, 1)}

        def rank(need: Open) -> tuple[int, bool, int]:
            return later.get(need.pk, 0), not need.is_english, self.wordings[need.pk, locale]

        ordered = sorted(needs, key=lambda need: (rank(need), need.pk))
        return [pk for _, equals in groupby(ordered, key=rank) for pk in turned([need.pk for need in equals], share)]


def turned(ids: Sequence[int], share: float) -> list[int]:
    """`ids` in a circle, from `share` of the way on."""
    start = int(len(ids) * share)
    return [*ids[start:], *ids[:start]]


def needs_of(corpus: Corpus, locales: Collection[str]) -> Needs:
    """The corpus's needs and where they are worded in `locales`, in three queries."""
    languages = corpus_languages(corpus)
    rows = corpus.needs.values_list("pk", "is_english", "slice_hint", "gold_canonical_id")
    needs = [
        Open(pk, is_english, slice_of(hint), languages.get(gold, UNKNOWN_LANGUAGE))
        for pk, is_english, hint, gold in rows
    ]
    places = live(corpus).filter(need__isnull=False, stratum__query_language__in=locales)
    dimensions = [f"stratum__{name}" for name in ("query_language", "script", "query_type", "slice")]
    worded = list(places.values_list("need_id", *dimensions))
    return Needs(needs, frozenset(worded), Counter((need, locale) for need, locale, *_ in worded))


def corpus_languages(corpus: Corpus) -> dict[str, str]:
    """Canonical id → corpus language, of the golds that needs of the corpus name."""
    golds = corpus.needs.exclude(gold_canonical_id="").values("gold_canonical_id")
    documents = Document.objects.filter(corpus=corpus, gone_at=None, canonical_id__in=golds)
    renderings: dict[str, list[Rendering]] = {}
    for canonical_id, language, is_source in documents.values_list("canonical_id", "language", "is_source"):
        renderings.setdefault(canonical_id, []).append(Rendering(language, is_source))
    return {gold: corpus_language_of(held) for gold, held in renderings.items()}


def share_of(user: User, corpus: Corpus, locale: str) -> float:
    """Where in the circle of needs `user` starts: the writers of a locale stand evenly spread, 0 to 1."""
    writers = Membership.objects.filter(corpus=corpus, role=Role.WRITER).order_by("user_id")
    ids = [user_id for user_id, languages in writers.values_list("user_id", "languages") if locale in languages]
    return ids.index(user.pk) / len(ids) if user.pk in ids else 0.0
