"""Flagging a candidate that is not what its row says, and taking the flag back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from curation.actions.refusal import Refused
from curation.models import Corpus, Document, User
from judging.actions.assignments import keep_hold
from judging.actions.marks import Mark, mark, refuse_ended
from judging.models import Assignment, Candidate, Judgment, Mismatch, State
from judging.reports.mismatches import UNFOLDED, effective, unfolded
from judging.reports.own import own_assignment


@dataclass(frozen=True, slots=True)
class Flag:
    """One press: what is wrong with a candidate (`Mismatch.Reason`), or "" to take back what was flagged.

    `document_id` is the folded rendering that it speaks of, None for all of them. `token` names the press. `undoes` is
    the token of the press that this one takes back: what was flagged before that stands again, whatever else it says.
    """

    candidate_id: int
    reason: str
    token: str
    document_id: int | None = None
    note: str = ""
    undoes: str = ""


def flag(*, corpus: Corpus, person: User, assignment_id: int, given: Flag, now: datetime) -> Mismatch | None:
    """Flag a candidate in place of what the person flagged on it before; None where nothing is flagged then.

    What is not the same document becomes a candidate of its own with the same canonical id, shown to this person
    alone. When that flag is taken back the row folds again, and marks on what was unfolded are cleared. A press that
    takes back what does not stand any more changes nothing.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
        Candidate.DoesNotExist: the candidate is not in its pool.
        Refused: the query is finished or withdrawn, the rendering is not folded into the candidate, or the reason
            speaks of translations where none is.
    """
    with transaction.atomic():
        assignment = own_assignment(corpus, person, assignment_id, lock="itself")
        known = Mismatch.objects.filter(token=given.token).first()
        if known is not None:
            return _same_press(known, assignment, given)
        refuse_ended(assignment, now)
        candidate = Candidate.objects.get(pk=given.candidate_id, pool=assignment.pool_id)
        _refuse_untrue(candidate, given)
        own = list(Mismatch.objects.filter(candidate=candidate, assessor=person).order_by("pk"))
        standing = next((press for press in own if press.undone_at is None), None)
        presses = effective(own)
        undone = presses[-1] if presses and presses[-1].token == given.undoes else None
        if undone is None and (given.undoes or not (given.reason or standing)):
            return standing
        meant = _before(presses, given) if undone else given
        found = _replace(assignment, candidate, meant, undone=undone, now=now)
        keep_hold(assignment=assignment, now=now)
        return found if found.reason else None


def _refuse_untrue(candidate: Candidate, given: Flag) -> None:
    if given.document_id not in {None, *candidate.folded}:
        raise Refused("This translation is not folded into the document. Reload the page.")
    if given.reason in Mismatch.OF_TRANSLATIONS and not candidate.folded:
        raise Refused("No translation is folded into this document, so none can differ. Choose another reason.")


def _same_press(known: Mismatch, assignment: Assignment, given: Flag) -> Mismatch | None:
    if (known.assessor_id, known.candidate_id) != (assignment.assessor_id, given.candidate_id):
        raise Refused("This flag bears the token of another one, so it was not saved. Reload the page and flag again.")
    return known if known.reason else None


def _before(presses: Sequence[Mismatch], given: Flag) -> Flag:
    """`given` with what was flagged before the last of `presses`."""
    if len(presses) == 1:
        return replace(given, reason="", document_id=None, note="")
    before = presses[-2]
    return replace(given, reason=before.reason, document_id=before.document_id, note=before.note)


def _replace(
    assignment: Assignment, candidate: Candidate, given: Flag, *, undone: Mismatch | None, now: datetime
) -> Mismatch:
    """Write the press down in the place of what stands, and fold and unfold accordingly."""
    own = Mismatch.objects.filter(candidate=candidate, assessor=assignment.assessor_id, undone_at=None)
    standing = own.first()
    own.update(undone_at=now)
    found = _write(assignment, candidate, given, undone=undone, now=now)
    after = unfolded(candidate, found)
    _unfold(candidate, after)
    _clear(assignment, set(unfolded(candidate, standing)) - set(after), token=given.token, now=now)
    return found


def _write(
    assignment: Assignment, candidate: Candidate, given: Flag, *, undone: Mismatch | None, now: datetime
) -> Mismatch:
    return Mismatch.objects.create(
        assignment=assignment,
        candidate=candidate,
        document_id=given.document_id,
        assessor_id=assignment.assessor_id,
        reason=given.reason,
        note=given.note,
        token=given.token,
        undoes=undone,
        at=now,
        undone_at=None if given.reason else now,
    )


def _unfold(candidate: Candidate, documents: Collection[int]) -> None:
    """Make candidates of the renderings; the pool has each document once, whoever unfolded it first."""
    for document in Document.objects.filter(pk__in=documents):
        origin = {"canonical_id": candidate.canonical_id, "origins": {UNFOLDED: None}}
        Candidate.objects.get_or_create(pool=candidate.pool, document=document, defaults=origin)


def _clear(assignment: Assignment, documents: Collection[int], *, token: str, now: datetime) -> None:
    """Clear the person's marks on what is folded again: its row does not show any more."""
    own = Judgment.with_begun.filter(
        candidate__pool=assignment.pool_id, assessor=assignment.assessor_id, document__in=documents
    )
    for judgment in own.exclude(state=State.CLEARED):
        cleared = Mark(judgment.candidate_id or 0, State.CLEARED, f"{token[:40]}:{judgment.pk}")
        mark(
            corpus=assignment.pool.query.corpus,
            person=assignment.assessor,
            assignment_id=assignment.pk,
            given=cleared,
            now=now,
        )
