"""Open disputes: who said what of an answer, where their opinions differ."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from curation.models import Query
from judging.models import COUNTS, Assignment, Judgment, State


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge said of an answer; `grade` is that of the document they graded highest.

    `swept` tells a 0 that nobody gave by hand. `judgment` is the row it was read from.
    """

    assessor_id: int
    document_id: int
    grade: int
    swept: bool
    judgment: Judgment


def opinions_on(query: Query, canonical_id: str) -> list[Opinion]:
    """The opinions that count on one answer, of judges here and imported ones, in the order of the judges' keys."""
    counted = Assignment.objects.filter(COUNTS, pool__query=query).values("assessor")
    told = Judgment.objects.filter(query=query, canonical_id=canonical_id, state__in=[State.GRADED, State.SWEPT])
    given = told.filter(Q(candidate=None) | Q(assessor__in=counted)).select_related("assessor", "candidate__pool")
    best: dict[int, Opinion] = {}
    for judgment in given.order_by("assessor", "pk"):
        grade = judgment.grade or 0
        if judgment.assessor_id not in best or grade > best[judgment.assessor_id].grade:
            swept = judgment.state == State.SWEPT
            best[judgment.assessor_id] = Opinion(judgment.assessor_id, judgment.document_id, grade, swept, judgment)
    return list(best.values())
