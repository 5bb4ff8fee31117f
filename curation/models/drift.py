"""Drift: what live traffic asked an index, how near its answers are to exact search, and the way back."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from .mining import TargetIndex


class LiveQuery(models.Model):
    """One query that live traffic asked `index`, as the search service told it.

    `served` are the ids of the documents it answered with, best first; null where the service did not say, and the
    index is asked itself. `token` is the service's own id of the search, or a hash of all that it told, so that one
    told twice is stored once. Kept for thirty days.
    """

    index = models.ForeignKey(TargetIndex, models.CASCADE, related_name="live_queries")
    text = models.TextField()
    locale = models.CharField(max_length=35)
    asked_at = models.DateTimeField()
    served = models.JSONField(null=True, blank=True)
    token = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "live queries"
        constraints = [
            models.UniqueConstraint(fields=["index", "token"], name="live_query_once"),
            models.CheckConstraint(condition=~Q(text=""), name="live_query_has_text"),
            models.CheckConstraint(condition=~Q(token=""), name="live_query_has_token"),
        ]
        indexes = [models.Index(fields=["index", "asked_at"], name="live_query_by_day")]

    def __str__(self) -> str:
        return self.text


class LiveFile(models.Model):
    """How far the file of live queries of an index was read.

    `inode` and `head_sha256`, the hash of its first `head` bytes, tell the file from one that took its name after a
    rotation. `refused` counts the lines that could not be read, `fault` is the last of them in words.
    """

    index = models.OneToOneField(TargetIndex, models.CASCADE, related_name="live_file")
    inode = models.CharField(max_length=40)
    head = models.PositiveIntegerField()
    head_sha256 = models.CharField(max_length=64)
    offset = models.PositiveBigIntegerField()
    refused = models.PositiveIntegerField(default=0)
    fault = models.TextField(blank=True)
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"Live queries of {self.index}"


class OverlapReading(models.Model):
    """Overlap@10 of one day: the mean over `sampled` of the queries of `day`, in the corpus's time zone.

    `share` is that of the corpus over which exact search ran; below 1 both lists were cut down to that sample before
    their first ten were taken. `unplaced` queries were drawn and had no exact answer to compare with. The stage is
    SHADOW for a candidate that is asked beside production.
    """

    class Stage(models.TextChoices):
        LIVE = "live", "Live"
        SHADOW = "shadow", "Shadow"

    index = models.ForeignKey(TargetIndex, models.PROTECT, related_name="overlap_readings")
    day = models.DateField()
    stage = models.CharField(max_length=6, choices=Stage)
    sampled = models.PositiveIntegerField()
    unplaced = models.PositiveIntegerField(default=0)
    share = models.FloatField()
    overlap = models.FloatField()
    measured_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["index", "day"], name="overlap_reading_once_a_day"),
            models.CheckConstraint(condition=Q(stage__in=["live", "shadow"]), name="overlap_reading_stage_known"),
            models.CheckConstraint(condition=Q(sampled__gt=0), name="overlap_reading_of_queries"),
            models.CheckConstraint(condition=Q(share__gt=0, share__lte=1), name="overlap_reading_share_in_0_1"),
            models.CheckConstraint(condition=Q(overlap__gte=0, overlap__lte=1), name="overlap_reading_in_0_1"),
        ]

    def __str__(self) -> str:
        return f"{self.index}, {self.day}: {self.overlap:.2f}"


class DriftAlarm(models.Model):
    """An alarm about one day of one index: its window's mean was LOW, or its reading is MISSING.

    `mean` is that of the window, null where a day is missing. `words` say what happened and `command` the way back,
    as both were sent; nothing here runs it. `mailed_at` is when mail went out, or was found to have nowhere to go;
    until then `mail_attempts` counts what was tried, and `mail_next_at` says when to try again.
    """

    class Kind(models.TextChoices):
        LOW = "low", "Low overlap"
        MISSING = "missing", "Missing day"

    index = models.ForeignKey(TargetIndex, models.PROTECT, related_name="drift_alarms")
    day = models.DateField()
    kind = models.CharField(max_length=7, choices=Kind)
    mean = models.FloatField(null=True, blank=True)
    words = models.TextField()
    command = models.TextField(blank=True)
    raised_at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True, blank=True)
    mail_attempts = models.PositiveSmallIntegerField(default=0)
    mail_next_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["index", "day", "kind"], name="drift_alarm_once"),
            models.CheckConstraint(condition=Q(kind__in=["low", "missing"]), name="drift_alarm_kind_known"),
            models.CheckConstraint(
                condition=Q(kind="low", mean__isnull=False) | Q(kind="missing", mean__isnull=True),
                name="drift_alarm_low_with_its_mean",
            ),
        ]

    def __str__(self) -> str:
        return self.words


class AliasSwap(models.Model):
    """A rollback: `alias` was to lead to what `to_index` is, instead of to what `from_index` is; who asked, and why.

    Stored before the alias is touched. `swapped_at` is when it led to its new target; until then `fault` says why it
    does not, and nothing in it tells of a swap whose program ended in between.
    """

    from_index = models.ForeignKey(TargetIndex, models.PROTECT, related_name="swaps_away")
    to_index = models.ForeignKey(TargetIndex, models.PROTECT, related_name="swaps_here")
    alias = models.CharField(max_length=500)
    reason = models.TextField()
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    asked_as = models.CharField(max_length=200)
    asked_at = models.DateTimeField()
    swapped_at = models.DateTimeField(null=True, blank=True)
    fault = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(from_index=F("to_index")), name="alias_swap_between_two"),
            models.CheckConstraint(condition=~Q(reason=""), name="alias_swap_with_a_reason"),
            models.CheckConstraint(
                condition=Q(swapped_at__isnull=True) | Q(fault=""), name="alias_swap_done_or_at_fault"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.alias}: {self.from_index} → {self.to_index}"
