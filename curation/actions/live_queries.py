"""Taking in live queries, in batches: from the API, and from the file that a search service writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from curation.actions.lookups import rows_in
from curation.actions.refusal import Refused
from curation.formats.live_queries import LiveQueryRefused, LiveText
from curation.models import LiveQuery, TargetIndex

MOST_AT_ONCE = 1_000
KEPT = timedelta(days=30)
AHEAD = timedelta(hours=1)  # a clock that runs ahead by more is wrong


@dataclass(frozen=True, slots=True)
class Taken:
    """How many live queries were new, and how many were there already."""

    stored: int
    known: int


@transaction.atomic
def take(*, index: TargetIndex, queries: Sequence[LiveText], now: datetime) -> Taken:
    """Store what live traffic asked `index`; a query told twice (the same token) is stored once.

    Raises:
        Refused: there are more than 1,000 at once, or one was asked in the future.
    """
    if len(queries) > MOST_AT_ONCE:
        raise Refused(f"At most {MOST_AT_ONCE:,} live queries are taken at once, and these are {len(queries):,}.")
    try:
        for query in queries:
            query.require_by(now + AHEAD)
    except LiveQueryRefused as refusal:
        raise Refused(str(refusal)) from refusal
    own = LiveQuery.objects.filter(index=index).values_list("token", flat=True)
    known = set(rows_in(own, "token", [query.token for query in queries]))
    fresh = {query.token: query for query in queries if query.token not in known}
    LiveQuery.objects.bulk_create(
        [
            LiveQuery(
                index=index,
                text=query.text,
                locale=query.locale,
                asked_at=query.asked_at,
                served=None if query.served is None else list(query.served),
                token=query.token,
            )
            for query in fresh.values()
        ],
        ignore_conflicts=True,  # another taker told the same at this moment
    )
    return Taken(len(fresh), len(queries) - len(fresh))


def forget_old(*, now: datetime) -> int:
    """Delete live queries older than thirty days; how many."""
    return LiveQuery.objects.filter(asked_at__lt=now - KEPT).delete()[0]
