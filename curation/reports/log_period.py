"""The days of a log that are looked at: a calendar quarter unless others are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.dateformat import format as in_words

MONTHS = 3


class PeriodRefused(ValueError):
    """Days that are no period; its text is one plain sentence."""


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """Days from `since` to `until`, both of them in it."""

    since: date
    until: date

    @property
    def is_quarter(self) -> bool:
        """Whether it is one calendar quarter."""
        return self == quarter_of(self.since)

    @property
    def words(self) -> str:
        """Q3 2026; any other period by its days."""
        if self.is_quarter:
            return f"Q{(self.since.month - 1) // MONTHS + 1} {self.since.year}"
        return f"{in_words(self.since, 'j M Y')} to {in_words(self.until, 'j M Y')}"


def quarter(year: int, number: int) -> Period:
    """The calendar quarter of that number, 1 to 4."""
    following = date(year + number // 4, number % 4 * MONTHS + 1, 1)
    return Period(date(year, (number - 1) * MONTHS + 1, 1), following - timedelta(days=1))


def quarter_of(day: date) -> Period:
    """The calendar quarter that holds `day`."""
    return quarter(day.year, (day.month - 1) // MONTHS + 1)


def last_full_quarter(today: date) -> Period:
    """The newest quarter that has ended before `today`."""
    return quarter_of(quarter_of(today).since - timedelta(days=1))


def period_of(logged: Period, *, today: date, since: date | None = None, until: date | None = None) -> Period:
    """The days asked for of a log that was kept over `logged`.

    Where none are asked for it is the last full quarter, and the log's own last quarter where the log has no day in
    that one. Where one end is open it is the log's.

    Raises:
        PeriodRefused: the last day comes before the first.
    """
    if since is None and until is None:
        full = last_full_quarter(today)
        is_there = logged.since <= full.until and logged.until >= full.since
        return full if is_there else quarter_of(logged.until)
    asked = Period(since or logged.since, until or logged.until)
    if asked.until < asked.since:
        first, last = in_words(asked.since, "j M Y"), in_words(asked.until, "j M Y")
        raise PeriodRefused(f"The period would end on {last}, before it begins on {first}. Give an earlier first day.")
    return asked
