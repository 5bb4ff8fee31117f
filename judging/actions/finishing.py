"""Finishing a query: what was left unmarked gets its state, and the opinion is settled where enough are there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from curation.actions.lookups import write
from curation.models import Corpus, User
from judging.actions.assignments import KEPT, is_held, take_place, take_place_again
from judging.actions.begun import let_stand
from judging.actions.marks import MOST_SECONDS, refuse_ended
from judging.actions.reasons import reason
from judging.actions.settling import settle_complete, unsettle
from judging.actions.sweeping import Ending, Sweep
from judging.models import Assignment
from judging.reports.own import own_assignment

ENDED = ("place", "finished_at", "reopened_at", "released_at", "skipped_at", "surplus", "nothing_because")
SURPLUS = "Others gave every opinion that query {} wants, so yours is kept and not counted."


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished query. `notices` are for whoever looks after the corpus, and for a judge whose opinion is surplus."""

    assignment: Assignment
    notices: tuple[str, ...] = ()


def finish(*, corpus: Corpus, person: User, assignment_id: int, ending: Ending, now: datetime) -> Finished:
    """Finish a query, and settle it when this opinion is the last one wanted; sent twice, it only answers again.

    Candidates without a mark become SWEPT where they were seen, else UNSEEN. An opinion that could not decide (the
    query is unclear, or nothing can be told) settles nothing, and its query goes to the next person; where it was
    settled with this opinion before, that is taken back. An opinion whose
    lease ran out while others took every place is surplus: kept, never counted.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
        NothingRelevant: no document of a drawn pool is marked relevant and `nothing_because` says nothing.
        Replaced: a mark that the page showed was replaced in another window, or a document joined the list since.
        Withdrawn: the query is withdrawn.
    """
    with transaction.atomic():
        assignment = own_assignment(corpus, person, assignment_id, lock="with query")
        if assignment.finished_at and not assignment.reopened_at:
            return Finished(assignment)
        refuse_ended(assignment, now)
        sweep = Sweep(assignment, ending)
        assignment.nothing_because = reason(assignment, sweep.opinions(now=now), ending)
        was_counted = assignment.finished_at is not None and assignment.place is not None
        held = is_held(assignment, now=now, seconds=min(ending.seconds, MOST_SECONDS))
        _close(assignment, held=held, now=now)
        if sweep.has_begun and not assignment.surplus:
            let_stand(assignment)
        if assignment.place is None and assignment.pool.closed_at and was_counted:
            unsettle(pool=assignment.pool, now=now)
        if assignment.surplus:
            return Finished(assignment, (SURPLUS.format(assignment.pool.query.external_id),))
        if assignment.place is None:
            return Finished(assignment)
        return Finished(assignment, settle_complete(pool=assignment.pool, now=now))


def _close(assignment: Assignment, *, held: bool, now: datetime) -> None:
    """End it. One that could not decide leaves its place to someone else; one that finds no place is surplus.

    One that was finished before takes a place of a settled pool too: its own, that it left since.
    """
    seat = take_place_again if assignment.finished_at else take_place
    assignment.finished_at = now
    assignment.reopened_at = assignment.released_at = assignment.skipped_at = None
    assignment.surplus = False
    if assignment.nothing_because in Assignment.UNDECIDED:
        assignment.place, assignment.surplus = None, not held
    elif assignment.place is None and not seat(assignment):
        assignment.surplus = True
    write(assignment, *KEPT, *ENDED)
