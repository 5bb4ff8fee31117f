"""How the searches of a corpus split over locales: the reading that counts, and those before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from curation.models import Corpus, LogQuery, TrafficReading, TrafficShare

from .traffic_remarks import asked_in, remark_on

NEWEST_FIRST = ("-as_of", "-pk")


def traffic_shares(corpus: Corpus) -> dict[str, float]:
    """Locale → share of the traffic (0 to 1, summing to 1) by the reading that counts; empty without one. One query."""
    return dict(_in_use(corpus).order_by("-share", "locale").values_list("locale", "share"))


def locales_by_traffic(corpus: Corpus) -> list[str]:
    """The corpus's locales, the busiest first; one query."""
    share = _in_use(corpus).filter(locale=OuterRef("locale")).values("share")
    busiest = Coalesce(Subquery(share), 0.0)
    return list(corpus.locales.annotate(share=busiest).order_by("-share", "locale").values_list("locale", flat=True))


def _in_use(corpus: Corpus) -> QuerySet[TrafficShare]:
    newest = TrafficReading.objects.filter(corpus=corpus).order_by(*NEWEST_FIRST)[:1]
    return TrafficShare.objects.filter(reading=newest.values("pk"))


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading with its shares, the largest first; `counts` tells whether it is the one in use.

    `remark` says in words which locales it leaves out that are asked in, and which it has that hold no query.
    """

    pk: int
    as_of: date
    source: str
    note: str
    since: date | None
    until: date | None
    stated_by: str
    stated_at: datetime
    shares: Mapping[str, float]
    counts: bool
    remark: str

    def as_json(self) -> dict[str, Any]:
        """The reading as the command prints it."""
        days = {name: day.isoformat() if day else None for name, day in (("since", self.since), ("until", self.until))}
        told = {"as_of": self.as_of.isoformat(), "source": self.source, "note": self.note, **days}
        by = {"stated_by": self.stated_by or None, "stated_at": self.stated_at.isoformat()}
        return {**told, **by, "in_use": self.counts, "shares": dict(self.shares), "remark": self.remark}


def readings(corpus: Corpus) -> list[Reading]:
    """Every reading of the corpus, the one that counts first; four queries, two without a reading."""
    held = corpus.traffic_readings.select_related("stated_by").prefetch_related("shares").order_by(*NEWEST_FIRST)
    if not held:
        return []
    asked = asked_in(corpus)
    return [
        Reading(
            reading.pk,
            reading.as_of,
            reading.source,
            reading.note,
            reading.since,
            reading.until,
            stated_by=str(reading.stated_by) if reading.stated_by else "",
            stated_at=reading.stated_at,
            shares=(shares := largest_first({each.locale: each.share for each in reading.shares.all()})),
            counts=place == 0,
            remark=remark_on(shares, asked),
        )
        for place, reading in enumerate(held)
    ]


def remark_in_use(corpus: Corpus) -> str:
    """What is to be said of the shares in use; "" where nothing is."""
    return remark_on(traffic_shares(corpus), asked_in(corpus))


def largest_first(shares: Mapping[str, float]) -> dict[str, float]:
    """The same shares, the largest first."""
    return dict(sorted(shares.items(), key=lambda pair: (-pair[1], pair[0])))


@dataclass(frozen=True, slots=True)
class LogTraffic:
    """Searches of the log by locale between two days; `unplaced` are those whose line names no locale."""

    searches: Mapping[str, int]
    unplaced: int
    first: date | None
    last: date | None

    @property
    def total(self) -> int:
        """The searches that name a locale."""
        return sum(self.searches.values())

    @property
    def shares(self) -> dict[str, float]:
        """Each locale's share of the searches that name one."""
        return {locale: count / self.total for locale, count in self.searches.items()}


def log_traffic(corpus: Corpus, *, since: date | None = None, until: date | None = None) -> LogTraffic:
    """The log's searches from `since` to `until`, both days in it; a line without a date is in no such range."""
    asked = Q(corpus=corpus)
    if since is not None:
        asked &= Q(date__gte=since)
    if until is not None:
        asked &= Q(date__lte=until)
    rows = LogQuery.objects.filter(asked).order_by().values_list("locale").annotate(searches=Sum("count"))
    searches = dict(rows)
    unplaced = searches.pop("", 0)
    dated = LogQuery.objects.filter(asked, date__isnull=False).order_by("date").values_list("date", flat=True)
    return LogTraffic(largest(searches), unplaced, dated.first(), dated.last())


def largest(searches: Mapping[str, int]) -> dict[str, int]:
    """The same counts, the largest first."""
    return dict(sorted(searches.items(), key=lambda pair: (-pair[1], pair[0])))
