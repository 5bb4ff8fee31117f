"""How alike two short texts are: by the runs of three letters they share."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from curation.models import Corpus, Query
from curation.retrieval.folding import fold
from curation.retrieval.locales import language_of
from curation.retrieval.tokens import words

NEAR_IDENTICAL = 0.9
_LOOKED_AT = 1000  # queries of the set that share a word with a text; a common word has thousands
_RUN = 3


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


def _runs(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[place : place + _RUN] for place in range(max(1, len(padded) - _RUN + 1))}
