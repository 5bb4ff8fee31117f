"""Overlap@10: how many of the ten documents an index served are among the ten of exact search.

It needs no grades, so any query of live traffic has one. It says how near an index answers to exact search, and
nothing about whether the answers were right: it lies on another scale than the floors of a gate and is never compared
with them.
"""

from collections.abc import Collection, Container, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice
from statistics import fmean

DEPTH = 10
ALARM_BELOW = 0.85
WINDOW = 3  # daily readings
SAMPLED = 500  # queries a day
_DIGITS = 9  # a mean that differs from the threshold by the rounding of a float alone is the threshold


def first_ten(ranking: Sequence[str], *, within: Container[str] | None = None) -> list[str]:
    """The first ten document ids of a ranking; with a corpus sample, the first ten of those that are `within` it."""
    return list(islice((name for name in dict.fromkeys(ranking) if within is None or name in within), DEPTH))


def overlap_at_10(served: Sequence[str], exact: Sequence[str], *, within: Container[str] | None = None) -> float | None:
    """The share of the first ten exact documents that are among the first ten served; documents are matched by id.

    Both rankings are cut down to the sample `within` before their first ten are taken. Where exact search has fewer
    than ten documents the share is of those; None where it has none.
    """
    wanted = first_ten(exact, within=within)
    if not wanted:
        return None
    return len(set(first_ten(served, within=within)).intersection(wanted)) / len(wanted)


def window_mean(readings: Mapping[date, float], *, until: date, window: int = WINDOW) -> float | None:
    """The mean of the last `window` daily readings up to and with the day `until`; None where there are fewer."""
    days = sorted(day for day in readings if day <= until)[-window:]
    return fmean(readings[day] for day in days) if len(days) == window else None


def is_alarming(mean: float | None, *, below: float = ALARM_BELOW) -> bool:
    """Whether a window's mean is below the threshold; the threshold itself is not, and neither is no mean."""
    return mean is not None and round(mean, _DIGITS) < below


def days_without(readings: Collection[date], *, since: date, until: date) -> list[date]:
    """The days from `since` to `until`, both included, on which no reading was taken."""
    days = (since + timedelta(days=number) for number in range((until - since).days + 1))
    return [day for day in days if day not in readings]
