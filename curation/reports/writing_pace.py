"""How long a person takes to write a query, by the active seconds that stand with what they wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from curation.models import Corpus, Query, User

from .checks import live
from .team import ENOUGH

LATEST = 50  # queries the median is taken of
MOST_SECONDS = 3600
"""What is kept of the time spent on one query; the clock stops after a minute without input."""


def median_seconds(corpus: Corpus, user: User) -> float | None:
    """The median of active seconds over the person's latest queries that were measured; None without one."""
    return measured(corpus, user).median


@dataclass(frozen=True, slots=True)
class Measured:
    """The active seconds of a person's latest measured queries."""

    seconds: Sequence[float]

    @property
    def median(self) -> float | None:
        """Their median, None without one."""
        return median(self.seconds) if self.seconds else None

    @property
    def pace(self) -> float | None:
        """Their median once there are `ENOUGH` to reckon with; None before."""
        return self.median if len(self.seconds) >= ENOUGH else None


def measured(corpus: Corpus, user: User) -> Measured:
    """What was measured of the person's latest queries, none that was taken back or retired."""
    written = live(corpus).filter(author=user, origin=Query.Origin.WRITTEN, metadata__seconds__gt=0)
    return Measured(list(written.order_by("-created_at", "-pk").values_list("metadata__seconds", flat=True)[:LATEST]))
