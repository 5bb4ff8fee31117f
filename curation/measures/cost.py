"""What queries cost in people's time: the planning figures of writing and judging, and days of work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType

WRITING_SECONDS = 180
"""A native speaker words an English need: 120 queries in 6 hours."""
JUDGING_SECONDS = 108
"""An adjuster grades a query of 50 candidates: 100 queries in 3 hours."""
POOLED_SECONDS = 240
"""An adjuster grades a query of the pooled first ten of two retrievers: 120 queries in a day."""
JUDGING: Mapping[str, float] = MappingProxyType({"exact50": JUDGING_SECONDS, "pooled10": POOLED_SECONDS})
"""Seconds of judging a query by the kind of its pool."""
HOUR, DAY = 3600, 8 * 3600
REFRESH_DAYS = 0.5
"""What a locale takes each quarter once it is built, in days."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of writing and of judging; they add up."""

    writing: float = 0.0
    judging: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        """Both together."""
        return Cost(self.writing + other.writing, self.judging + other.judging)

    @property
    def seconds(self) -> float:
        """Writing and judging together."""
        return self.writing + self.judging

    @property
    def hours(self) -> float:
        """The same in person-hours."""
        return self.seconds / HOUR

    @property
    def days(self) -> float:
        """The same in person-days of 8 hours."""
        return self.seconds / DAY

    @property
    def in_words(self) -> str:
        """Hours and days as every page and command says them: "26:09 h, 3.3 person-days of 8 h"."""
        return f"{in_hours(self.seconds)} h, {self.days:.1f} person-days of 8 h"

    @property
    def whole_days(self) -> int:
        """The days to book: a begun day counts whole, as nobody is booked for three quarters of one."""
        return ceil(round(self.days, 6))


def in_hours(seconds: float) -> str:
    """Hours as h:mm, so that a column adds up."""
    minutes = round(seconds / 60)
    return f"{minutes // 60}:{minutes % 60:02d}"
