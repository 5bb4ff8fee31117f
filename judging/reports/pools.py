"""Which queries lack a pool, and which pools wait for whom."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import lru_cache

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Coalesce, Concat

from curation.actions.pooling import KIND
from curation.models import Corpus, Job, Membership, Query, Role, User
from curation.reports.prepared import KEY, NOW, PERSON, Prepared
from judging.models import HOLDS, Assignment, Candidate, Pool
from judging.reports.mismatches import folded_back

# A query that could not be drawn for (its vector has not been brought, say) is tried again after so long.
TRY_AGAIN = timedelta(hours=1)
# A query that a reviewer sent something to stays JUDGED while that is being judged.
WAITING = Q(closed_at=None) & (
    Q(query__status=Query.Status.READY) | Q(kind=Pool.Kind.SENT, query__status=Query.Status.JUDGED)
)
TAKEN = Q(place__isnull=False)
MOST_CORPORA = 64  # whose queries are kept put together


def waits(pool: Pool) -> bool:
    """`WAITING` of a pool that is at hand with its query."""
    status = pool.query.status
    is_sent_again = pool.kind == Pool.Kind.SENT and status == Query.Status.JUDGED
    return pool.closed_at is None and (status == Query.Status.READY or is_sent_again)


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


def still_judged(queries: Collection[int]) -> set[int]:
    """Those of these queries whose pool still lacks opinions; what was sent alone holds no query back."""
    waiting = Pool.objects.filter(query__in=queries, closed_at=None).exclude(kind=Pool.Kind.SENT)
    return set(waiting.values_list("query_id", flat=True))


def offered(query: str) -> Q:
    """Whether a pool of a READY query still lacks opinions; `query` is where the outer rows name their query."""
    return Q(Exists(Pool.objects.filter(query=OuterRef(query), closed_at=None)))


def waiting_pairs(queries: Collection[int]) -> set[tuple[int, str]]:
    """(query, canonical id) of the candidates of these queries that wait to be judged."""
    waiting = Pool.objects.filter(WAITING, query__in=queries)
    return set(Candidate.objects.filter(pool__in=waiting).values_list("pool__query_id", "canonical_id"))


def candidates_of(queries: Collection[int]) -> dict[int, int]:
    """Query → how many documents its pools list, of those of `queries` that have a pool.

    So many may be judged: chunks of one article are a document each, and so is what a judge unfolded, while it is.
    """
    shown = Candidate.objects.filter(pool__query__in=queries).exclude(pk__in=folded_back(queries))
    pools = shown.order_by().values_list("pool__query_id")
    return dict(pools.annotate(documents=Count("document", distinct=True)))


def judged_by(person: User, queries: Collection[int]) -> set[int]:
    """Which of these queries the person has judged, and does not judge again."""
    own = Assignment.objects.filter(assessor=person, pool__query__in=queries)
    begun = own.filter(HOLDS | Q(reopened_at__isnull=False)).values("pool__query")
    finished = own.filter(finished_at__isnull=False).exclude(pool__query__in=begun)
    return set(finished.values_list("pool__query_id", flat=True))


def open_pools(corpus: Corpus, person: User) -> QuerySet[Pool]:
    """Pools that wait for an opinion of `person`: a place is free, and they neither hold, wrote nor judged it."""
    holds = Assignment.objects.filter(HOLDS, pool=OuterRef("pk"), assessor=person)
    places = Assignment.objects.filter(TAKEN, pool=OuterRef("pk")).order_by().values("pool")
    taken = Coalesce(Subquery(places.annotate(places=Count("pk")).values("places")), 0)
    return unjudged_pools(corpus, person).filter(~Exists(holds), opinions__gt=taken)


def within_reach(corpus: Corpus, person: User, *, now: datetime) -> QuerySet[Pool]:
    """What `person` could judge: the open pools, what they hold, and what others hold by a lease that ran out."""
    lasting = Q(finished_at__isnull=False) | Q(lease_until__gte=now)
    others = Assignment.objects.filter(TAKEN, lasting, pool__closed_at=None).exclude(assessor=person)
    # All that wait are asked for, so the few that are full are found once and not pool by pool (docs/adr/0014).
    places = others.order_by().values("pool").annotate(places=Count("pk"))
    full = places.filter(places__gte=F("pool__opinions"))
    return unjudged_pools(corpus, person).exclude(pk__in=full.values("pool"))


def is_open(pool_id: int, corpus: Corpus, person: User) -> bool:
    """Whether the pool is one of `open_pools`."""
    return bool(_open_asked(corpus.pk).rows({KEY: pool_id, PERSON: person.pk}))


@lru_cache(MOST_CORPORA)
def _open_asked(corpus: int) -> Prepared:
    return Prepared.of(open_pools(Corpus(pk=corpus), User(pk=PERSON)).filter(pk=KEY).values_list("pk"))


def count_within_reach(corpus: Corpus, person: User, *, now: datetime) -> int:
    """How many pools are `within_reach`."""
    return _reach_asked(corpus.pk).count({PERSON: person.pk, NOW: now})


@lru_cache(MOST_CORPORA)
def _reach_asked(corpus: int) -> Prepared:
    return Prepared.of(within_reach(Corpus(pk=corpus), User(pk=PERSON), now=NOW).values_list("pk"))


def unjudged_pools(corpus: Corpus, person: User) -> QuerySet[Pool]:
    """Waiting pools of queries that `person` neither wrote nor judged, whoever holds them.

    A variant of what they wrote is their own query too. Who judges some locales alone has those of the others not.
    """
    judged = Assignment.objects.filter(pool=OuterRef("pk"), assessor=person, finished_at__isnull=False)
    waiting = Pool.objects.filter(WAITING, query__corpus=corpus).exclude(query__author=person)
    return waiting.exclude(query__variant_of__author=person).filter(_judges_it(corpus, person), ~Exists(judged))


def _judges_it(corpus: Corpus, person: User) -> Q:
    """Whether `person` judges the locale of a pool: a membership that names no locale judges all, asked for once."""
    # As text: SQLite cannot ask whether a list in JSON contains something.
    held = Membership.objects.filter(corpus=corpus, user=person, role__in=(Role.ADJUSTER, Role.LEAD))
    told = held.annotate(tags=Cast("languages", TextField()))
    locale = Concat(Value('"'), OuterRef("query__stratum__query_language"), Value('"'))
    return Q(Exists(told.filter(tags="[]"))) | Q(Exists(told.filter(tags__contains=locale)))
