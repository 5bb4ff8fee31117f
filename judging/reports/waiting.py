"""What a person is in the middle of judging, and how much waits for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from curation.models import Corpus, Query, User
from curation.reports.navigation import Visit
from judging.models import HOLDS, Assignment, Candidate, Judgment, Pool
from judging.reports.opinions import own_marks
from judging.reports.pools import WAITING, within_reach
from judging.reports.voices import TOLD


@dataclass(frozen=True, slots=True)
class Held:
    """The query a person is in the middle of, with the marks kept so far in its list and when the last one was made."""

    query: Query
    marks: int
    last_at: datetime | None


def held_by(user: User, corpus: Corpus) -> Held | None:
    """What `user` opened again, else the query they hold, or None."""
    own = Assignment.objects.filter(assessor=user, pool__query__corpus=corpus)
    own = own.select_related("pool__query__stratum").order_by("-reopened_at", "pk")
    again = own.filter(reopened_at__isnull=False).exclude(pool__query__status=Query.Status.RETIRED)
    hold = again.first() or own.filter(HOLDS, pool__in=Pool.objects.filter(WAITING, query__corpus=corpus)).first()
    if hold is None:
        return None
    moments = [judgment.judged_at for judgment in own_marks(hold)]
    return Held(hold.pool.query, marks=len(moments), last_at=max(moments, default=None))


def to_look_at_again(user: User, corpus: Corpus, *, now: datetime) -> int:
    """How many documents sent to judges, within reach of `user`, they judged for that query before; one query."""
    said = Judgment.objects.filter(query=OuterRef("pool__query"), canonical_id=OuterRef("canonical_id"), assessor=user)
    before = said.filter(state__in=TOLD).exclude(candidate=OuterRef("pk"))
    sent = within_reach(corpus, user, now=now).filter(kind=Pool.Kind.SENT)
    return Candidate.objects.filter(Exists(before), pool__in=sent, document__gone_at=None).count()


def to_judge(visit: Visit) -> QuerySet[Pool]:
    """What the menu counts beside Judge: the pools that the person could judge now."""
    return within_reach(visit.corpus, visit.user, now=timezone.now())
