"""Settling: one assessor's opinion handed down as qrels."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from curation.actions import qrels
from curation.actions.meetings import Grade
from curation.models import CannotTell, Qrel, Query
from judging.actions.article_grades import ArticleGrade, Opinion, article_grades
from judging.models import Assignment, Judgment, Pool, State


def settle(*, assignment: Assignment, opinions: Sequence[Judgment], now: datetime) -> tuple[str, ...]:
    """Settle `opinions`, one for each candidate of the pool, and close the pool; call it inside a transaction.

    What an earlier finish of the same pool settled is replaced; what imported judges agreed on and nobody judged here
    stays. The judged depth is the number of candidates that were seen or marked. Returns sentences for whoever looks
    after the corpus.
    """
    pool, query = assignment.pool, assignment.pool.query
    found = article_grades(_opinion(judgment) for judgment in opinions)
    depth = sum(judgment.state != State.UNSEEN for judgment in opinions)
    grades = [_grade(query, given, judged_depth=depth) for given in found if given.grade is not None]
    graded = {grade.canonical_id for grade in grades}
    shown = {judgment.canonical_id for judgment in opinions}
    qrels.withdraw(query=query, canonical_ids=shown - graded - _told_by_imported(query))
    _store_doubts(query, shown, [given for given in found if given.grade is None])
    judged = {query.pk} if pool.kind == Pool.Kind.EXACT50 else set()
    settlement = qrels.settle(corpus=query.corpus, grades=grades, now=now, judged=judged, revising=True)
    Pool.objects.filter(pk=pool.pk).update(closed_at=now)
    return settlement.notices


def _told_by_imported(query: Query) -> set[str]:
    """The canonical ids that an imported opinion grades."""
    imported = Judgment.objects.filter(query=query, candidate=None, state__in=[State.GRADED, State.SWEPT])
    return set(imported.values_list("canonical_id", flat=True))


def _opinion(judgment: Judgment) -> Opinion:
    rank = judgment.candidate.exact_rank if judgment.candidate else None
    return Opinion(judgment.canonical_id, judgment.document_id, judgment.state, judgment.grade, rank)


def _grade(query: Query, given: ArticleGrade, *, judged_depth: int) -> Grade:
    return Grade(
        query.pk,
        given.canonical_id,
        given.grade or 0,
        Qrel.Source.AGREED,
        document_id=given.document_id,
        swept=given.swept,
        judged_depth=judged_depth,
        exact_rank=given.exact_rank,
    )


def _store_doubts(query: Query, shown: set[str], doubts: Sequence[ArticleGrade]) -> None:
    """What could not be told, in the place of what could not be told before; imported doubts stay."""
    CannotTell.objects.filter(query=query, canonical_id__in=shown, original_score="").delete()
    CannotTell.objects.bulk_create(
        (CannotTell(query=query, canonical_id=doubt.canonical_id, document_id=doubt.document_id) for doubt in doubts),
        ignore_conflicts=True,
    )
