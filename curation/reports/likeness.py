"""How alike two short texts are: by the runs of three letters they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db.models import Count, Max, Q, QuerySet
from rapidfuzz import process
from rapidfuzz.distance import Indel

from curation.models import Corpus, Query
from curation.retrieval.folding import fold
from curation.retrieval.locales import language_of
from curation.retrieval.tokens import words

NEAR_IDENTICAL = 0.9
_LOOKED_AT = 1000  # queries of the set that share a word with a text; a common word has thousands
_RUN = 3
_NEAREST = 20  # queries by edit distance that are compared by their runs
_WORTH_SHOWING = 0.3


@dataclass(frozen=True, slots=True)
class Alike:
    """The queries of the set that are like a text: how many are nearly the same, and the closest one of all."""

    near_identical: int
    closest: Query | None = None
    likeness: float = 0.0


def likeness(one: str, other: str) -> float:
    """From 0 to 1: twice the runs of three letters that two folded texts share, by all of theirs (Dice, 1945)."""
    ours, theirs = _runs(one), _runs(other)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def alike_in(corpus: Corpus, text: str, *, locale: str, but: int | None = None) -> Alike:
    """The queries of the locale's language that share a word with `text`, without those of the proposal `but`."""
    folded = fold(text, locale)
    sharing = Q()
    for word in words(folded, locale):
        sharing |= Q(text__icontains=word)
    if not sharing:
        return Alike(0)
    found = corpus.queries.filter(sharing, stratum__query_language__startswith=language_of(locale))
    found = found.exclude(status=Query.Status.RETIRED)
    if but is not None:
        found = found.exclude(proposal=but)
    scored = [(likeness(folded, fold(query.text, locale)), -query.pk, query) for query in found[:_LOOKED_AT]]
    best, _, closest = max(scored, default=(0.0, 0, None), key=lambda each: each[:2])
    return Alike(sum(score >= NEAR_IDENTICAL for score, _, _ in scored), closest, best)


def closest_in(corpus: Corpus, text: str, *, locale: str) -> Alike:
    """The query of the very locale that is most like `text`, if one is; two SQL queries, three where the set changed.

    All are compared by edit distance (Indel, folded), the nearest of them by the runs they share.
    """
    state = _live(corpus.pk, locale).aggregate(n=Count("pk"), newest=Max("pk"), at=Max("created_at"))
    numbers, texts = _folded(_State(corpus.pk, locale, **state))
    folded = fold(text, locale)
    nearest = process.extract(folded, texts, scorer=Indel.normalized_similarity, limit=_NEAREST)
    scored = [(likeness(folded, other), -numbers[at]) for other, _, at in nearest]
    best, number = max(scored, default=(0.0, 0))
    if best < _WORTH_SHOWING:
        return Alike(0)
    closest = Query.objects.filter(pk=-number).first()
    return Alike(sum(score >= NEAR_IDENTICAL for score, _ in scored), closest, best)


@dataclass(frozen=True, slots=True)
class _State:
    """By what the queries of a locale are known to be the same as before: they only come, and retire."""

    corpus: int
    locale: str
    n: int
    newest: int | None
    at: datetime | None


def _live(corpus: int, locale: str) -> QuerySet[Query]:
    live = Query.objects.filter(corpus=corpus, stratum__query_language=locale)
    return live.exclude(status=Query.Status.RETIRED).order_by()


@lru_cache(maxsize=64)
def _folded(state: _State) -> tuple[Sequence[int], Sequence[str]]:
    """The numbers of the queries of a locale, and their folded texts; read anew where the state is another."""
    rows = _live(state.corpus, state.locale).values_list("pk", "text")
    numbers, texts = zip(*rows, strict=True) if rows else ((), ())
    return numbers, [_fold(text, state.locale) for text in texts]


_fold = lru_cache(maxsize=65_536)(fold)


def _runs(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[place : place + _RUN] for place in range(max(1, len(padded) - _RUN + 1))}
