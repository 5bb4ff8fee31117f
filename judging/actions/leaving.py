"""Leaving a finished query that was opened again: without finishing it anew, it never counts with less than that."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db.models import QuerySet

from curation.actions.lookups import insert_one
from curation.actions.refusal import Refused
from curation.models import Query
from judging.actions.begun import begun_in, let_stand
from judging.actions.reasons import NothingRelevant, reason
from judging.actions.settling import settle_complete
from judging.actions.sweeping import Ending, Sweep
from judging.models import Assignment, JudgmentEvent, State

MARKS = (State.GRADED, State.CANT_TELL)
SET_BACK = ("state", "grade", "note", "for_twins")


class FinishFirst(Refused):
    """Finishing it would ask something, so that it cannot be left as it stands."""


def put_back(assignment: Assignment, *, now: datetime) -> None:
    """Let what was opened again count as it stands now: a mark that was taken back is SWEPT, as when it is finished.

    Raises:
        FinishFirst: finishing it would ask why nothing is relevant, or would make of it what it was not before.
    """
    is_withdrawn = assignment.pool.query.status == Query.Status.RETIRED
    if not is_withdrawn and is_touched(assignment):
        _refuse_less(assignment, now)
    _close(assignment)
    if assignment.place is not None:
        let_stand(assignment)
    if assignment.place is not None and not is_withdrawn:
        settle_complete(pool=assignment.pool, now=now)


def put_back_as_sent(assignment: Assignment, *, now: datetime) -> None:
    """Let what was finished count as it was, where nobody is there to be asked: marks changed since are set back.

    Those begun beside what was said elsewhere stay begun.
    """
    for before in _marks_before(assignment):
        _set_back(before, now)
    _close(assignment)
    Sweep(assignment, _ending(assignment)).taken_back(now=now)
    if assignment.place is not None:
        settle_complete(pool=assignment.pool, now=now)


def _refuse_less(assignment: Assignment, now: datetime) -> None:
    opinions = Sweep(assignment, _ending(assignment)).taken_back(now=now)
    name, before = assignment.pool.query.external_id, assignment.nothing_because
    try:
        since = reason(assignment, opinions, _ending(assignment))
    except NothingRelevant:
        raise FinishFirst(
            f"No document of query {name} is marked relevant any more, so it stays open: finish it and say why, "
            "or mark the document that answers it."
        ) from None
    if {before, since}.intersection(Assignment.UNDECIDED) and before != since:
        raise FinishFirst(f"What you marked in query {name} since changes whether it counts: finish it.")
    assignment.nothing_because = since


def _ending(assignment: Assignment) -> Ending:
    """As it was finished: nothing more was seen, and what was said of it stands."""
    return Ending(nothing_because=assignment.nothing_because)


def _close(assignment: Assignment) -> None:
    assignment.reopened_at = None
    assignment.save(update_fields=["reopened_at", "nothing_because"])


def is_touched(assignment: Assignment) -> bool:
    """Whether anything was marked since it was opened again, or begun in it earlier and left so."""
    return _events(assignment).filter(at__gte=assignment.reopened_at).exists() or begun_in(assignment).exists()


def _events(assignment: Assignment) -> QuerySet[JudgmentEvent]:
    own = JudgmentEvent.objects.filter(judgment__assessor=assignment.assessor_id, judgment__begun=False)
    return own.filter(judgment__candidate__pool=assignment.pool_id)


def _marks_before(assignment: Assignment) -> list[JudgmentEvent]:
    """The marks that stood when it was opened again and stand no more."""
    last: dict[int, JudgmentEvent] = {}
    before = _events(assignment).filter(at__lt=assignment.reopened_at).select_related("judgment")
    for event in before.order_by("number", "-pk"):  # of two with one number the first stands
        last[event.judgment_id] = event
    return [each for each in last.values() if each.state in MARKS and each.token != each.judgment.token]


def _set_back(before: JudgmentEvent, now: datetime) -> None:
    """A press more in the history, made by nobody's key: what was pressed since is kept there."""
    judgment = before.judgment
    judgment.token, judgment.number, judgment.judged_at = secrets.token_hex(16), judgment.number + 1, now
    for name in SET_BACK:
        setattr(judgment, name, getattr(before, name))
    judgment.save()
    told = {name: getattr(judgment, name) for name in ("token", "number", *SET_BACK)}
    insert_one(JudgmentEvent(judgment=judgment, at=now, **told))
