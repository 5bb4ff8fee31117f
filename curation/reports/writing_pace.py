"""How long a person takes to write a query, by the active seconds that stand with what they wrote."""

from __future__ import annotations

from statistics import median

from curation.models import Corpus, Query, User

LATEST = 50  # queries the median is taken of
MOST_SECONDS = 3600
"""What is kept of the time spent on one query; the clock stops after a minute without input."""


def median_seconds(corpus: Corpus, user: User) -> float | None:
    """The median of active seconds over the person's latest queries that were measured; None without one."""
    written = Query.objects.filter(corpus=corpus, author=user, origin=Query.Origin.WRITTEN, metadata__seconds__gt=0)
    seconds = list(written.order_by("-pk").values_list("metadata__seconds", flat=True)[:LATEST])
    return median(seconds) if seconds else None
