"""Alarms about drift: stored, sent to webhooks and by mail with the command of the way back, which nothing runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from curation.actions.mailing import mail_alarm
from curation.actions.webhooks import queue
from curation.measures.overlap import is_alarming, window_mean
from curation.models import DriftAlarm, Membership, Role, TargetIndex
from curation.reports.aliases import rollback_command
from curation.reports.watch import watch_of

EVENT = "drift.alarm"
NEWS = timedelta(days=2)
Kind = DriftAlarm.Kind


def raise_low(*, index: TargetIndex, day: date, readings: Mapping[date, float], now: datetime) -> DriftAlarm | None:
    """An alarm where the mean of the last readings up to `day` is below the threshold of the index."""
    watch = watch_of(index)
    mean = window_mean(readings, until=day, window=watch.window)
    if mean is None or not is_alarming(mean, below=watch.threshold):
        return None
    said = " as its manifest says" if watch.from_manifest else ""
    over = f"the mean of its last {watch.window} daily readings up to" if watch.window > 1 else "its reading of"
    words = f"Overlap@10 of {index.name} is {mean:.3f}, {over} {day}; the alarm is below {watch.threshold:g}{said}."
    return _raise(DriftAlarm(index=index, day=day, kind=Kind.LOW, mean=mean, words=words, raised_at=now))


def raise_missing(*, index: TargetIndex, day: date, words: str, now: datetime) -> DriftAlarm | None:
    """An alarm for a day without a reading; `words` say why there is none."""
    told = f"There is no overlap@10 of {index.name} for {day}: {words[:1].lower()}{words[1:].rstrip('.')}."
    return _raise(DriftAlarm(index=index, day=day, kind=Kind.MISSING, words=told, raised_at=now))


@transaction.atomic
def _raise(alarm: DriftAlarm) -> DriftAlarm | None:
    """Store the alarm and queue its deliveries; None where that day's alarm was raised before."""
    if DriftAlarm.objects.filter(index=alarm.index, day=alarm.day, kind=alarm.kind).exists():
        return None
    if alarm.kind == Kind.LOW:
        alarm.command = rollback_command(alarm.index, alarm.words.partition(",")[0])
    alarm.save()
    queue(corpus=alarm.index.corpus, event=EVENT, key=f"{EVENT}:{alarm.pk}", body=body_of(alarm), now=alarm.raised_at)
    return alarm


def body_of(alarm: DriftAlarm) -> str:
    """What a webhook is sent (docs/formats.md)."""
    index, watch = alarm.index, watch_of(alarm.index)
    told = {
        "event": EVENT,
        "alarm": alarm.pk,
        "kind": alarm.kind,
        "corpus": index.corpus.slug,
        "index": index.name,
        "alias": index.alias,
        "previous_target": index.previous_target.name if index.previous_target else None,
        "day": alarm.day.isoformat(),
        "mean": alarm.mean,
        "threshold": watch.threshold,
        "window": watch.window,
        "words": alarm.words,
        "command": alarm.command or None,
        "raised_at": alarm.raised_at.isoformat(),
    }
    return json.dumps(told, ensure_ascii=False)


def mail_waiting(*, now: datetime) -> int:
    """Mail every alarm that was not mailed yet to the leads of its corpus, once; how many alarms."""
    if not has_mail(now=now):
        return 0
    mailed = 0
    for alarm in _unmailed(now).select_related("index__corpus").order_by("pk"):
        if not DriftAlarm.objects.filter(pk=alarm.pk, mailed_at=None).update(mailed_at=now):
            continue  # another worker has it
        leads = Membership.objects.filter(corpus=alarm.index.corpus, role=Role.LEAD, user__is_active=True)
        mail_alarm(alarm, sorted(set(leads.exclude(user__email="").values_list("user__email", flat=True))))
        mailed += 1
    return mailed


def has_mail(*, now: datetime) -> bool:
    """Whether an alarm waits to be mailed, and there is a server to mail it by."""
    return bool(settings.EMAIL_URL) and _unmailed(now).exists()


def _unmailed(now: datetime) -> QuerySet[DriftAlarm]:
    """What is older than two days is no news, as where a mail server was named only now."""
    return DriftAlarm.objects.filter(mailed_at=None, raised_at__gt=now - NEWS)
