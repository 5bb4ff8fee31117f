"""Open disputes: where opinions differ and nobody has decided yet, for boards and freezes to read."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from functools import cache
from typing import cast

from django.db import transaction

from curation.actions.lookups import blocks
from curation.models import Corpus, OpenDispute, Query
from curation.reports.moves import standing_disputes
from curation.reports.prepared import KEY, Prepared

Pair = tuple[int, str]
"""(query, canonical id)."""
Awaiting = Callable[[Collection[int]], set[int]]
"""Those of the queries (by id) that somebody has yet to judge."""
_awaiting: list[Awaiting] = []


def add_awaiting(awaiting: Awaiting) -> None:
    """Let an app say which queries are still to be judged; it says so when it starts."""
    _awaiting.append(awaiting)


def note(*, differing: Collection[Pair], told: Collection[Pair], now: datetime) -> None:
    """Open a dispute on each pair of `differing`, and close those on every other pair of `told`."""
    with transaction.atomic():
        queries = {query for query, _ in (*differing, *told)}
        over = [key for key, *pair in _open_on(queries) if tuple(pair) in told and tuple(pair) not in differing]
        if over:
            OpenDispute.objects.filter(pk__in=over).delete()
        fresh = (OpenDispute(query_id=query, canonical_id=name, opened_at=now) for query, name in sorted(differing))
        OpenDispute.objects.bulk_create(fresh, ignore_conflicts=True)


def disputed_queries(query_ids: Collection[int]) -> set[int]:
    """Those of the queries that wait for a decision: they have an open dispute on what the corpus holds."""
    return {query for block in blocks(query_ids) for (query,) in _holding_asked().rows({KEY: block})}


@cache
def _holding_asked() -> Prepared:
    return Prepared.of(standing_disputes().filter(query__in=[KEY]).values_list("query"))


def freed_queries(corpus: Corpus) -> set[int]:
    """The READY queries that wait for nothing any more: all that opinions differed on is gone from the corpus.

    Call it behind `qrels.hold`, or whoever settles one of them at this moment is not seen.
    """
    waiting = Query.objects.filter(corpus=corpus, status=Query.Status.READY, open_disputes__isnull=False)
    told = set(waiting.values_list("pk", flat=True))
    freed = told - disputed_queries(told)
    return freed.difference(*(awaiting(freed) for awaiting in _awaiting))


def _open_on(query_ids: Collection[int]) -> Iterator[tuple[int, int, str]]:
    """(dispute, query, canonical id) of the open ones."""
    for block in blocks(query_ids):
        yield from cast("list[tuple[int, int, str]]", _open_asked().rows({KEY: block}))


@cache
def _open_asked() -> Prepared:
    return Prepared.of(OpenDispute.objects.filter(query__in=[KEY]).values_list("pk", "query", "canonical_id"))
