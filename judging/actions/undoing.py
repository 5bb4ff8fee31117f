"""Taking back: the last mark or flag, and across queries the last finish."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from curation.models import Corpus, Query, User
from judging.actions.assignments import LEASE, own_assignments
from judging.actions.marks import Mark, mark, refuse_ended
from judging.actions.mismatches import Flag, flag
from judging.models import Assignment, JudgmentEvent, Mismatch, State
from judging.reports.mismatches import effective


def undo(*, corpus: Corpus, person: User, assignment_id: int, token: str, now: datetime) -> Assignment:
    """Take back the last mark or flag on this query; where it has none, open the query finished before it again.

    Returns the assignment to go on with. `token` names the press: sent twice it takes back one.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
        Refused: the query is finished or withdrawn.
    """
    with transaction.atomic():
        own = own_assignments(corpus, person)
        assignment = own.select_for_update(of=("self",)).get(pk=assignment_id)
        marked = JudgmentEvent.objects.filter(token=token, judgment__assessor=person)
        if marked.exists() or Mismatch.objects.filter(token=token, assessor=person).exists():
            return assignment
        refuse_ended(assignment, now)
        history = _history(assignment)
        given, flagged = taking_back(history, token=token), _last_flag(assignment)
        if flagged and not (given and flagged.at < _moment(history, given.undoes)):
            undoing = Flag(flagged.candidate_id, "", token, undoes=flagged.token)
            flag(corpus=corpus, person=person, assignment_id=assignment_id, given=undoing, now=now)
        elif given:
            mark(corpus=corpus, person=person, assignment_id=assignment_id, given=given, now=now)
        else:
            return _reopen_before(assignment, now) or assignment
        return assignment


def _history(assignment: Assignment) -> list[JudgmentEvent]:
    """The assessor's marks on what is left of this pool, in order of arrival."""
    events = JudgmentEvent.objects.filter(
        judgment__candidate__pool=assignment.pool_id,
        judgment__assessor=assignment.assessor_id,
        judgment__document__gone_at=None,
    )
    # A document that is judged again has marks from an earlier pool, too.
    return list(events.filter(at__gte=assignment.pool.drawn_at).select_related("judgment").order_by("pk"))


def _last_flag(assignment: Assignment) -> Mismatch | None:
    """The assessor's last press on a flag of this pool that can be taken back."""
    own = Mismatch.objects.filter(candidate__pool=assignment.pool_id, assessor=assignment.assessor_id)
    return next(reversed(effective(own.order_by("pk"))), None)


def _moment(history: Iterable[JudgmentEvent], token: str) -> datetime:
    """When the mark with this token was made. Marks that fall with a flag bear the flag's own moment."""
    return next(event.at for event in history if event.token == token)


def taking_back(history: Iterable[JudgmentEvent], *, token: str) -> Mark | None:
    """The mark that takes back the last of `history` (in order of arrival); None where nothing is left to take back."""
    events = list(history)
    undone = {event.undoes_id for event in events}
    standing: dict[int, list[JudgmentEvent]] = {}
    highest: dict[int, int] = {}
    last: JudgmentEvent | None = None
    for event in events:
        late = event.number <= highest.get(event.judgment_id, 0)
        highest[event.judgment_id] = max(event.number, highest.get(event.judgment_id, 0))
        if event.undoes_id is None and event.pk not in undone and not late:
            standing.setdefault(event.judgment_id, []).append(event)
            last = event
    if last is None or last.judgment.candidate_id is None:
        return None
    earlier = standing[last.judgment_id][:-1]
    before = earlier[-1] if earlier else JudgmentEvent(state=State.CLEARED)
    return Mark(
        last.judgment.candidate_id,
        State(before.state),
        token,
        grade=before.grade,
        note=before.note,
        for_twins=before.for_twins,
        undoes=last.token,
    )


def _reopen_before(assignment: Assignment, now: datetime) -> Assignment | None:
    """Open again what the person finished before this one; what it settled stands until they finish anew."""
    finished = own_assignments(assignment.pool.query.corpus, assignment.assessor).filter(finished_at__isnull=False)
    if assignment.finished_at:
        finished = finished.filter(finished_at__lt=assignment.finished_at)
    before = finished.exclude(pool__query__status=Query.Status.RETIRED).order_by("-finished_at", "-pk").first()
    if before is not None:
        Assignment.objects.filter(pk=before.pk).update(reopened_at=now, lease_until=now + LEASE)
    return before
