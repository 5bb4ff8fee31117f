"""Why nothing is relevant: what a judge has to say before a query without an answer is finished."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from curation.actions.refusal import Refused
from judging.actions.sweeping import Ending
from judging.models import Assignment, Judgment, Pool, State
from judging.reports.mismatches import candidates_of


class NothingRelevant(Refused):
    """No document is marked relevant, and nobody said why."""


def reason(assignment: Assignment, opinions: Iterable[Judgment], ending: Ending) -> str:
    """Why nothing is relevant; "" where something is, or where every document is gone and there is nothing to tell.

    Documents that were sent alone say nothing of the query as a whole, so nobody is asked about them: the marks tell
    whether any of them could be judged.

    Raises:
        NothingRelevant: no document of a drawn pool is marked relevant and `nothing_because` says nothing.
    """
    if assignment.pool.kind == Pool.Kind.SENT:
        return _reason_alone({judgment.state for judgment in opinions})
    relevant_from = assignment.pool.query.corpus.relevant_from
    if any((judgment.grade or 0) >= relevant_from for judgment in opinions):
        return ""
    if ending.nothing_because in Assignment.NothingBecause.values:
        return ending.nothing_because
    if any(candidate.document.gone_at is None for candidate in candidates_of(assignment)):
        raise NothingRelevant("No document is marked relevant: say why before you finish.")
    return ""


def _reason_alone(states: Collection[str]) -> str:
    """Why nothing was told of the documents that were sent: nobody can tell; "" where one of them was judged."""
    doubted = State.CANT_TELL in states and {State.CANT_TELL, State.UNSEEN}.issuperset(states)
    return Assignment.NothingBecause.CANNOT_TELL if doubted else ""
