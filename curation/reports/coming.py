"""Queries on the way to a cell: they wait where the document language is not known yet, and will count elsewhere.

A query stands in the cell of unknown document language until somebody judges it, where its need names no gold, or one
that is rendered in several languages with none marked as the source. What is known before, `bound` says: the document
language of the cell that the desk asked for; else the query's own, where the gold is rendered in it, because that is
the rendering that judges are shown; else the language that all documents of the corpus are in. Until it is judged it
counts toward the plan of that cell alone, where there is one; from then on where it settled.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Cast, Coalesce, Concat, NullIf
from django.db.models.lookups import Exact

from curation.models import Corpus, Document, Query, Stratum

from .places import UNKNOWN_LANGUAGE, StratumKey
from .prepared import CORPUS, NAME, WORD, Prepared
from .to_judge import to_judge

SHARED = tuple(name for name in StratumKey._fields if name != "corpus_language")
"""The dimensions in which a query and the cell it is on the way to are the same."""
PLACE = StratumKey("-7000010", "-7000011", "-7000012", "-7000013", "-7000014")
"""Stands for a stratum in a query that is put together for all of them."""


def bound(corpus: int | OuterRef, query: str = "") -> Case:
    """The document language that a ready query will count in, as far as that is known; else "und".

    `corpus` is its corpus: by its key where that is known, so that the database looks at its documents once and not for
    each query. `query` leads from the outer rows to the query.
    """
    own, asked = f"{query}stratum__corpus_language", NullIf(F(f"{query}asked_corpus_language"), Value(""))
    gold, locale = OuterRef(f"{query}need__gold_canonical_id"), OuterRef(f"{query}stratum__query_language")
    later = Coalesce(asked, *_expected(corpus, gold=gold, locale=locale))
    return Case(When(~Q(**{own: UNKNOWN_LANGUAGE}), then=F(own)), default=later)


def _expected(corpus: int | OuterRef, *, gold: str | OuterRef, locale: str | OuterRef) -> tuple[Any, ...]:
    """The document language that a query in `locale` settles in where nobody asked for one: the first that is known."""
    standing = Document.objects.filter(corpus=corpus, gone_at=None).values("language")
    first, last = (Subquery(standing.order_by(order)[:1]) for order in ("language", "-language"))
    rendered = Subquery(standing.filter(canonical_id=gold, language=locale).order_by()[:1])
    return rendered, Case(When(Exact(first, last), then=first)), Value(UNKNOWN_LANGUAGE)


def ways(corpus: int, stands: Q) -> QuerySet[Query, Any]:
    """Of the outer row's stratum, the ready queries that may count elsewhere or are spellings of one that `stands`.

    In one column, `listed`, a text of one to three words: the document language that the query is bound for; the
    stratum of the one that it is a spelling of, and what that one is bound for, where there is one.
    """
    first = Cast("variant_of__stratum", CharField())
    settled = When(variant_of__status=Query.Status.JUDGED, then=F("variant_of__stratum__corpus_language"))
    original = Concat(first, Value(" "), Case(settled, default=bound(corpus, "variant_of__")))
    ready = Query.objects.filter(to_judge(), stratum=OuterRef("pk")).order_by()
    ready = ready.filter(Q(stratum__corpus_language=UNKNOWN_LANGUAGE) | stands)
    return ready.values(listed=Concat(bound(corpus), Value(" "), Case(When(stands, then=original))))


def coming_to(corpus: int) -> QuerySet[Query]:
    """Queries on the way to the outer row's stratum, of this corpus."""
    same = {f"stratum__{name}": OuterRef(name) for name in ("corpus", *SHARED)}
    return _bound_elsewhere(corpus).filter(bound=OuterRef("corpus_language"), **same).order_by()


def settling(queries: QuerySet[Query], corpus: int) -> QuerySet[Any]:  # with what it adds to a query
    """The queries of the corpus, each with `settles`: the document language of where it counts, or waits to count."""
    shared = {name: OuterRef(f"stratum__{name}") for name in ("corpus", *SHARED)}
    planned = Stratum.objects.filter(planned__gt=0, corpus_language=OuterRef("bound"), **shared)
    waits = to_judge() & Q(stratum__corpus_language=UNKNOWN_LANGUAGE)
    own = F("stratum__corpus_language")
    told = Case(When(waits & Q(Exists(planned)), then=F("bound")), default=own)
    return queries.alias(bound=bound(corpus)).alias(settles=told)


def destination_of(corpus: Corpus, place: StratumKey, *, asked: str, gold: str) -> StratumKey | None:
    """The planned stratum that a query at `place` is on the way to; None where there is none.

    `asked` is the document language that the desk asked for, `gold` that of its need ("" where there is none).
    """
    if place.corpus_language != UNKNOWN_LANGUAGE:
        return None
    given: dict[Any, Any] = {CORPUS: corpus.pk, NAME: gold, WORD: place.query_language}
    language = asked or str(_expected_asked().rows(given)[0][0])
    toward = place._replace(corpus_language=language)
    if language == UNKNOWN_LANGUAGE or not _planned_asked().rows({CORPUS: corpus.pk, **standing_for(toward)}):
        return None
    return toward


@cache
def _expected_asked() -> Prepared:
    told = Coalesce(*_expected(CORPUS, gold=NAME, locale=WORD))
    return Prepared.of(Corpus.objects.filter(pk=CORPUS).values_list(told))


@cache
def _planned_asked() -> Prepared:
    planned = Corpus(pk=CORPUS).strata.filter(planned__gt=0, **PLACE.dimensions)
    return Prepared.of(planned.order_by().values_list("pk"))


def standing_for(place: StratumKey) -> dict[Any, Any]:
    """What is put in place of `PLACE`."""
    return dict(zip(PLACE, place, strict=True))


def _bound_elsewhere(corpus: int) -> QuerySet[Any]:  # with what it adds to a query
    """The ready queries of unknown document language that are bound for a known one."""
    waiting = Query.objects.filter(to_judge(), stratum__corpus_language=UNKNOWN_LANGUAGE)
    return waiting.alias(bound=bound(corpus)).exclude(bound=UNKNOWN_LANGUAGE)
