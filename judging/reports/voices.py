"""Voices: what each person whose opinion counts says of an answer, wherever at least two people judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from curation.models import Corpus, Query
from judging.models import COUNTS, Assignment, Judgment, State
from judging.reports.standing import still_standing

Answer = tuple[int, str]  # query, canonical id
TOLD = (State.GRADED, State.SWEPT)


@dataclass(frozen=True, slots=True)
class Voice:
    """One person's grade of an answer, given `at`; `swept` tells a 0 that they did not give by hand."""

    judge: int
    grade: int
    swept: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Heard:
    """The voices on each answer, by judge. `left_out` opinions saw a text that has changed, or a document now gone."""

    answers: Mapping[Answer, Sequence[Voice]]
    left_out: int


@dataclass(frozen=True, slots=True)
class _Said:
    query: int
    canonical_id: str
    judge: int
    state: str
    grade: int | None
    at: datetime
    stands: bool

    @property
    def is_told(self) -> bool:
        return self.stands and self.state in TOLD

    @property
    def height(self) -> int:
        return self.grade or 0


def heard(corpus: Corpus) -> Heard:
    """Every voice on the queries that several people judged, in one SQL query.

    The opinions that count are heard: finished, not surplus, not open again; and imported ones. A judge's grade of an
    answer is the highest they gave to its documents, and 0 only where they saw them all. An opinion on a text that has
    changed since, or on a document that is gone, is left out: it is to be given again, and two people can only agree on
    one text. Withdrawn queries are left out too.
    """
    answers: dict[Answer, list[Voice]] = {}
    left_out = 0
    for (query, canonical_id, judge), rows in groupby(
        _said(corpus), lambda row: (row.query, row.canonical_id, row.judge)
    ):
        said = list(rows)
        left_out += sum(row.state in TOLD and not row.stands for row in said)
        voice = _voice(judge, said)
        if voice is not None:
            answers.setdefault((query, canonical_id), []).append(voice)
    return Heard(answers, left_out)


def _voice(judge: int, said: Sequence[_Said]) -> Voice | None:
    told = [row for row in said if row.is_told]
    highest = max((row.height for row in told), default=0)
    if not told or (highest == 0 and len(told) < len(said)):
        return None
    swept = all(row.state == State.SWEPT for row in told)
    return Voice(judge, highest, swept, max(row.at for row in told))


def _said(corpus: Corpus) -> Iterator[_Said]:
    columns = ("query_id", "canonical_id", "assessor_id", "state", "grade", "judged_at", "stands")
    given = _given(corpus).annotate(stands=ExpressionWrapper(still_standing(), output_field=BooleanField()))
    ordered = given.order_by("query_id", "canonical_id", "assessor_id", "pk")
    return (_Said(*row) for row in ordered.values_list(*columns).iterator(chunk_size=5000))


def _given(corpus: Corpus) -> QuerySet[Judgment]:
    counted = Assignment.objects.filter(
        COUNTS, reopened_at=None, pool=OuterRef("candidate__pool"), assessor=OuterRef("assessor")
    )
    judged = Judgment.objects.filter(query__corpus=corpus).exclude(query__status=Query.Status.RETIRED)
    several = judged.values("query").annotate(judges=Count("assessor", distinct=True)).filter(judges__gte=2)
    given = Judgment.objects.filter(query__in=several.values("query")).exclude(state=State.CLEARED)
    return given.filter(Q(candidate=None) | Q(Exists(counted)))
