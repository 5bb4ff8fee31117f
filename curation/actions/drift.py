"""The daily reading of overlap@10, live and in the shadow stage, and the alarms it may raise."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from curation.actions import jobs
from curation.actions.alarms import raise_low, raise_missing, withdraw_missing
from curation.actions.holds import Held
from curation.actions.live_files import live_file_of, read_live_file
from curation.actions.live_queries import forget_old
from curation.actions.refusal import Refused
from curation.formats.live_queries import LiveText
from curation.indexes.base import IndexRefused
from curation.measures.overlap import SAMPLED, days_without
from curation.models import Job, LiveQuery, OverlapReading, TargetIndex
from curation.reports.overlap import Measured, NothingMeasured, drawn, measure_overlap
from curation.reports.schedule import today_in
from curation.retrieval.encoders import TextsRefused
from curation.retrieval.vectors import VectorsRefused

KIND = "overlap"
LOOKED_BACK = timedelta(days=7)
CANNOT = (IndexRefused, NothingMeasured, TextsRefused, VectorsRefused)
Stage = OverlapReading.Stage


def tick(*, now: datetime) -> list[Job]:
    """Ask for yesterday's reading of every watched index, and raise an alarm for earlier days that have none."""
    forget_old(now=now)
    asked, indexes = [], watched()
    TargetIndex.objects.exclude(pk__in=[index.pk for index in indexes]).update(watched_since=None)
    for index in indexes:
        yesterday = today_in(index.corpus, now) - timedelta(days=1)
        if index.watched_since is None:
            index.watched_since = yesterday
            index.save(update_fields=["watched_since"])
        _miss(index, since=index.watched_since, until=yesterday - timedelta(days=1), now=now)
        if not index.overlap_readings.filter(day=yesterday).exists():
            asked.append(_ask(index, yesterday, now))
    return asked


def watched() -> list[TargetIndex]:
    """Indexes of which a reading is taken each day: in production where live queries are told, or in the shadow stage.

    Told of whichever index: after a rollback a search service may go on naming the one that left, and that is heard of.
    """
    indexes = TargetIndex.objects.select_related("corpus", "previous_target").order_by("pk")
    return [index for index in indexes if index.in_shadow or (index.is_production and _is_told(index))]


def _is_told(index: TargetIndex) -> bool:
    if LiveQuery.objects.filter(index__corpus=index.corpus_id).exists() or index.overlap_readings.exists():
        return True
    path = live_file_of(index)
    try:
        return path is not None and path.stat().st_size >= 0
    except FileNotFoundError:
        return False
    except OSError:  # it is there and cannot be read, which the reading of the day says aloud
        return True


def _ask(index: TargetIndex, day: date, now: datetime) -> Job:
    return jobs.ask(
        kind=KIND,
        unique_key=key_of(index, day),
        params={"index": index.pk, "day": day.isoformat()},
        corpus=index.corpus,
        asked_by=None,
        now=now,
    )


def key_of(index: TargetIndex, day: date) -> str:
    """The unique key of the job that takes the reading of a day."""
    return f"{KIND}:{index.pk}:{day}"


def _miss(index: TargetIndex, *, since: date, until: date, now: datetime) -> None:
    """An alarm for each day from `since` (a week back at most) to `until` without a reading.

    None is taken for them any more: the index may answer otherwise today than it did then.
    """
    taken = set(index.overlap_readings.values_list("day", flat=True))
    for day in days_without(taken, since=max(since, until - LOOKED_BACK), until=until):
        job = Job.objects.filter(unique_key=key_of(index, day)).order_by("-pk").first()
        why = (job and job.error) or "no reading was taken; look whether worker and scheduler are up"
        raise_missing(index=index, day=day, words=why, now=now)


def read_day(held: Held) -> dict[str, Any]:
    """The job: take in the file of live queries, measure the day's draw, store the reading, look at the window.

    Raises:
        IndexRefused, NothingMeasured, TextsRefused, VectorsRefused: nothing could be measured, which is an alarm.
    """
    index = TargetIndex.objects.select_related("corpus", "previous_target").get(pk=held.params["index"])
    day = date.fromisoformat(held.params["day"])
    try:
        take_in(index, now=timezone.now())
        queries = drawn(queries_of(index, day), count=SAMPLED, seed=day.isoformat())
        measured = measure_overlap(index, queries, progress=held.counting("live queries measured"))
    except CANNOT as refusal:
        with held.writing():
            raise_missing(index=index, day=day, words=str(refusal), now=timezone.now())
        raise
    with held.writing():
        store_reading(index=index, day=day, measured=measured, now=timezone.now())
    return {"index": index.name, "day": day.isoformat(), "overlap": measured.overlap, "sampled": measured.sampled}


def take_in(index: TargetIndex, *, now: datetime) -> None:
    """Read what its search service wrote, and where production's queries are drawn for it, what that one's wrote.

    Raises:
        IndexRefused: a file is there and cannot be read.
    """
    for each in {index, *source_of(index)}:
        read_live_file(index=each, now=now)


def source_of(index: TargetIndex) -> list[TargetIndex]:
    """The index whose live queries are drawn: its own, or those of production in the shadow stage."""
    if stage_of(index) is Stage.LIVE:
        return [index]
    return list(index.corpus.indexes.filter(is_production=True).select_related("corpus"))


def stage_of(index: TargetIndex) -> OverlapReading.Stage:
    """LIVE where the index is in production."""
    return Stage.LIVE if index.is_production else Stage.SHADOW


def queries_of(index: TargetIndex, day: date | None = None) -> list[LiveText]:
    """The live queries of one day in the corpus's time zone, of all days without one.

    In the shadow stage they are production's, without what production served.
    """
    source = source_of(index)
    rows = LiveQuery.objects.filter(index__in=source).order_by("pk")
    if day is not None:
        begin = datetime.combine(day, time.min, tzinfo=ZoneInfo(index.corpus.time_zone))
        end = datetime.combine(day + timedelta(days=1), time.min, tzinfo=begin.tzinfo)
        rows = rows.filter(asked_at__gte=begin, asked_at__lt=end)
    own = source == [index]
    fields = rows.values_list("text", "locale", "asked_at", "served", "token")
    return [
        LiveText(text, locale, moment, tuple(served) if own and served is not None else None, token)
        for text, locale, moment, served, token in fields.iterator()
    ]


@transaction.atomic
def store_reading(*, index: TargetIndex, day: date, measured: Measured, now: datetime) -> bool:
    """Store the reading of a day, and raise the alarm where the window it ends is low; False where the day has one."""
    reading, is_new = OverlapReading.objects.get_or_create(
        index=index,
        day=day,
        defaults={
            "stage": stage_of(index),
            "sampled": measured.sampled,
            "unplaced": measured.unplaced,
            "share": measured.share,
            "overlap": measured.overlap,
            "measured_at": now,
        },
    )
    if is_new:
        withdraw_missing(index=index, day=day)
        readings = index.overlap_readings.filter(stage=reading.stage, day__lte=day)
        raise_low(index=index, day=day, readings=dict(readings.values_list("day", "overlap")), now=now)
    return is_new


@transaction.atomic
def put_in_shadow(*, index: TargetIndex, in_shadow: bool) -> TargetIndex:
    """Ask a candidate live queries beside production from now on, or no more.

    Raises:
        Refused: it is in production, or answers no query of its own.
    """
    if in_shadow and index.is_production:
        raise Refused(f"{index.name} is in production already: its live queries are read each day.")
    if in_shadow and index.kind == TargetIndex.Kind.RUN:
        raise Refused(f"{index.name} is an imported run and answers no live query; name an index.")
    index.in_shadow = in_shadow
    index.save(update_fields=["in_shadow"])
    return index


def in_words(asked: Sequence[Job]) -> list[str]:
    """A line for each reading that was asked for."""
    names = dict(TargetIndex.objects.filter(pk__in=[job.params["index"] for job in asked]).values_list("pk", "name"))
    return [f"{names[job.params['index']]}: overlap@10 of {job.params['day']} asked for" for job in asked]
