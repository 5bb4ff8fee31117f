"""Taking back: the last mark or flag, and across queries the last finish."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from curation.models import Corpus, Query, User
from judging.actions.assignments import LEASE, keep_hold, lock_person
from judging.actions.begun import standing_beside
from judging.actions.marks import Mark, mark, mark_page, refuse_ended
from judging.actions.mismatches import Flag, flag
from judging.models import Assignment, Judgment, JudgmentEvent, Mismatch, State
from judging.reports.mismatches import effective
from judging.reports.opinions import value_of
from judging.reports.own import own_assignment, own_assignments


@dataclass(frozen=True, slots=True)
class Undone:
    """The assignment to go on with, what was taken back ("" for a press sent twice), and the key of its candidate.

    `unsaved` has a sentence for each mark of the page that could not be saved.
    """

    assignment: Assignment
    words: str = ""
    candidate_id: int | None = None
    unsaved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Undo:
    """One press of the undo key, named by `token`, and the marks of the page (`chosen`) that came with it unsaved."""

    token: str
    chosen: Sequence[Mark] = ()


def undo(*, corpus: Corpus, person: User, assignment_id: int, given: Undo, now: datetime) -> Undone:
    """Take back the last mark or flag on this query; where it has none, open the query again that was left before it.

    What was chosen and not sent yet is saved before, so that the last of it is what is taken back. A press that is sent
    twice takes back one.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
        Refused: the query is finished or withdrawn.
    """
    with transaction.atomic():
        lock_person(person)  # it may open another assignment, whose own window may open this one
        assignment = own_assignment(corpus, person, assignment_id, lock="itself")
        if _is_known(given.token, person):
            return Undone(assignment)
        opened = own_assignments(corpus, person).filter(undo_token=given.token).first()
        if opened is not None:
            return Undone(opened)
        refuse_ended(assignment, now)
        unsaved = mark_page(corpus=corpus, person=person, assignment_id=assignment_id, given=given.chosen, now=now)
        return replace(_take_back(assignment, given.token, now), unsaved=unsaved)


def _is_known(token: str, person: User) -> bool:
    marked = JudgmentEvent.objects.filter(token=token, judgment__assessor=person)
    return marked.exists() or Mismatch.objects.filter(token=token, assessor=person).exists()


def _take_back(assignment: Assignment, token: str, now: datetime) -> Undone:
    history = _history(assignment)
    own: dict[str, Any] = {
        "corpus": assignment.pool.query.corpus,
        "person": assignment.assessor,
        "assignment_id": assignment.pk,
    }
    given, flagged = taking_back(history, token=token), _last_flag(assignment)
    if flagged and not (given and flagged.at < _made(history, given.undoes).at):
        undoing = Flag(flagged.candidate_id, "", token, undoes=flagged.token)
        stands = flag(**own, given=undoing, now=now)
        return Undone(assignment, _flag_in_words(flagged, stands), flagged.candidate_id)
    if given:
        mark(**own, given=given, now=now)
        words = _mark_in_words(_made(history, given.undoes), given)
        return Undone(assignment, words, given.candidate_id)
    return _open_before(assignment, token, now)


def _flag_in_words(flagged: Mismatch, stands: Mismatch | None) -> str:
    gone = f"the flag “{flagged.get_reason_display()}” is taken back" if flagged.reason else "flagged again"
    then = f", “{stands.get_reason_display()}” stands" if stands else ""
    return f"{flagged.candidate.document.external_id}: {gone}{then}."


def _mark_in_words(made: JudgmentEvent, given: Mark) -> str:
    """The document, what was taken back and what stands now, as the page's script says it too."""
    taken, stands = value_of(made.state, made.grade), value_of(given.state, given.grade)
    document = made.judgment.document.external_id
    if taken == stands:
        what = "the last change" if made.note == given.note else "the note"
        return f"{document}: {what} is taken back, {_value_in_words(stands)} stands."
    return f"{document}: {_value_in_words(taken)} is taken back, {_value_in_words(stands)} stands."


def _value_in_words(value: str) -> str:
    return {"": "no mark", State.CANT_TELL: "cannot tell"}.get(value, value)


def _history(assignment: Assignment) -> list[JudgmentEvent]:
    """The assessor's marks on what is left of this pool, in order of arrival."""
    events = JudgmentEvent.objects.filter(
        judgment__candidate__pool=assignment.pool_id,
        judgment__assessor=assignment.assessor_id,
        judgment__document__gone_at=None,
    )
    # A document that is judged again has marks from an earlier pool, too.
    return list(events.filter(at__gte=assignment.pool.drawn_at).select_related("judgment__document").order_by("pk"))


def _last_flag(assignment: Assignment) -> Mismatch | None:
    """The assessor's last press on a flag of this pool that can be taken back."""
    own = Mismatch.objects.filter(candidate__pool=assignment.pool_id, assessor=assignment.assessor_id)
    told = own.select_related("candidate__document").order_by("pk")
    return next(reversed(effective(told)), None)


def _made(history: Iterable[JudgmentEvent], token: str) -> JudgmentEvent:
    """The mark with this token. Marks that fall with a flag bear the flag's own moment."""
    return next(event for event in history if event.token == token)


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
    before = earlier[-1] if earlier else _mark_beside(last.judgment)
    return Mark(
        last.judgment.candidate_id,
        State(before.state),
        token,
        grade=before.grade,
        note=before.note,
        for_twins=before.for_twins,
        undoes=last.token,
    )


def _mark_beside(judgment: Judgment) -> JudgmentEvent:
    """What a row shows without any mark of its pool: none, or the one on the same text beside which it was begun."""
    beside = standing_beside(judgment) if judgment.begun else None
    if beside is None or not beside.is_mark or beside.text_sha256 != judgment.text_sha256:
        return JudgmentEvent(state=State.CLEARED)
    return JudgmentEvent(state=beside.state, grade=beside.grade, note=beside.note, for_twins=beside.for_twins)


def _open_before(assignment: Assignment, token: str, now: datetime) -> Undone:
    """Open what the person left last before this query: skipped, where they can hold it again, or finished."""
    own = own_assignments(assignment.pool.query.corpus, assignment.assessor).exclude(pk=assignment.pk)
    own = own.exclude(pool__query__status=Query.Status.RETIRED)
    finished = own.filter(finished_at__isnull=False).order_by("-finished_at", "-pk")
    skipped = own.filter(finished_at=None, skipped_at__isnull=False).order_by("-skipped_at", "-pk")
    if assignment.finished_at:
        finished = finished.filter(finished_at__lt=assignment.finished_at)
        skipped = skipped.filter(skipped_at__lt=assignment.finished_at)
    before = finished.first()
    if before is not None:
        skipped = skipped.filter(skipped_at__gt=before.finished_at)
    for left in skipped.select_for_update(of=("self",), no_key=True):
        if keep_hold(assignment=left, now=now):
            Assignment.objects.filter(pk=left.pk).update(undo_token=token)
            return Undone(left, f"Query {left.pool.query.external_id}, which you skipped, is open again.")
    if before is None:
        return Undone(assignment, "There is nothing to take back.")
    Assignment.objects.filter(pk=before.pk).update(reopened_at=now, lease_until=now + LEASE, undo_token=token)
    return Undone(before, f"Query {before.pool.query.external_id}, which you finished, is open again.")
