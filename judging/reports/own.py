"""A person's own assignments, by queries that are put together once: every press of a key asks for one."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Literal

from django.db.models import F, QuerySet

from curation.models import Corpus, User
from curation.reports.prepared import CORPUS, KEY, NOW, PERSON, PreparedRows
from judging.models import HOLDS, REOPENED, Assignment

Lock = Literal["nothing", "itself", "to mark", "with query"]
TOLD = ("pool__query__corpus", "pool__query__stratum", "pool__query__need", "assessor")


def own_assignments(corpus: Corpus, person: User) -> QuerySet[Assignment]:
    """The assignments of `person` in `corpus`, with all that is told of their query."""
    return Assignment.objects.filter(assessor=person, pool__query__corpus=corpus).select_related(*TOLD)


def own_assignment(corpus: Corpus, person: User, assignment_id: int, *, lock: Lock = "nothing") -> Assignment:
    """One of `own_assignments`, locked by itself, or with its query and pool so that it may be finished.

    Whoever locks anything is in a transaction. "to mark" tells of the pool and the query alone: a mark is made fifty
    times a query.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
    """
    return _own_asked(lock).one({CORPUS: corpus.pk, PERSON: person.pk, KEY: assignment_id})


def held_with_query(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """`assignments` under a lock with their pools and queries, so that one of them may be finished.

    The query comes before its pool, as for everybody: nobody retires the one or leases the other meanwhile.
    """
    told = assignments.select_related("pool__query__corpus")
    return told.select_for_update(of=("self", "pool__query", "pool"), no_key=True)


def begun(corpus: Corpus, person: User) -> list[Assignment]:
    """What the person opened again, then what they hold, each with all that is told of its query."""
    return _begun_asked().rows({CORPUS: corpus.pk, PERSON: person.pk})


def ran_out(corpus: Corpus, *, now: datetime) -> list[Assignment]:
    """What is held, or open again, by a lease that ran out."""
    return _ran_out_asked().rows({CORPUS: corpus.pk, NOW: now})


@cache
def _own_asked(lock: Lock) -> PreparedRows[Assignment]:
    own = _anyone().filter(pk=KEY)
    told = own.select_related("pool__query") if lock == "to mark" else own.select_related(*TOLD)
    if lock == "with query":
        return PreparedRows(held_with_query(told))
    return PreparedRows(told if lock == "nothing" else told.select_for_update(of=("self",), no_key=True))


def _anyone() -> QuerySet[Assignment]:
    return Assignment.objects.filter(assessor=PERSON, pool__query__corpus=CORPUS)


@cache
def _begun_asked() -> PreparedRows[Assignment]:
    own = _anyone().filter(HOLDS | REOPENED).select_related(*TOLD)
    return PreparedRows(own.order_by(F("reopened_at").desc(nulls_last=True), "pk"))


@cache
def _ran_out_asked() -> PreparedRows[Assignment]:
    ended = Assignment.objects.filter(HOLDS | REOPENED, lease_until__lt=NOW, pool__query__corpus=CORPUS)
    return PreparedRows(ended.order_by())
