"""The queries behind "3 of 8 written": those that a person wrote of what they were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Case, F, OuterRef, QuerySet, When

from curation.models import Corpus, Query, WritingAssignment

from .coming import SHARED, bound


def toward(queries: QuerySet[Query], *, corpus: int | OuterRef, language: str | OuterRef) -> QuerySet[Query]:
    """Those of `queries` that count in a document language, or are on the way to it."""
    settles = Case(When(status=Query.Status.READY, then=bound(corpus)), default=F("stratum__corpus_language"))
    return queries.alias(toward=settles).filter(toward=language)


def written_for(corpus: Corpus, assignment: int) -> list[int]:
    """The keys of the queries that count as written for an assignment of the corpus that stands; none for another.

    Each counts for one assignment of its stratum and author alone, by the rule of `team.assignments_of`.
    """
    standing = WritingAssignment.objects.filter(stratum__corpus=corpus, withdrawn_at=None)
    asked = standing.filter(pk=assignment).select_related("stratum").first()
    if asked is None:
        return []
    together = list(standing.filter(stratum=asked.stratum, person=asked.person).order_by("assigned_at", "pk"))
    same = {f"stratum__{name}": getattr(asked.stratum, name) for name in SHARED}
    wrote = Query.objects.exclude(status=Query.Status.RETIRED).filter(
        corpus=corpus, author=asked.person_id, created_at__gte=together[0].assigned_at, **same
    )
    there = toward(wrote, corpus=corpus.pk, language=asked.stratum.corpus_language).order_by("created_at", "pk")
    return _in_turn(together, there.values_list("pk", "created_at"))[asked.pk]


def _in_turn(asked: Sequence[WritingAssignment], wrote: Iterable[tuple[int, datetime]]) -> dict[int, list[int]]:
    """Assignment → the keys of its queries; the oldest assignment first, and the queries in the order of writing."""
    written: dict[int, list[int]] = {each.pk: [] for each in asked}
    for query, created_at in wrote:
        stood = [each for each in asked if each.assigned_at <= created_at]
        unmet = (each for each in stood if len(written[each.pk]) < each.count)
        written[next(unmet, stood[-1]).pk].append(query)
    return written
