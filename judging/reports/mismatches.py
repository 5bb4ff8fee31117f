"""Flagged candidates: what each judge sees of them, and the list of a lead."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.formats.records import JsonValue
from curation.models import Corpus, User
from curation.reports.navigation import Visit
from curation.reports.prepared import KEY, PERSON, PreparedRows
from curation.reports.titles import title_of
from judging.models import REOPENED, Assignment, Candidate, Mismatch

UNFOLDED = "unfolded"
"""The origin of a candidate that was folded into another one until a judge said that it is not the same document."""


def standing(
    corpus: Corpus, *, locales: Collection[str] | None = None, reader: User | None = None
) -> QuerySet[Mismatch]:
    """The flags of a corpus (on queries of `locales`; None for all) that nobody took back, the newest first.

    Each with the `title` of its document, and that of the `translation` it speaks of. A `reader` who has begun to
    judge a query, and not finished, is told what others flagged on it once they have.
    """
    flags = Mismatch.objects.filter(assignment__pool__query__corpus=corpus, undone_at=None)
    if locales is not None:
        flags = flags.filter(assignment__pool__query__stratum__query_language__in=locales)
    if reader is not None:
        flags = flags.filter(Q(assessor=reader) | ~Q(Exists(_unfinished(reader))))
    told = flags.select_related(
        "assignment__pool__query__stratum", "candidate__document", "document", "assessor", "dealt_with_by"
    )
    titles = {"title": title_of("candidate__document"), "translation": title_of("document")}
    return told.annotate(**titles).order_by("-at", "-pk")


def _unfinished(reader: User) -> QuerySet[Assignment]:
    """What the reader holds, put off or lost of the query of a flag, while it waits, or opened again."""
    own = Assignment.objects.filter(assessor=reader, pool__query=OuterRef("assignment__pool__query"))
    return own.filter(Q(finished_at=None, pool__closed_at=None) | REOPENED)


def open_flags(corpus: Corpus, *, locales: Collection[str] | None, reader: User) -> QuerySet[Mismatch]:
    """The standing flags that no lead has dealt with, the newest first."""
    return standing(corpus, locales=locales, reader=reader).filter(dealt_with_at=None)


def open_for(visit: Visit) -> QuerySet[Mismatch]:
    """What the menu counts beside Mismatches: the open flags of the locales that the person leads."""
    return open_flags(visit.corpus, locales=visit.led, reader=visit.user)


def dealt_with(corpus: Corpus, *, locales: Collection[str] | None, reader: User) -> QuerySet[Mismatch]:
    """The standing flags that a lead has dealt with, the last one first."""
    return (
        standing(corpus, locales=locales, reader=reader).exclude(dealt_with_at=None).order_by("-dealt_with_at", "-pk")
    )


def as_json(flag: Mismatch) -> dict[str, JsonValue]:
    """One flag as it is exported."""
    return {
        "query_id": flag.assignment.pool.query.external_id,
        "document_id": flag.candidate.document.external_id,
        "canonical_id": flag.candidate.canonical_id,
        "rendering_id": flag.document.external_id if flag.document else None,
        "reason": flag.reason,
        "note": flag.note,
        "judge": flag.assessor.username,
        "at": flag.at.isoformat(),
        "dealt_with_at": flag.dealt_with_at.isoformat() if flag.dealt_with_at else None,
        "dealt_with_by": flag.dealt_with_by.username if flag.dealt_with_by else None,
    }


def own_flags(assignment: Assignment) -> dict[int, Mismatch]:
    """What the assessor of `assignment` flagged in its pool and did not take back, by candidate."""
    flags = _flags_asked().rows({KEY: assignment.pool_id, PERSON: assignment.assessor_id})
    return {flag.candidate_id: flag for flag in flags}


@cache
def _flags_asked() -> PreparedRows[Mismatch]:
    return PreparedRows(Mismatch.objects.filter(candidate__pool=KEY, assessor=PERSON, undone_at=None))


def effective(presses: Iterable[Mismatch]) -> list[Mismatch]:
    """Those of `presses` that nobody took back with the undo key, in their order; neither are the undos themselves."""
    made = list(presses)
    undone = {press.undoes_id for press in made}
    return [press for press in made if press.undoes_id is None and press.pk not in undone]


def unfolded(candidate: Candidate, flag: Mismatch | None) -> list[int]:
    """The keys of the renderings that `flag` takes out of `candidate`, in the order of their folding."""
    if flag is None or flag.reason != Mismatch.Reason.NOT_SAME:
        return []
    return [pk for pk in candidate.folded if flag.document_id in {None, pk}]


def folded_back(queries: Collection[int]) -> list[int]:
    """The keys of candidates of these queries that were unfolded and that nobody keeps apart any more."""
    told = Candidate.objects.filter(pool__query__in=queries, origins__has_key=UNFOLDED)
    made = list(told.values_list("pk", "pool", "document"))
    if not made:
        return []
    flags = Mismatch.objects.filter(candidate__pool__query__in=queries, undone_at=None).select_related("candidate")
    apart = {(each.candidate.pool_id, pk) for each in flags for pk in unfolded(each.candidate, each)}
    return [key for key, *place in made if tuple(place) not in apart]


def candidates_of(assignment: Assignment, *, to_show: bool = False) -> list[Candidate]:
    """The candidates that the assessor is asked about, in the order they joined: what another judge unfolded is not.

    `to_show` reads what is highlighted in them, too.
    """
    candidates = _candidates_asked(to_show=to_show).rows({KEY: assignment.pool_id})
    if not any(UNFOLDED in candidate.origins for candidate in candidates):
        return candidates
    flags = own_flags(assignment)
    own = {pk for candidate in candidates for pk in unfolded(candidate, flags.get(candidate.pk))}
    return [each for each in candidates if UNFOLDED not in each.origins or each.document_id in own]


@cache
def _candidates_asked(*, to_show: bool) -> PreparedRows[Candidate]:
    asked = Candidate.objects.filter(pool=KEY).select_related("document").order_by("pk")
    return PreparedRows(asked if to_show else asked.defer("highlights", "document__facts"))


def beside_their_row(candidates: Sequence[Candidate]) -> list[Candidate]:
    """`candidates` with each unfolded one right behind the row that it was folded into."""
    apart = {candidate.document_id: candidate for candidate in candidates if UNFOLDED in candidate.origins}
    order: list[Candidate] = []
    for candidate in candidates:
        if candidate.document_id not in apart:
            order += [candidate, *(apart[pk] for pk in candidate.folded if pk in apart)]
    return order
