"""Which queries lack a pool, and which pools wait for whom."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet

from curation.actions.pooling import KIND
from curation.measures.targets import next_target
from curation.models import Corpus, Job, Query, User
from curation.reports.counts import DIMENSIONS, StratumCount, stratum_counts
from judging.models import HOLDS, Assignment, Candidate, Pool

# A query that could not be drawn for (its vector has not been brought, say) is tried again after so long.
TRY_AGAIN = timedelta(hours=1)
# A query that a reviewer sent something to stays JUDGED while that is being judged.
WAITING = Q(closed_at=None) & (
    Q(query__status=Query.Status.READY) | Q(kind=Pool.Kind.SENT, query__status=Query.Status.JUDGED)
)
TAKEN = Q(assignments__place__isnull=False)


def without_pool(corpus: Corpus) -> QuerySet[Query]:
    """READY queries that no pool has been drawn for, in the order they came."""
    drawn = Pool.objects.filter(query=OuterRef("pk")).exclude(kind=Pool.Kind.SENT)
    return corpus.queries.filter(~Exists(drawn), status=Query.Status.READY).order_by("pk")


def corpora_due(*, now: datetime) -> list[Corpus]:
    """Corpora with vectors whose READY queries lack pools while nobody draws them, nor tried to within the hour."""
    return [corpus for corpus in Corpus.objects.filter(embedding_spaces__current=True) if _is_due(corpus, now)]


def _is_due(corpus: Corpus, now: datetime) -> bool:
    lacking = without_pool(corpus)
    tried = corpus.jobs.filter(kind=KIND).order_by("pk").last()
    if tried is not None and tried.state in Job.LIVE:
        return False
    if tried is not None and tried.created_at > now - TRY_AGAIN:
        lacking = lacking.filter(created_at__gt=tried.created_at)
    return lacking.exists()


def waiting_pairs(queries: Collection[int]) -> set[tuple[int, str]]:
    """(query, canonical id) of the candidates of these queries that wait to be judged."""
    waiting = Pool.objects.filter(WAITING, query__in=queries)
    return set(Candidate.objects.filter(pool__in=waiting).values_list("pool__query_id", "canonical_id"))


def open_pools(corpus: Corpus, person: User) -> QuerySet[Pool]:
    """Pools that wait for an opinion of `person`: a place is free, and they neither hold, wrote nor judged it."""
    holds = Assignment.objects.filter(HOLDS, pool=OuterRef("pk"), assessor=person)
    return with_room(unjudged_pools(corpus, person)).filter(~Exists(holds))


def within_reach(corpus: Corpus, person: User, *, now: datetime) -> QuerySet[Pool]:
    """What `person` could judge: the open pools, what they hold, and what others hold by a lease that ran out."""
    others = TAKEN & ~Q(assignments__assessor=person)
    lasting = Q(assignments__finished_at__isnull=False) | Q(assignments__lease_until__gte=now)
    return with_room(unjudged_pools(corpus, person), taken=others & lasting)


def with_room(pools: QuerySet[Pool], *, taken: Q = TAKEN) -> QuerySet[Pool]:
    """Those of `pools` with a place that no assignment has that is `taken`."""
    return pools.annotate(places=Count("assignments", filter=taken)).filter(places__lt=F("opinions"))


def unjudged_pools(corpus: Corpus, person: User) -> QuerySet[Pool]:
    """Waiting pools of queries that `person` neither wrote nor judged, whoever holds them."""
    judged = Assignment.objects.filter(pool=OuterRef("pk"), assessor=person, finished_at__isnull=False)
    waiting = Pool.objects.filter(WAITING, query__corpus=corpus).exclude(query__author=person)
    return waiting.filter(~Exists(judged))


def judging_order(corpus: Corpus, person: User) -> list[int]:
    """Keys of the pools that `person` may judge, next one first.

    First those that hold a suspected false negative, as they were sent; then the emptiest planned stratum by queries
    that count, in it the oldest query. What the person skipped comes last.
    """
    counts = sorted(stratum_counts(corpus), key=emptiness)
    places = {count.key(DIMENSIONS): place for place, count in enumerate(counts)}
    skipped = Max("assignments__skipped_at", filter=Q(assignments__assessor=person))
    pools = open_pools(corpus, person).annotate(skipped=skipped).order_by("first_at", "query__created_at", "pk")
    rows = list(pools.values_list("pk", "skipped", "first_at", *(f"query__stratum__{name}" for name in DIMENSIONS)))
    first = [row for row in rows if row[1] is None and row[2] is not None]
    fresh = sorted((row for row in rows if row[1] is None and row[2] is None), key=lambda row: places[row[3:]])
    later = sorted((row for row in rows if row[1] is not None), key=lambda row: row[1])
    return [row[0] for row in (*first, *fresh, *later)]


def emptiness(count: StratumCount) -> tuple[object, ...]:
    """Planned strata before the others, those with the smallest share of their next count target first."""
    return (count.planned == 0, count.n / (next_target(count.n) or count.n), count.key(DIMENSIONS))
