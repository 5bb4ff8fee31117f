"""What counts as an opinion, and what a variant's assessor starts from."""

from __future__ import annotations

from django.db.models import QuerySet

from curation.models import Qrel, Query
from judging.models import COUNTS, Assignment, Judgment, Pool, State


def counted_opinions(pool: Pool) -> QuerySet[Assignment]:
    """The finished opinions on `pool` that count: neither surplus nor undecided, nor open again."""
    return pool.assignments.filter(COUNTS, reopened_at=None)


def inherited_grades(query: Query) -> dict[str, int]:
    """The grades by canonical id that a variant's pool opens with: those settled by hand for its original wording."""
    if query.variant_of_id is None:
        return {}
    settled = Qrel.objects.filter(query=query.variant_of_id, swept=False)
    return dict(settled.values_list("canonical_id", "grade"))


def value_of(state: str, grade: int | None) -> str:
    """What a row shows as marked: "0" to "3", "cant_tell", or "" for nothing."""
    if state == State.CANT_TELL:
        return State.CANT_TELL
    return str(grade) if state == State.GRADED else ""


def shown_value(judgment: Judgment | None, inherited: int | None) -> str:
    """What a row opens with: the mark, else the grade a variant inherited, unless that was cleared."""
    if judgment is not None and judgment.is_mark:
        return value_of(judgment.state, judgment.grade)
    cleared = judgment is not None and judgment.state == State.CLEARED
    return "" if cleared or inherited is None else str(inherited)


def meant_for_twins(assignment: Assignment) -> set[int | None]:
    """The candidates whose grade the assessor means for text twins too."""
    own = Judgment.objects.filter(query=assignment.pool.query_id, assessor=assignment.assessor_id, for_twins=True)
    return set(own.values_list("candidate_id", flat=True))


def standing_values(assignment: Assignment) -> dict[int, str]:
    """What the assessor's page shows as marked, by candidate."""
    query = assignment.pool.query
    own = Judgment.objects.filter(query=query, assessor=assignment.assessor_id)
    judgments = {judgment.document_id: judgment for judgment in own}
    inherited = inherited_grades(query)
    return {
        candidate.pk: shown_value(judgments.get(candidate.document_id), inherited.get(candidate.canonical_id))
        for candidate in assignment.pool.candidates.all()
    }
