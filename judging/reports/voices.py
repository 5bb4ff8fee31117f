"""Voices: what each person whose opinion counts says of an answer, wherever at least two people judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, Max, OuterRef, Q, QuerySet

from curation.models import Corpus, Query, User
from judging.models import COUNTS, Assignment, Judgment, State
from judging.reports.opinions import IMPORTED
from judging.reports.standing import still_standing

Answer = tuple[int, str]  # query, canonical id
GRADED, SWEPT = State.GRADED.value, State.SWEPT.value
TOLD = (GRADED, SWEPT)


class Voice(NamedTuple):
    """One person's grade of an answer; `swept` tells a 0 that they did not give by hand."""

    judge: int
    grade: int
    swept: bool


@dataclass(frozen=True, slots=True)
class Heard:
    """The voices on each answer, in the order of the judges' keys.

    `left_out` opinions saw a text that has changed, or a document now gone.
    """

    answers: Mapping[Answer, Sequence[Voice]]
    left_out: int


class _Said(NamedTuple):
    query: int
    canonical_id: str
    judge: int
    state: str
    grade: int | None
    stands: bool


def heard(corpus: Corpus, *, among: User | None = None) -> Heard:
    """Every voice on the queries that several people judged (`among` them this one, where given), in one SQL query.

    The opinions that count are heard: finished, not surplus, not open again; and imported ones. A judge's grade of an
    answer is the highest they gave to its documents, and 0 only where they saw them all. An opinion on a text that has
    changed since, or on a document that is gone, is left out: it is to be given again, and two people can only agree on
    one text. Withdrawn queries are left out too.
    """
    answers: dict[Answer, list[Voice]] = {}
    left_out = 0
    for (query, canonical_id, judge), rows in groupby(_said(corpus, among), itemgetter(0, 1, 2)):
        said = list(rows)
        told = [row for row in said if row.state in TOLD]
        standing = [row for row in told if row.stands]
        left_out += len(told) - len(standing)
        highest = max((row.grade or 0 for row in standing), default=0)
        if standing and (highest > 0 or len(standing) == len(said)):
            swept = all(row.state == SWEPT for row in standing)
            answers.setdefault((query, canonical_id), []).append(Voice(judge, highest, swept))
    return Heard(answers, left_out)


def last_given(corpus: Corpus) -> dict[int, datetime]:
    """When the last opinion on each query was given, in one SQL query."""
    last = _given(corpus).order_by().values_list("query").annotate(last=Max("judged_at"))
    return dict(last.filter(state__in=TOLD))


def _said(corpus: Corpus, among: User | None) -> Iterator[_Said]:
    columns = ("query_id", "canonical_id", "assessor_id", "state", "grade", "stands")
    given = _given(corpus, among).annotate(stands=ExpressionWrapper(still_standing(), output_field=BooleanField()))
    ordered = given.order_by("query_id", "canonical_id", "assessor_id", "pk")
    return map(_Said._make, ordered.values_list(*columns).iterator(chunk_size=5000))


def _given(corpus: Corpus, among: User | None = None) -> QuerySet[Judgment]:
    counted = Assignment.objects.filter(
        COUNTS, reopened_at=None, pool=OuterRef("candidate__pool"), assessor=OuterRef("assessor")
    )
    judged = Judgment.objects.filter(query__corpus=corpus).exclude(query__status=Query.Status.RETIRED)
    if among is not None:
        judged = judged.filter(query__in=Judgment.objects.filter(query__corpus=corpus, assessor=among).values("query"))
    several = judged.values("query").annotate(judges=Count("assessor", distinct=True)).filter(judges__gte=2)
    given = Judgment.objects.filter(query__in=several.values("query")).exclude(state=State.CLEARED)
    return given.filter(IMPORTED | Q(Exists(counted)))
