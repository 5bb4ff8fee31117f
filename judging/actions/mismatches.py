"""Flagging a candidate that is not what its row says, and taking the flag back."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from curation.actions.refusal import Refused
from curation.models import Corpus, Document, User
from judging.actions.assignments import keep_hold, own_assignments
from judging.actions.marks import Mark, mark, refuse_ended
from judging.models import Assignment, Candidate, Judgment, Mismatch, State
from judging.reports.mismatches import UNFOLDED, unfolded


@dataclass(frozen=True, slots=True)
class Flag:
    """One press: what is wrong with a candidate (`Mismatch.Reason`), or "" to take back what was flagged.

    `document_id` is the folded rendering that it speaks of, None for all of them. `token` names the press.
    """

    candidate_id: int
    reason: str
    token: str
    document_id: int | None = None
    note: str = ""


def flag(*, corpus: Corpus, person: User, assignment_id: int, given: Flag, now: datetime) -> Mismatch | None:
    """Flag a candidate in place of what the person flagged on it before; None where the flag was taken back.

    What is not the same document becomes a candidate of its own with the same canonical id, shown to this person
    alone. When that flag is taken back the row folds again, and marks on what was unfolded are cleared.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
        Candidate.DoesNotExist: the candidate is not in its pool.
        Refused: the query is finished or withdrawn, or the rendering is not folded into the candidate.
    """
    with transaction.atomic():
        assignment = own_assignments(corpus, person).select_for_update(of=("self",)).get(pk=assignment_id)
        known = Mismatch.objects.filter(token=given.token, assessor=person).first()
        if known is not None:
            return known
        refuse_ended(assignment, now)
        candidate = Candidate.objects.get(pk=given.candidate_id, pool=assignment.pool_id)
        if given.document_id not in {None, *candidate.folded}:
            raise Refused("This translation is not folded into the document. Reload the page.")
        before = unfolded(candidate, _take_back(candidate, person, now))
        found = _write(assignment, candidate, given, now=now) if given.reason else None
        after = unfolded(candidate, found)
        _unfold(candidate, after)
        _clear(assignment, set(before) - set(after), token=given.token, now=now)
        keep_hold(assignment=assignment, now=now)
        return found


def _take_back(candidate: Candidate, person: User, now: datetime) -> Mismatch | None:
    standing = Mismatch.objects.filter(candidate=candidate, assessor=person, undone_at=None).first()
    if standing is not None:
        standing.undone_at = now
        standing.save(update_fields=["undone_at"])
    return standing


def _write(assignment: Assignment, candidate: Candidate, given: Flag, *, now: datetime) -> Mismatch:
    return Mismatch.objects.create(
        assignment=assignment,
        candidate=candidate,
        document_id=given.document_id,
        assessor_id=assignment.assessor_id,
        reason=given.reason,
        note=given.note,
        token=given.token,
        at=now,
    )


def _unfold(candidate: Candidate, documents: Collection[int]) -> None:
    """Make candidates of the renderings; the pool has each document once, whoever unfolded it first."""
    for document in Document.objects.filter(pk__in=documents):
        origin = {"canonical_id": candidate.canonical_id, "origins": {UNFOLDED: None}}
        Candidate.objects.get_or_create(pool=candidate.pool, document=document, defaults=origin)


def _clear(assignment: Assignment, documents: Collection[int], *, token: str, now: datetime) -> None:
    """Clear the person's marks on what is folded again: its row does not show any more."""
    own = Judgment.objects.filter(
        query=assignment.pool.query_id, assessor=assignment.assessor_id, document__in=documents
    )
    for judgment in own.exclude(state=State.CLEARED).exclude(candidate=None):
        cleared = Mark(judgment.candidate_id or 0, State.CLEARED, f"{token[:40]}:{judgment.pk}")
        mark(
            corpus=assignment.pool.query.corpus,
            person=assignment.assessor,
            assignment_id=assignment.pk,
            given=cleared,
            now=now,
        )
