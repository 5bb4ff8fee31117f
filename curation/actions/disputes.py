"""Open disputes: where opinions differ and nobody has decided yet, for boards and freezes to read."""

from collections.abc import Collection, Iterator
from datetime import datetime
from functools import cache
from typing import cast

from django.db import transaction

from curation.actions.lookups import blocks
from curation.models import OpenDispute
from curation.reports.prepared import KEY, Prepared

Pair = tuple[int, str]
"""(query, canonical id)."""


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
    """Those of the queries that have an open dispute."""
    return {query for _, query, _ in _open_on(query_ids)}


def _open_on(query_ids: Collection[int]) -> Iterator[tuple[int, int, str]]:
    """(dispute, query, canonical id) of the open ones."""
    for block in blocks(query_ids):
        yield from cast("list[tuple[int, int, str]]", _open_asked().rows({KEY: block}))


@cache
def _open_asked() -> Prepared:
    return Prepared.of(OpenDispute.objects.filter(query__in=[KEY]).values_list("pk", "query", "canonical_id"))
