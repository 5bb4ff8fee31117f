"""In which order a person judges the pools that wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.db.models.lookups import IsNull

from curation.measures.targets import next_target
from curation.models import Corpus, Query, User
from curation.reports.coming import coming_to
from curation.reports.counts import DIMENSIONS, counted
from curation.reports.places import UNKNOWN_LANGUAGE, StratumKey
from curation.reports.prepared import KEY, PERSON, Prepared
from judging.models import Assignment, Pool
from judging.reports.pools import MOST_CORPORA, open_pools

UNSETTLED = (Query.Status.DRAFT, Query.Status.READY)
STRATA_ASKED = 3  # one by one, before all that wait are asked for together
POOLS_ASKED = 5  # of each of these: others may take the first ones at the same moment


def judging_order(corpus: Corpus, person: User) -> Iterator[int]:
    """Keys of the pools that `person` may judge, next one first; few database queries, however many pools wait.

    First those that hold a suspected false negative, as they were sent; then the emptiest planned stratum by queries
    that count, in it the oldest query; one that waits in a stratum of unknown document language on the way to a plan
    comes in the turn of that plan. A variant whose original waits comes after all of these, because it opens with
    the original's grades once they are settled. What the person skipped comes last.

    Few are ever asked for: the first ones come from the first strata alone, and all that wait are put in order only
    for who took none of these.
    """
    told: set[int] = set()
    for pool in _first_ones(corpus, person):
        told.add(pool)
        yield pool
    yield from (pool for pool in _all_ordered(corpus, person) if pool not in told)


def _first_ones(corpus: Corpus, person: User) -> Iterator[int]:
    """What comes before all else: what was sent, then the first pools of the first strata, until one has more.

    Where something was sent to a query that was judged, strata without a READY query have pools too, so that only all
    that wait can be put in order.
    """
    sent = [pool for (pool,) in _sent_anywhere().rows({})]
    yield from (pool for (pool,) in _sent_asked(corpus.pk).rows({PERSON: person.pk, KEY: sent}))
    if _sent_after_judging(corpus.pk).rows({}):
        return
    for stratum in strata_in_order(corpus, ready=True)[:STRATA_ASKED]:
        rows = _stratum_asked(corpus.pk).rows({PERSON: person.pk, KEY: stratum})
        yield from (pool for (pool,) in rows)
        if len(rows) == POOLS_ASKED:
            return


def _all_ordered(corpus: Corpus, person: User) -> list[int]:
    rows = _order_asked(corpus.pk).rows({PERSON: person.pk})
    places = {stratum: place for place, stratum in enumerate(strata_in_order(corpus, ready=False))}
    # Sorting keeps the order of the database among equal ones.
    order = sorted(rows, key=lambda row: (row[1], row[2] and not row[3], 0 if row[1] or row[3] else 1 + places[row[4]]))
    return [row[0] for row in order]


@cache
def _sent_anywhere() -> Prepared:
    """The pools of any corpus that hold a suspected false negative: few, and by themselves an index has them."""
    return Prepared.of(Pool.objects.filter(first_at__isnull=False, closed_at__isnull=True).values_list("pk"))


@lru_cache(MOST_CORPORA)
def _sent_asked(corpus: int) -> Prepared:
    """Those of these (`KEY`) that the person may judge, but for those that they skipped."""
    sent = _by_age(corpus).filter(pk__in=[KEY], skipped__isnull=True)
    return Prepared.of(sent.values_list("pk"))


@lru_cache(MOST_CORPORA)
def _sent_after_judging(corpus: int) -> Prepared:
    """An open pool of what was sent to a judged query, to be judged in its turn."""
    sent = Pool.objects.filter(kind=Pool.Kind.SENT, closed_at__isnull=True, first_at__isnull=True, query__corpus=corpus)
    return Prepared.of(sent.values_list("pk")[:1])


@lru_cache(MOST_CORPORA)
def _stratum_asked(corpus: int) -> Prepared:
    """The first open pools of one stratum (`KEY`), but for what comes before or after all strata."""
    own = _by_age(corpus).filter(query__stratum=KEY, query__status=Query.Status.READY)
    own = own.filter(first_at__isnull=True, skipped__isnull=True, is_early=False)
    return Prepared.of(own.order_by("query__created_at", "query").values_list("pk")[:POOLS_ASKED])


@lru_cache(MOST_CORPORA)
def _order_asked(corpus: int) -> Prepared:
    """(pool, is later, is early, is sent, stratum) of the open pools, by when they were skipped, sent, and written."""
    pools = _by_age(corpus)
    return Prepared.of(pools.values_list("pk", "is_later", "is_early", "is_sent", "query__stratum"))


def _by_age(corpus: int) -> QuerySet[Any]:  # with what it adds to a pool
    own = Assignment.objects.filter(pool=OuterRef("pk"), assessor=PERSON, skipped_at__isnull=False)
    pools = open_pools(Corpus(pk=corpus), User(pk=PERSON)).annotate(
        skipped=Subquery(own.order_by("-skipped_at").values("skipped_at")[:1]),
        is_later=IsNull(F("skipped"), False),  # noqa: FBT003  (Django's own signature)
        is_sent=IsNull(F("first_at"), False),  # noqa: FBT003
        is_early=Case(When(query__variant_of__status__in=UNSETTLED, then=True), default=False),
    )
    return pools.order_by(F("skipped").asc(nulls_first=True), "first_at", "query__created_at", "query")


class _Stratum(NamedTuple):
    """A stratum where `n` queries count. It `holds` READY ones; others wait elsewhere, on the way to its plan."""

    key: int
    planned: int
    n: int
    holds: bool
    is_awaited: bool
    dimensions: StratumKey

    @classmethod
    def of(cls, row: Sequence[Any]) -> _Stratum:
        """From a row of `_strata_asked`."""
        key, planned, n, holds, is_awaited, *dimensions = row
        return cls(key, planned, n, holds, is_awaited, StratumKey(*dimensions))

    @property
    def turn(self) -> tuple[Any, ...]:
        """Planned before not planned, then the smallest share of the next count target."""
        return self.planned == 0, self.n / (next_target(self.n) or self.n), self.dimensions

    @property
    def shared(self) -> tuple[str, ...]:
        """What it shares with the stratum where queries on the way to it wait."""
        place = self.dimensions
        return place.query_language, place.script, place.query_type, place.slice


def strata_in_order(corpus: Corpus, *, ready: bool) -> list[int]:
    """The keys of the strata, the emptiest first; with `ready` of those alone that hold READY queries.

    Planned strata come before the others, those with the smallest share of their next count target first. A stratum
    of unknown document language comes in the turn of the emptiest plan that its queries are on the way to, where that
    is earlier than its own.
    """
    # Hardly any corpus awaits anything, and PostgreSQL takes longer to plan for it than to answer the rest.
    asked = _Wanted(ready=ready, awaiting=bool(_unknown_asked(corpus.pk).rows({})))
    rows = [_Stratum.of(row) for row in _strata_asked(corpus.pk, corpus.relevant_from, asked).rows({})]
    awaited: dict[tuple[str, ...], tuple[Any, ...]] = {}
    for row in rows:
        if row.is_awaited:
            awaited[row.shared] = min(row.turn, awaited.get(row.shared, row.turn))

    def turn(row: _Stratum) -> tuple[Any, ...]:
        own = row.turn
        return min(own, awaited.get(row.shared, own)) if row.dimensions.corpus_language == UNKNOWN_LANGUAGE else own

    return [row.key for row in sorted(rows, key=turn) if row.holds]


class _Wanted(NamedTuple):
    """Whether the strata that hold READY queries or await some are wanted alone, and whether any may await some."""

    ready: bool
    awaiting: bool


@lru_cache(MOST_CORPORA)
def _unknown_asked(corpus: int) -> Prepared:
    """A stratum of unknown document language with READY queries."""
    held = Query.objects.filter(stratum=OuterRef("pk"), status=Query.Status.READY)
    unknown = Corpus(pk=corpus).strata.filter(Exists(held), corpus_language=UNKNOWN_LANGUAGE)
    return Prepared.of(unknown.order_by().values_list("pk")[:1])


@lru_cache(4 * MOST_CORPORA)
def _strata_asked(corpus: int, relevant_from: int, wanted: _Wanted) -> Prepared:
    """The strata as `_Stratum`; where not only READY ones are wanted, as if all held some."""
    own = Corpus(pk=corpus, relevant_from=relevant_from)
    judged = own.queries.filter(counted(own), stratum=OuterRef("pk"), status=Query.Status.JUDGED)
    n = Coalesce(Subquery(judged.order_by().values("stratum").annotate(n=Count("pk")).values("n")), 0)
    waiting = Exists(Query.objects.filter(stratum=OuterRef("pk"), status=Query.Status.READY))
    awaited = Q(planned__gt=0) & Q(Exists(coming_to(corpus))) if wanted.awaiting else Q(pk=None)
    strata = own.strata.filter(waiting | awaited) if wanted.ready else own.strata.all()
    holds, is_awaited = waiting if wanted.ready else Value(1), Case(When(awaited, then=1), default=0)
    told = strata.annotate(n=n, holds=holds, is_awaited=is_awaited)
    return Prepared.of(told.values_list("pk", "planned", "n", "holds", "is_awaited", *DIMENSIONS))
