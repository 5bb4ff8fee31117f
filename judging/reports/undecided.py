"""Who could not decide a query, why and when: what that says of the query, for whoever looks after it.

A judge reads nothing of it before they have judged: while a lead is judging a query it is hidden from them.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from curation.models import Query, User
from curation.registry import Undecided
from judging.models import HOLDS, REOPENED, Assignment
from judging.reports.origins import is_judging

Because = Assignment.NothingBecause
WORDS = {Because.UNCLEAR.value: "the query is unclear", Because.CANNOT_TELL.value: "could not tell"}
DOUBTED = Q(finished_at__isnull=False, nothing_because__in=Assignment.UNDECIDED)


def undecided_on(query: Query, reader: User) -> list[Undecided]:
    """What is told of `query` to `reader`, the earliest first; nothing while they are judging it."""
    if is_judging(reader, query):
        return []
    told = (
        Assignment.objects.filter(DOUBTED, pool__query=query).select_related("assessor").order_by("finished_at", "pk")
    )
    return [Undecided(str(each.assessor), WORDS[each.nothing_because], each.finished_at) for each in told]


def doubted(query: str, reader: int | None) -> Q:
    """Whether somebody could not decide a query that `reader` is not judging; `query` is where the rows name theirs."""
    given = Assignment.objects.filter(pool__query=OuterRef(query))
    judging = given.filter(HOLDS | REOPENED, assessor=reader)
    return Q(Exists(given.filter(DOUBTED))) & ~Q(Exists(judging))
