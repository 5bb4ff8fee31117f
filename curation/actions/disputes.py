"""Open disputes: where opinions differ and nobody has decided yet, for boards and freezes to read."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from curation.actions.lookups import rows_in
from curation.models import Corpus, OpenDispute

Pair = tuple[int, str]
"""(query, canonical id)."""


def note(*, corpus: Corpus, differing: Collection[Pair], told: Collection[Pair], now: datetime) -> None:
    """Open a dispute on each pair of `differing`, and close those on every other pair of `told`."""
    with transaction.atomic():
        queries = {query for query, _ in (*differing, *told)}
        known = rows_in(OpenDispute.objects.filter(query__corpus=corpus), "query_id", queries)
        over = [row.pk for row in known if (pair := (row.query_id, row.canonical_id)) in told and pair not in differing]
        OpenDispute.objects.filter(pk__in=over).delete()
        fresh = (OpenDispute(query_id=query, canonical_id=name, opened_at=now) for query, name in sorted(differing))
        OpenDispute.objects.bulk_create(fresh, ignore_conflicts=True)


def disputed_queries(query_ids: Collection[int]) -> set[int]:
    """Those of the queries that have an open dispute."""
    return {row.query_id for row in rows_in(OpenDispute.objects.all(), "query_id", query_ids)}
