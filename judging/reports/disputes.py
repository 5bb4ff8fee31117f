"""Open disputes: who said what of an answer, where their opinions differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from django.db.models import Exists, OuterRef, QuerySet

from curation.models import Corpus, OpenDispute, Query
from judging.models import Judgment, State
from judging.reports.opinions import of_counted_opinions

Pair: TypeAlias = tuple[int, str]
"""(query, canonical id)."""


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

    @property
    def is_imported(self) -> bool:
        """Whether it came out of a file, and not from a pool that was judged here."""
        return self.judgment.candidate_id is None


def opinions_on(query: Query, canonical_id: str) -> list[Opinion]:
    """The opinions that count on one answer, of judges here and imported ones, in the order of the judges' keys."""
    told = Judgment.objects.filter(query=query, canonical_id=canonical_id)
    return opinions_among(told).get((query.pk, canonical_id), [])


def opinions_in_dispute(corpus: Corpus) -> dict[Pair, list[Opinion]]:
    """The opinions that count on the answers in dispute, by answer; one query."""
    same = OpenDispute.objects.filter(query=OuterRef("query"), canonical_id=OuterRef("canonical_id"))
    return opinions_among(Judgment.objects.filter(Exists(same), query__corpus=corpus))


def opinions_among(judgments: QuerySet[Judgment]) -> dict[Pair, list[Opinion]]:
    """The opinions among `judgments` that count, by answer, each in the order of the judges' keys; one query."""
    told = judgments.filter(of_counted_opinions(), state__in=[State.GRADED, State.SWEPT])
    best: dict[Pair, dict[int, Opinion]] = {}
    for judgment in told.select_related("assessor", "candidate__pool", "document").order_by("assessor", "pk"):
        judges = best.setdefault((judgment.query_id, judgment.canonical_id), {})
        grade, known = judgment.grade or 0, judges.get(judgment.assessor_id)
        if known is None or grade > known.grade:
            swept = judgment.state == State.SWEPT
            judges[judgment.assessor_id] = Opinion(judgment.assessor_id, judgment.document_id, grade, swept, judgment)
    return {pair: list(judges.values()) for pair, judges in best.items()}
