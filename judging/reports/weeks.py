"""Who did how much since a moment: queries written, queries judged, and how long a judged query took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from statistics import median
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from curation.models import Corpus, Membership, PoolKind, Query, User
from curation.reports.checks import live
from curation.reports.schedule import day_start, today_in
from curation.reports.team import ENOUGH
from judging.models import Assignment, Pool
from judging.models.pools import COUNTS


@dataclass(frozen=True, slots=True)
class Done:
    """What one person did: queries and variants written; active seconds of each query judged, in order.

    What was written stands: a query that was taken back or retired is none. `owed` queries of what they are asked to
    write are still to be written, by `ends_on` at the pace of the span. That pace counts what fills an assignment, as
    `owed` does: variants too. None where nothing is owed, or fewer than `ENOUGH` of these were written in it.
    """

    user: User
    written: int
    variants: int
    seconds: Sequence[int]
    owed: int = 0
    ends_on: date | None = None

    @property
    def judged(self) -> int:
        """How many queries the person judged."""
        return len(self.seconds)

    @property
    def median_seconds(self) -> float | None:
        """The median of active seconds a judged query, None without one."""
        return median(self.seconds) if self.seconds else None


def week_start(corpus: Corpus, now: datetime) -> datetime:
    """Midnight of the Monday on or before `now` where the corpus is at home."""
    today = day_start(corpus, now)
    return today - timedelta(days=today.weekday())


def done_since(corpus: Corpus, since: datetime, *, now: datetime, owed: Mapping[int, int]) -> list[Done]:
    """What each member who did something since then, or who owes queries (`owed`, by user), did, most judged first."""
    users = {each.user_id: each.user for each in Membership.objects.filter(corpus=corpus).select_related("user")}
    wrote, judged = authored(corpus, since), seconds_judged(corpus, since)
    today, days = today_in(corpus, now), max(1.0, (now - since) / timedelta(days=1))
    done = []
    for pk in [pk for pk in users if pk in wrote or pk in judged or owed.get(pk)]:
        (written, varied), left = wrote.get(pk, (0, 0)), owed.get(pk, 0)
        filling = written + varied
        ends_on = today + timedelta(days=ceil(left * days / filling)) if left and filling >= ENOUGH else None
        done.append(Done(users[pk], written, varied, judged.get(pk, ()), owed=left, ends_on=ends_on))
    return sorted(done, key=lambda each: (-each.judged, -each.written, each.user.username))


def done_by(user: User, corpus: Corpus, *, since: datetime) -> Done:
    """What one person did since then."""
    written, varied = authored(corpus, since, user=user).get(user.pk, (0, 0))
    return Done(user, written, varied, seconds=seconds_judged(corpus, since, user=user).get(user.pk, ()))


def authored(corpus: Corpus, since: datetime, *, user: User | None = None) -> dict[int, tuple[int, int]]:
    """Author → queries written, and variants written, of those that are not retired."""
    theirs = live(corpus).filter(created_at__gte=since, author__isnull=False)
    if user:
        theirs = theirs.filter(author=user)
    variant = Q(origin=Query.Origin.VARIANT)
    rows = theirs.values_list("author").annotate(wrote=Count("pk", filter=~variant), varied=Count("pk", filter=variant))
    return {author: (wrote, varied) for author, wrote, varied in rows}


def seconds_judged(corpus: Corpus, since: datetime, *, user: User | None = None) -> dict[int, list[int]]:
    """Assessor → active seconds of each query finished, in the order they were finished.

    Documents that were sent alone are no query: what they took tells nothing of a whole list.
    """
    finished = Assignment.objects.filter(pool__query__corpus=corpus, finished_at__gte=since).order_by("finished_at")
    finished = finished.exclude(pool__kind=Pool.Kind.SENT)
    if user:
        finished = finished.filter(assessor=user)
    seconds: dict[int, list[int]] = {}
    for assessor, spent in finished.values_list("assessor_id", "seconds_active"):
        seconds.setdefault(assessor, []).append(spent)
    return seconds


def judged_by_people(corpus: Corpus, since: datetime) -> QuerySet[Query]:
    """The queries judged since then that someone went through here; what a file alone judged is nobody's pace."""
    finished = Assignment.objects.filter(COUNTS, pool__query=OuterRef("pk"), finished_at__gte=since)
    by_people = Exists(finished.exclude(pool__kind=Pool.Kind.SENT))
    return Query.objects.filter(by_people, corpus=corpus, judged_at__gte=since)


def seconds_by_kind(corpus: Corpus) -> dict[str, QuerySet[Any, Any]]:
    """Kind of pool → active seconds of each opinion that counts, the latest first, in the column `listed`."""
    counting = Assignment.objects.filter(COUNTS, pool__query__corpus=corpus, seconds_active__gt=0)
    latest = counting.order_by("-finished_at", "-pk")
    return {kind: latest.filter(pool__kind=kind).values(listed=F("seconds_active")) for kind in PoolKind.values}
