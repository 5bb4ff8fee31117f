"""What counts as an opinion, and what a variant's assessor starts from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, When

from curation.models import DocumentText, Qrel, Query
from curation.reports.prepared import KEY, OTHER, PERSON, Prepared, PreparedRows
from judging.models import COUNTS, Assignment, Candidate, Judgment, Pool, State

IMPORTED = Q(candidate=None, kept_apart=False)
"""The judgments that a file brought and that count."""

TEXT_CHANGED = "text_changed"
"""The origin of a candidate that was judged already, and whose text is another one since."""


def counted_opinions(pool: Pool) -> QuerySet[Assignment]:
    """The finished opinions on `pool` that count: neither surplus nor undecided, nor open again."""
    return pool.assignments.filter(COUNTS, reopened_at=None)


def of_counted_opinions(*, open_again: bool = True) -> Q:
    """What tells the judgments of opinions that count, imported ones among them, for a filter in the database.

    With `open_again` what was finished and is open again counts as well.
    """
    counted = Assignment.objects.filter(COUNTS, pool=OuterRef("candidate__pool"), assessor=OuterRef("assessor"))
    return IMPORTED | Q(Exists(counted if open_again else counted.filter(reopened_at=None)))


SAID = frozenset({State.GRADED, State.SWEPT, State.CANT_TELL})
"""The states of a judgment that say something of its text."""


def on_newest_text(judgments: Sequence[Judgment]) -> list[Judgment]:
    """`judgments` without those on an earlier text than the newest that anybody spoke of, for each document of a query.

    That is the present text, or else that of whoever spoke last. A judgment that does not say which text it saw is
    taken as one of the present text. One database query, and none where all saw one text.
    """
    by_document: defaultdict[tuple[int, int], list[Judgment]] = defaultdict(list)
    for each in judgments:
        if each.state in SAID:
            by_document[each.query_id, each.document_id].append(each)
    differing = [said for said in by_document.values() if len({each.text_sha256 for each in said}) > 1]
    if not differing:
        return list(judgments)
    present = present_texts(each for said in differing for each in said)
    earlier = {each.pk for said in differing for each in _on_earlier(said, present.get(said[0].document_id, ""))}
    return [each for each in judgments if each.pk not in earlier]


def _on_earlier(said: Sequence[Judgment], present: str) -> list[Judgment]:
    seen = {each.pk: each.text_sha256 or present for each in said}
    last = max(said, key=lambda each: (each.judged_at, each.pk))
    newest = present if present in seen.values() else seen[last.pk]
    return [each for each in said if seen[each.pk] != newest]


def inherited_grades(query: Query) -> dict[str, int]:
    """The grades by canonical id that a variant's pool opens with: those settled by hand for its original wording."""
    if query.variant_of_id is None:
        return {}
    return dict(settled_for_original(query).values_list("canonical_id", "grade"))


def settled_for_original(query: Query) -> QuerySet[Qrel]:
    """What is settled for the wording that `query` is a variant of; what was swept there is judged anew."""
    if query.variant_of_id is None:
        return Qrel.objects.none()
    return Qrel.objects.filter(query=query.variant_of_id, swept=False)


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
    own = Judgment.with_begun.filter(query=assignment.pool.query_id, assessor=assignment.assessor_id, for_twins=True)
    return set(own.values_list("candidate_id", flat=True))


def said_here(judgment: Judgment | None, candidate: Candidate, *, present: str) -> Judgment | None:
    """What the assessor said of `candidate`, whose text has the fingerprint `present`.

    What they said in another pool, or elsewhere, of an earlier text is no opinion on this one: None. A judgment that
    does not say which text it saw is taken as one of the present text.
    """
    if judgment is None or judgment.candidate_id == candidate.pk or not (judgment.text_sha256 and present):
        return judgment
    return judgment if judgment.text_sha256 == present else None


def inherited_here(candidate: Candidate, inherited: Mapping[str, int]) -> int | None:
    """The grade that a variant's `candidate` opens with; one whose text changed is to be judged anew."""
    return None if TEXT_CHANGED in candidate.origins else inherited.get(candidate.canonical_id)


def present_texts(of: Iterable[Candidate | Judgment]) -> dict[int, str]:
    """The fingerprint of each document's present text."""
    return dict(_present_asked().rows({KEY: list({each.document_id for each in of})}))


@cache
def _present_asked() -> Prepared:
    return Prepared.of(DocumentText.objects.filter(document__in=[KEY], current=True).values_list("document", "sha256"))


def own_judgments(assignment: Assignment) -> dict[int, Judgment]:
    """What the assessor said for this query, by document: in this pool, else last in whichever."""
    given = {KEY: assignment.pool.query_id, PERSON: assignment.assessor_id, OTHER: assignment.pool_id}
    return {judgment.document_id: judgment for judgment in _own_asked().rows(given)}


@cache
def _own_asked() -> PreparedRows[Judgment]:
    here_last = Case(When(candidate__pool=OTHER, then=1), default=0)  # of two on one document the last one is taken
    return PreparedRows(Judgment.with_begun.filter(query=KEY, assessor=PERSON).order_by(here_last, "begun"))


def standing_values(assignment: Assignment) -> dict[int, str]:
    """What the assessor's page shows as marked, by candidate."""
    inherited = inherited_grades(assignment.pool.query)
    said = _said_of(assignment)
    return {each.pk: shown_value(own, inherited_here(each, inherited)) for each, own in said}


def own_marks(assignment: Assignment) -> list[Judgment]:
    """The marks of the assessor that stand in the rows of their page, those on an earlier text left out."""
    return [own for _, own in _said_of(assignment) if own is not None and own.is_mark]


def _said_of(assignment: Assignment) -> list[tuple[Candidate, Judgment | None]]:
    judgments = own_judgments(assignment)
    candidates = list(assignment.pool.candidates.all())
    texts = present_texts(candidates)
    return [
        (each, said_here(judgments.get(each.document_id), each, present=texts.get(each.document_id, "")))
        for each in candidates
    ]
