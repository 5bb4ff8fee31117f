"""What waits to be judged, and what the person holds already."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from curation.models import Corpus, Query, User
from judging.models import Assignment, Judgment, Pool


@dataclass(frozen=True, slots=True)
class Held:
    """The query a person is in the middle of, with the marks kept so far and when the last one was made."""

    query: Query
    marks: int
    last_at: datetime | None


def open_pools(user: User, corpus: Corpus, *, now: datetime) -> QuerySet[Pool]:
    """Pools of READY queries that `user` may judge: nobody else holds them, and `user` has not done with them."""
    holds = Assignment.objects.filter(
        pool=OuterRef("pk"), finished_at=None, skipped_at=None, released_at=None, lease_until__gt=now
    )
    past = Assignment.objects.filter(pool=OuterRef("pk"), assessor=user)
    ready = Pool.objects.filter(query__corpus=corpus, query__status=Query.Status.READY)
    return ready.exclude(Exists(holds.exclude(assessor=user))).exclude(
        Exists(past.exclude(finished_at=None) | past.exclude(skipped_at=None))
    )


def held_by(user: User, corpus: Corpus, *, now: datetime) -> Held | None:
    """The query `user` holds, or None."""
    hold = (
        Assignment.objects.filter(assessor=user, pool__query__corpus=corpus, lease_until__gt=now)
        .filter(finished_at=None, skipped_at=None, released_at=None)
        .select_related("pool__query__stratum")
        .first()
    )
    if hold is None:
        return None
    marks = Judgment.objects.filter(query=hold.pool.query, assessor=user, candidate__pool=hold.pool)
    moments = list(marks.order_by("judged_at").values_list("judged_at", flat=True))
    return Held(hold.pool.query, marks=len(moments), last_at=moments[-1] if moments else None)
