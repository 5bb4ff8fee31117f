"""Marks begun in a pool beside an opinion that counts: what was said elsewhere stands until that pool is finished.

A document that was sent alone, or whose text changed, is judged in a pool of its own. Were its mark the judge's only
word at once, whoever marks it and leaves would take their voice out of what was settled, or close a dispute by it.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from judging.models import Assignment, Judgment, JudgmentEvent, State
from judging.reports.marking import Shown
from judging.reports.opinions import of_counted_opinions

SAID_ANEW = (
    *("candidate_id", "state", "grade", "text_sha256", "note", "for_twins"),
    *("token", "number", "judged_at", "screen_ms"),
)


def of_pool(judgment: Judgment, shown: Shown, *, now: datetime) -> Judgment:
    """The judgment that takes a mark on `shown`; `judgment` is what its assessor said of the document last.

    That one, or the one of this pool beside which it was begun elsewhere. Where it counts in another pool, a new one.
    """
    if judgment.candidate_id == shown.candidate_id:
        return judgment
    standing = standing_beside(judgment) if judgment.begun else judgment
    if standing.candidate_id == shown.candidate_id:
        return standing
    if not judgment.begun and _counts(judgment):
        return _beside(judgment, shown, now)
    judgment.candidate_id = shown.candidate_id
    return judgment


def let_stand(assignment: Assignment) -> None:
    """Let what was begun in the pool of `assignment` take the place of what its assessor said before."""
    for anew in begun_in(assignment).order_by("pk"):
        _take_the_place(anew)


def begun_in(assignment: Assignment) -> QuerySet[Judgment]:
    """What its assessor began in the pool of `assignment`."""
    begun = Judgment.with_begun.filter(begun=True, candidate__pool=assignment.pool_id)
    return begun.filter(assessor=assignment.assessor_id)


def _counts(judgment: Judgment) -> bool:
    return Judgment.objects.filter(of_counted_opinions(), pk=judgment.pk).exists()


def _beside(judgment: Judgment, shown: Shown, now: datetime) -> Judgment:
    """Unmarked, and numbered on from what stands: the page goes on from there."""
    return Judgment(
        query_id=judgment.query_id,
        document_id=judgment.document_id,
        canonical_id=shown.canonical_id,
        assessor_id=judgment.assessor_id,
        candidate_id=shown.candidate_id,
        state=State.CLEARED,
        number=judgment.number,
        note=judgment.note,
        for_twins=judgment.for_twins,
        judged_at=now,
        begun=True,
    )


def standing_beside(begun: Judgment) -> Judgment:
    """The opinion beside which `begun` was begun."""
    return Judgment.objects.get(query=begun.query_id, document=begun.document_id, assessor=begun.assessor_id)


def _take_the_place(anew: Judgment) -> None:
    before = standing_beside(anew)
    for name in SAID_ANEW:
        setattr(before, name, getattr(anew, name))
    before.seconds_active += anew.seconds_active
    JudgmentEvent.objects.filter(judgment=anew).update(judgment=before)
    anew.delete()
    before.save()
