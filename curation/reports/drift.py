"""Drift as a lead sees it: readings, their means over some days, alarms, and where live queries come from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise

from django.db.models import Count, Max, Q

from curation.measures.overlap import SAMPLED, is_alarming, window_mean
from curation.models import AliasSwap, Corpus, DriftAlarm, GateReport, LiveFile, LiveQuery, OverlapReading, TargetIndex
from curation.reports.aliases import rollback_command
from curation.reports.schedule import today_in
from curation.reports.watch import Watch, watch_of

BACK = timedelta(days=45)
ONE_DAY = timedelta(days=1)
SHOWN = 20
WHOLE = 100.0  # a chart is drawn in percent, so that it is as high on a phone as on a wide screen
LOWEST = 0.8


@dataclass(frozen=True, slots=True)
class Day:
    """One reading, with the mean of the window of readings that ends with it and where both stand in the chart."""

    reading: OverlapReading
    mean: float | None
    x: float
    y: float
    mean_y: float | None

    @property
    def share_words(self) -> str:
        """The share of the corpus that exact search ran over, in percent."""
        return f"{self.reading.share:.0%}" if self.reading.share > 0.01 else f"{self.reading.share:.2%}"


@dataclass(frozen=True, slots=True)
class Drift:
    """The readings of one index, oldest first, on a scale of their own: from `low` to 1."""

    index: TargetIndex
    days: tuple[Day, ...]
    low: float
    watch: Watch

    sampled = SAMPLED

    @property
    def latest(self) -> Day | None:
        """The newest reading."""
        return self.days[-1] if self.days else None

    @property
    def lowest_mean(self) -> float | None:
        """The lowest mean of a window that is shown."""
        return min((day.mean for day in self.days if day.mean is not None), default=None)

    @property
    def is_low(self) -> bool:
        """Whether the newest mean is below the threshold."""
        return bool(self.latest) and is_alarming(self.days[-1].mean, below=self.watch.threshold)

    @property
    def no_alarm_yet(self) -> str:
        """Why the newest reading raises no alarm though it is below the threshold; "" where it is not, or does."""
        latest = self.latest
        if latest is None or self.is_low or not is_alarming(latest.reading.overlap, below=self.watch.threshold):
            return ""
        if latest.mean is not None:
            return f"below the alarm line; the mean of {self.watch.window} readings is {latest.mean:.3f}, so no alarm"
        read = sum(day.reading.stage == latest.reading.stage for day in self.days)
        return f"below the alarm line; {read} of {self.watch.window} readings, so no alarm yet"

    @property
    def lines(self) -> list[str]:
        """The means as the points of lines, one for each stretch of days that were all read."""
        stretches: list[list[Day]] = []
        before: Day | None = None
        for day in (day for day in self.days if day.mean_y is not None):
            if before is None or day.reading.day - before.reading.day > ONE_DAY:
                stretches.append([])
            stretches[-1].append(day)
            before = day
        return [" ".join(f"{day.x:g},{day.mean_y:g}" for day in stretch) for stretch in stretches]

    @property
    def missed(self) -> list[float]:
        """Where the days stand that have no reading, between the first and the last that have one."""
        return [
            round(before.x + (after.x - before.x) * place / gap, 1)
            for before, after in pairwise(self.days)
            if (gap := (after.reading.day - before.reading.day).days) > 1
            for place in range(1, gap)
        ]

    @property
    def grid(self) -> list[tuple[str, float]]:
        """The lines of the scale in words, each with its height."""
        steps = round((1 - self.low) * 10)
        return [(f"{1 - step / 10:.2f}", _height(1 - step / 10, self.low)) for step in range(steps + 1)]

    @property
    def alarm_y(self) -> float:
        """The height of the threshold."""
        return _height(self.watch.threshold, self.low)

    @property
    def alarm_height(self) -> float:
        """How high the field below the threshold is."""
        return round(WHOLE - self.alarm_y, 1)

    @property
    def command(self) -> str:
        """The command of the way back; "" where none is named, or it serves nobody who could be led back."""
        return rollback_command(self.index) if self.index.is_production else ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the live queries of an index come from: how many are kept, when the last one was asked, and its file."""

    index: TargetIndex
    kept: int
    last_asked: datetime | None
    file: LiveFile | None


@dataclass(frozen=True, slots=True)
class Raised:
    """An alarm, and when the alias of its index was led back after it; None where it was not."""

    alarm: DriftAlarm
    led_back_at: datetime | None


@dataclass(frozen=True, slots=True)
class DriftPage:
    """All that the page shows: the index in production first, then those in the shadow stage."""

    drifts: tuple[Drift, ...]
    candidates: tuple[TargetIndex, ...]
    sources: tuple[Source, ...]
    alarms: tuple[Raised, ...]


def drift_of(index: TargetIndex, *, now: datetime) -> Drift:
    """The readings of the last 45 days of one index; one query, for the page of a gate."""
    since = today_in(index.corpus, now) - BACK
    return _drift(index, list(index.overlap_readings.filter(day__gt=since).order_by("day")))


def drift_beside(report: GateReport, *, now: datetime) -> Drift | None:
    """What stands beside a gate report: the index that was gated where it is in the shadow stage, else production's.

    None where neither is there; two queries.
    """
    gated, corpus = report.run.index if report.run else None, report.set_version.corpus
    indexes = corpus.indexes.select_related("previous_target", "corpus")
    asked = Q(is_production=True) | Q(pk=gated.pk if gated else None, in_shadow=True)
    index = indexes.filter(asked).order_by("is_production").first()
    return drift_of(index, now=now) if index else None


def drift_page(corpus: Corpus, *, now: datetime) -> DriftPage:
    """The page; five queries."""
    since = today_in(corpus, now) - BACK
    kept = LiveQuery.objects.filter(index__corpus=corpus).order_by().values_list("index")
    told = {pk: (count, last) for pk, count, last in kept.annotate(Count("pk"), Max("asked_at"))}
    indexes = list(corpus.indexes.select_related("previous_target", "live_file").order_by("name"))
    by_index: defaultdict[int, list[OverlapReading]] = defaultdict(list)
    for reading in OverlapReading.objects.filter(index__corpus=corpus, day__gt=since).order_by("day"):
        by_index[reading.index_id].append(reading)
    for index in indexes:
        index.corpus = corpus
    shown = [index for index in indexes if index.is_production or index.in_shadow or by_index[index.pk]]
    shown.sort(key=lambda index: (not index.is_production, not index.in_shadow, index.name))
    return DriftPage(
        drifts=tuple(_drift(index, by_index[index.pk]) for index in shown),
        candidates=tuple(index for index in indexes if not index.is_production and index.kind != TargetIndex.Kind.RUN),
        sources=tuple(
            Source(index, *told.get(index.pk, (0, None)), getattr(index, "live_file", None))
            for index in indexes
            if index.is_production or index.pk in told
        ),
        alarms=tuple(_raised(corpus)),
    )


def _raised(corpus: Corpus) -> Iterator[Raised]:
    """The newest alarms, each with the first rollback of its index that was done after it; two queries."""
    alarms = DriftAlarm.objects.filter(index__corpus=corpus).select_related("index").order_by("-day", "-pk")
    swaps = AliasSwap.objects.filter(from_index__corpus=corpus, swapped_at__isnull=False).order_by("swapped_at")
    done = list(swaps.values_list("from_index", "swapped_at"))
    for alarm in alarms[:SHOWN]:
        after = (moment for index, moment in done if index == alarm.index_id and moment and moment > alarm.raised_at)
        yield Raised(alarm, next(after, None))


def _drift(index: TargetIndex, readings: Sequence[OverlapReading]) -> Drift:
    watch = watch_of(index)
    low = min(LOWEST, *(int(share * 10) / 10 for share in (watch.threshold, *(one.overlap for one in readings))))
    first, span = _span(readings)
    by_stage: defaultdict[str, dict[date, float]] = defaultdict(dict)
    days = []
    for reading in readings:
        by_stage[reading.stage][reading.day] = reading.overlap
        mean = window_mean(by_stage[reading.stage], until=reading.day, window=watch.window)
        x = round(WHOLE * (reading.day - first).days / span, 1)
        mean_y = None if mean is None else _height(mean, low)
        days.append(Day(reading, mean, x, _height(reading.overlap, low), mean_y))
    return Drift(index, tuple(days), low, watch)


def _span(readings: Sequence[OverlapReading]) -> tuple[date, int]:
    """The first day and how many days the chart spans, at least one."""
    if not readings:
        return date.min, 1
    return readings[0].day, max(1, (readings[-1].day - readings[0].day).days)


def _height(overlap: float, low: float) -> float:
    return round(WHOLE * (1 - overlap) / (1 - low), 1)
