"""Alarms about drift: stored, sent to webhooks and by mail with the command of the way back, which nothing runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from curation.actions.mailing import mail_alarm
from curation.actions.webhooks import PAUSES, queue, unqueue
from curation.measures.overlap import is_alarming, window_mean
from curation.models import DriftAlarm, Membership, Role, TargetIndex
from curation.reports.aliases import rollback_command
from curation.reports.gate_floors import level_in_words
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
    stage = "" if index.is_production else " in the shadow stage" if index.in_shadow else " outside production"
    below = level_in_words(watch.threshold)
    words = f"Overlap@10 of {index.name}{stage} is {mean:.3f}, {over} {day}; the alarm is below {below}{said}."
    return _raise(DriftAlarm(index=index, day=day, kind=Kind.LOW, mean=mean, words=words, raised_at=now))


def raise_missing(*, index: TargetIndex, day: date, words: str, now: datetime) -> DriftAlarm | None:
    """An alarm for a day without a reading; `words` say why there is none. None where it has one after all."""
    if index.overlap_readings.filter(day=day).exists():
        return None
    told = f"There is no overlap@10 of {index.name} for {day}: {words[:1].lower()}{words[1:].rstrip('.')}."
    return _raise(DriftAlarm(index=index, day=day, kind=Kind.MISSING, words=told, raised_at=now))


@transaction.atomic
def withdraw_missing(*, index: TargetIndex, day: date) -> bool:
    """Take back the alarm of a day that has a reading now, as long as nobody was told of it; whether it was."""
    alarm = DriftAlarm.objects.filter(index=index, day=day, kind=Kind.MISSING, mail_attempts=0, mailed_at=None).first()
    if alarm is None or not unqueue(key=key_of(alarm)):
        return False
    alarm.delete()
    return True


@transaction.atomic
def _raise(alarm: DriftAlarm) -> DriftAlarm | None:
    """Store the alarm and queue its deliveries; None where that day's alarm was raised before."""
    if DriftAlarm.objects.filter(index=alarm.index, day=alarm.day, kind=alarm.kind).exists():
        return None
    if alarm.kind == Kind.LOW and alarm.index.is_production:  # a candidate serves nobody who could be led back
        alarm.command = rollback_command(alarm.index, alarm.words.partition(",")[0])
    alarm.save()
    queue(corpus=alarm.index.corpus, event=EVENT, key=key_of(alarm), body=body_of(alarm), now=alarm.raised_at)
    return alarm


def key_of(alarm: DriftAlarm) -> str:
    """By which a receiver knows its message again."""
    return f"{EVENT}:{alarm.pk}"


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
    """Mail every alarm that is due to be to the leads of its corpus; how many went out, or had nowhere to go.

    One that the server does not take is tried again after a pause, until it is no news any more.
    """
    if not has_mail(now=now):
        return 0
    mailed = 0
    for alarm in _unmailed(now).select_related("index__corpus").order_by("pk"):
        unclaimed = DriftAlarm.objects.filter(pk=alarm.pk, mailed_at=None, mail_attempts=alarm.mail_attempts)
        pause = PAUSES[min(alarm.mail_attempts, len(PAUSES) - 1)]
        if not unclaimed.update(mail_attempts=alarm.mail_attempts + 1, mail_next_at=now + pause):
            continue  # another worker has it
        leads = Membership.objects.filter(corpus=alarm.index.corpus, role=Role.LEAD, user__is_active=True)
        addresses = sorted(set(leads.exclude(user__email="").values_list("user__email", flat=True)))
        if not addresses or mail_alarm(alarm, addresses):
            mailed += DriftAlarm.objects.filter(pk=alarm.pk).update(mailed_at=now)
    return mailed


def has_mail(*, now: datetime) -> bool:
    """Whether an alarm is due to be mailed, and there is a server to mail it by."""
    return bool(settings.EMAIL_URL) and _unmailed(now).exists()


def _unmailed(now: datetime) -> QuerySet[DriftAlarm]:
    """What is older than two days is no news, as where a mail server was named only now."""
    due = Q(mail_next_at=None) | Q(mail_next_at__lte=now)
    return DriftAlarm.objects.filter(due, mailed_at=None, raised_at__gt=now - NEWS)
