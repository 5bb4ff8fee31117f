"""Marks: each press of a grade key, saved at once and once only, whatever the network does to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from curation.actions.lookups import insert_one
from curation.actions.refusal import Refused
from curation.actions.retiring import withdrawn_in_words
from curation.models import Corpus, Document, Query, User
from curation.reports.moments import moment_in_words
from judging.actions.assignments import keep_hold
from judging.actions.begun import of_pool
from judging.models import Assignment, Candidate, Judgment, JudgmentEvent, State
from judging.reports.marking import Shown, known_before, shown_to_mark
from judging.reports.opinions import meant_for_twins, standing_values, value_of
from judging.reports.own import own_assignment

MOST_SECONDS = 3600  # of active work that one mark may claim


class Withdrawn(Refused):
    """The query is withdrawn: nothing of it is asked any more."""


class Gone(Refused):
    """The document left the corpus, so it takes no grade."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What one press of a key says about a candidate: the whole of its state, so that the last one decides alone.

    `token` names the press, however often it is sent. `number` orders the marks of one person on one candidate (None:
    after all that are known). `text` begins the fingerprint of the text that was on screen ("" for the current one).
    `note` is None where it stays as it is; so is `for_twins`, which means the grade for text twins too. `undoes` is
    the token of the mark that this one takes back. `seconds` is the active time since the mark before.
    """

    candidate_id: int
    state: State
    token: str
    grade: int | None = None
    number: int | None = None
    text: str = ""
    note: str | None = None
    for_twins: bool | None = None
    undoes: str = ""
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Marked:
    """What stands after a mark. `stands` is False where a newer one decides; `counts` is False for surplus marks."""

    judgment: Judgment
    stands: bool
    counts: bool


def mark(*, corpus: Corpus, person: User, assignment_id: int, given: Mark, now: datetime) -> Marked:
    """Save one mark and renew the lease, in one transaction; a mark that was saved already only answers again.

    A mark that arrives after one with a higher number is kept in the history and changes nothing; one that takes back
    what was taken back already changes nothing either. Where the lease ran out and someone else judges the query, the
    mark is kept as surplus.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
        Candidate.DoesNotExist: the candidate is not in its pool.
        Gone: the document left the corpus.
        Refused: the query is finished or withdrawn.
    """
    # Looked up before the lock, so that others wait no longer than for what is written.
    shown = shown_to_mark(given.candidate_id)
    with transaction.atomic():
        # The lock brings the marks of one person on one query into a line.
        assignment = own_assignment(corpus, person, assignment_id, lock="to mark")
        of_press, before = known_before(assignment, shown.document_id, given.token)
        if of_press is not None:
            judgment = _of_same_press(of_press, assignment, given)
            counts = assignment.released_at is None and assignment.skipped_at is None
            return Marked(judgment, stands=judgment.token == given.token, counts=counts)
        refuse_ended(assignment, now)
        judgment = _judgment(assignment, shown, before=before, now=now)
        stands = _record(judgment, given, text=shown.text_seen(given.text), now=now)
        counts = keep_hold(assignment=assignment, now=now, seconds=min(given.seconds, MOST_SECONDS))
        return Marked(judgment, stands=stands, counts=counts)


def mark_page(
    *, corpus: Corpus, person: User, assignment_id: int, given: Sequence[Mark], now: datetime
) -> tuple[str, ...]:
    """Save the marks of a whole page that was posted without script: those that differ from what stands.

    Returns a sentence for each of them that is not saved because its document left the corpus.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
        Candidate.DoesNotExist: a candidate is not in its pool.
        Refused: the query is finished or withdrawn.
    """
    with transaction.atomic():
        # Under a lock, so that a double click finds what the first one marked.
        assignment = own_assignment(corpus, person, assignment_id, lock="itself")
        standing, meant = standing_values(assignment), meant_for_twins(assignment)
        unsaved = []
        for one in given:
            says_so = one.for_twins in {None, one.candidate_id in meant}
            if standing.get(one.candidate_id) != value_of(one.state, one.grade) or not says_so:
                try:
                    mark(corpus=corpus, person=person, assignment_id=assignment_id, given=one, now=now)
                except Gone as gone:
                    unsaved.append(str(gone))
        return tuple(unsaved)


def refuse_ended(assignment: Assignment, now: datetime) -> None:
    """Refuse to change what is finished or withdrawn, and say when and by whom.

    Raises:
        Withdrawn: its query is withdrawn.
        Refused: it is finished.
    """
    query = assignment.pool.query
    if query.status == Query.Status.RETIRED:
        raise Withdrawn(withdrawn_in_words(query, now=now))
    if assignment.finished_at and not assignment.reopened_at:
        when = moment_in_words(assignment.finished_at, corpus=query.corpus, now=now)
        raise Refused(f"You finished this query {when}. Undo on the next one opens it again.")


def _of_same_press(known: int, assignment: Assignment, given: Mark) -> Judgment:
    judgment = Judgment.with_begun.get(pk=known)
    if judgment.assessor_id != assignment.assessor_id or judgment.candidate_id != given.candidate_id:
        raise Refused("This mark bears the token of another one, so it was not saved. Reload the page and mark again.")
    return judgment


def _judgment(assignment: Assignment, shown: Shown, *, before: int | None, now: datetime) -> Judgment:
    """The judgment that the mark is about, by the key of the one `before`; unsaved where it is the first."""
    if shown.pool_id != assignment.pool_id:
        raise Candidate.DoesNotExist
    if shown.is_gone:
        _refuse_gone(shown, assignment.pool.query.corpus, now)
    if before is None:
        return _first(assignment, shown, now)
    return of_pool(Judgment.with_begun.select_for_update(no_key=True).get(pk=before), shown, now=now)


def _first(assignment: Assignment, shown: Shown, now: datetime) -> Judgment:
    return Judgment(
        query_id=assignment.pool.query_id,
        document_id=shown.document_id,
        canonical_id=shown.canonical_id,
        assessor_id=assignment.assessor_id,
        candidate_id=shown.candidate_id,
        state=State.CLEARED,
        judged_at=now,
    )


def _refuse_gone(shown: Shown, corpus: Corpus, now: datetime) -> None:
    document = Document.objects.get(pk=shown.document_id)
    if document.gone_at is not None:
        name, when = document.external_id, moment_in_words(document.gone_at, corpus=corpus, now=now)
        raise Gone(f"Document {name} left the corpus {when}, so it takes no grade. What was marked before is kept.")


def _record(judgment: Judgment, given: Mark, *, text: str, now: datetime) -> bool:
    """Write the mark down, and let it stand unless a newer one does or it takes back what was taken back before."""
    undone = _undone(judgment, given.undoes)
    if undone is not None and hasattr(undone, "undone_by"):
        return False
    number = judgment.number + 1 if given.number is None else given.number
    stands, for_twins = number > judgment.number, _is_for_twins(judgment, given, text)
    if stands:
        judgment.state, judgment.grade = given.state, given.grade
        judgment.token, judgment.number, judgment.judged_at = given.token, number, now
        judgment.text_sha256 = text
        judgment.note = judgment.note if given.note is None else given.note
        judgment.for_twins = for_twins
    judgment.seconds_active += min(given.seconds, MOST_SECONDS)
    if judgment.pk is None:
        insert_one(judgment)
    else:
        judgment.save()
    pressed = JudgmentEvent(
        judgment=judgment,
        token=given.token,
        number=number,
        state=given.state,
        grade=given.grade,
        note=judgment.note if given.note is None else given.note,
        for_twins=for_twins,
        undoes=undone,
        at=now,
    )
    insert_one(pressed)
    return stands


def _is_for_twins(judgment: Judgment, given: Mark, text: str) -> bool:
    """Whether the mark is meant for text twins; where it does not say so it is as the one before, on the same text."""
    if given.for_twins is None:
        return judgment.for_twins and judgment.text_sha256 in {"", text}
    return given.for_twins


def _undone(judgment: Judgment, token: str) -> JudgmentEvent | None:
    """The mark on this row with this token, with what took it back before."""
    if not token or judgment.pk is None:
        return None
    return JudgmentEvent.objects.select_related("undone_by").filter(token=token, judgment=judgment).first()
