"""The quarterly schedule: an index's anchor, plus whole quarters, gives the dates it is mined again."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime
from itertools import count, dropwhile, islice
from zoneinfo import ZoneInfo

from curation.models import Corpus, TargetIndex

MONTHS_IN_A_QUARTER = 3


def quarters_after(anchor: date, quarters: int) -> date:
    """`anchor` plus whole quarters, always counted from the anchor itself: 31 Jan, 30 Apr, 31 Jul.

    A month without the anchor's day ends on its own last day.
    """
    years, month = divmod(anchor.month - 1 + MONTHS_IN_A_QUARTER * quarters, 12)
    year = anchor.year + years
    return date(year, month + 1, min(anchor.day, monthrange(year, month + 1)[1]))


def next_dates(anchor: date, *, after: date, how_many: int) -> list[date]:
    """The next dates of the schedule later than `after`; the anchor itself is one where it lies ahead."""
    ahead = dropwhile(lambda day: day <= after, (quarters_after(anchor, number) for number in count()))
    return list(islice(ahead, how_many))


def latest_date(anchor: date, *, until: date) -> date:
    """The last date of the schedule up to and with `until` (at the earliest the anchor)."""
    number = max(0, ((until.year - anchor.year) * 12 + until.month - anchor.month) // MONTHS_IN_A_QUARTER)
    latest = quarters_after(anchor, number)
    return latest if latest <= until or number == 0 else quarters_after(anchor, number - 1)


def today_in(corpus: Corpus, now: datetime) -> date:
    """The date of `now` where the corpus is at home."""
    return now.astimezone(ZoneInfo(corpus.time_zone)).date()


def day_start(corpus: Corpus, now: datetime) -> datetime:
    """Midnight before `now` where the corpus is at home."""
    return now.astimezone(ZoneInfo(corpus.time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)


def dates_shown(*, index: TargetIndex, anchor: date, now: datetime, how_many: int = 5) -> list[date]:
    """What the lead sees before saving `anchor`: the next dates, in the corpus's own time zone."""
    return next_dates(anchor, after=today_in(index.corpus, now), how_many=how_many)
