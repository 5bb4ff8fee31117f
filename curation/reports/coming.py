"""Queries on the way to a cell: written for it, and waiting where the document language is not known yet.

Where the gold of a need is rendered in several languages and none is marked as the source, a query that the desk asks
for stands in the cell of unknown language until somebody judges it. It remembers the document language it was asked
for. Until it is judged it counts toward the plan of that cell alone, where there is one; from then on where it settled.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.models import Corpus, Query, Stratum

from .places import UNKNOWN_LANGUAGE, StratumKey
from .prepared import CORPUS, Prepared

SHARED = tuple(name for name in StratumKey._fields if name != "corpus_language")
"""The dimensions in which a query and the cell it is on the way to are the same."""
PLACE = StratumKey("-7000010", "-7000011", "-7000012", "-7000013", "-7000014")
"""Stands for a stratum in a query that is put together for all of them."""


def coming_to(stratum: str = "") -> QuerySet[Query]:
    """Queries on the way to the outer row's stratum, which it names by `stratum` (itself where that is "")."""
    at = f"{stratum}__" if stratum else ""
    same = {f"stratum__{name}": OuterRef(f"{at}{name}") for name in ("corpus", *SHARED)}
    return _waiting().filter(asked_corpus_language=OuterRef(f"{at}corpus_language"), **same).order_by()


def asked_for_others() -> QuerySet[Query]:
    """Queries that wait in the outer row's stratum because nobody knows their document language yet."""
    return _waiting().filter(stratum=OuterRef("pk")).exclude(asked_corpus_language="").order_by()


def on_the_way(corpus: Corpus) -> QuerySet[Stratum]:
    """The strata of `corpus` that hold such queries."""
    return corpus.strata.filter(Exists(asked_for_others()), corpus_language=UNKNOWN_LANGUAGE).order_by()


def waiting_for(place: StratumKey, corpus: Corpus) -> Q:
    """Whether a query that shares all other dimensions waits to be judged for the stratum at `place`."""
    shared = {name: getattr(place, name) for name in SHARED}
    planned = Stratum.objects.filter(corpus=corpus, planned__gt=0, **shared)
    unknown = Q(stratum__corpus_language=UNKNOWN_LANGUAGE)
    leaves = unknown & Exists(planned.filter(corpus_language=OuterRef("asked_corpus_language")))
    comes = unknown & Q(Exists(planned.filter(corpus_language=place.corpus_language)))
    comes &= Q(asked_corpus_language=place.corpus_language)
    here = Q(stratum__corpus_language=place.corpus_language) & ~leaves
    return Q(status=Query.Status.READY) & (here | comes)


def destination_of(corpus: Corpus, place: StratumKey, asked: str) -> StratumKey | None:
    """The planned stratum that a query at `place` is on the way to, where documents in `asked` were asked for."""
    if place.corpus_language != UNKNOWN_LANGUAGE or asked in {"", UNKNOWN_LANGUAGE}:
        return None
    toward = place._replace(corpus_language=asked)
    given: dict[Any, Any] = {CORPUS: corpus.pk, **dict(zip(PLACE, toward, strict=True))}
    return toward if _planned_asked().rows(given) else None


@cache
def _planned_asked() -> Prepared:
    planned = Corpus(pk=CORPUS).strata.filter(planned__gt=0, **PLACE.dimensions)
    return Prepared.of(planned.order_by().values_list("pk"))


def _waiting() -> QuerySet[Query]:
    return Query.objects.filter(status=Query.Status.READY, stratum__corpus_language=UNKNOWN_LANGUAGE)
