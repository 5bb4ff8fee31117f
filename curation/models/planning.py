"""What a lead states about a corpus: how its searches split over locales, who writes what, and who has time."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from .corpus import Corpus
from .strata import Stratum


class TrafficReading(models.Model):
    """How the searches of a corpus split over locales, as somebody stated it or a log tells; none is ever changed.

    `as_of` is the day it stands for; the reading of the latest day counts, of one day the one stated last. `since` and
    `until` are the first and last day of the log it was read from. `note` is where it comes from, in words.
    """

    class Source(models.TextChoices):
        TYPED = "typed", "Typed"
        FILE = "file", "File"
        LOG = "log", "Query log"

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="traffic_readings")
    as_of = models.DateField()
    source = models.CharField(max_length=5, choices=Source)
    note = models.CharField(max_length=300, blank=True)
    since = models.DateField(null=True, blank=True)
    until = models.DateField(null=True, blank=True)
    stated_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    stated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(source__in=["typed", "file", "log"]), name="traffic_source_known"),
            models.CheckConstraint(
                condition=Q(since__isnull=True) | Q(until__isnull=True) | Q(since__lte=F("until")),
                name="traffic_days_in_order",
            ),
        ]
        indexes = [models.Index(fields=["corpus", "-as_of", "-id"], name="traffic_newest_first")]

    def __str__(self) -> str:
        return f"traffic of {self.corpus} as of {self.as_of}"


class TrafficShare(models.Model):
    """A locale's share (0 to 1) in a reading; the shares of a reading sum to 1."""

    reading = models.ForeignKey(TrafficReading, models.CASCADE, related_name="shares")
    locale = models.CharField(max_length=35)
    share = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reading", "locale"], name="traffic_share_once"),
            models.CheckConstraint(condition=Q(share__gte=0, share__lte=1), name="traffic_share_in_0_1"),
        ]

    def __str__(self) -> str:
        return f"{self.locale} {self.share:g}"


class WritingAssignment(models.Model):
    """So many queries of a stratum that a lead asks one person to write.

    What is written of it is counted, never stored: the person's queries in the stratum, or on the way to it, since
    `assigned_at`.
    """

    stratum = models.ForeignKey(Stratum, models.CASCADE, related_name="writing_assignments")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="writing_assignments")
    count = models.PositiveIntegerField()
    assigned_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    assigned_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(count__gt=0), name="writing_assignment_of_some")]
        indexes = [models.Index(fields=["person", "withdrawn_at"], name="writing_assignment_of_person")]

    def __str__(self) -> str:
        return f"{self.count} of {self.stratum} by {self.person}"


class BookedHours(models.Model):
    """How many hours a person has for a corpus in a month; `month` is its first day."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="booked_hours")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="booked_hours")
    month = models.DateField()
    hours = models.FloatField()

    class Meta:
        verbose_name_plural = "booked hours"
        constraints = [
            models.UniqueConstraint(fields=["corpus", "person", "month"], name="booked_hours_once"),
            models.CheckConstraint(condition=Q(hours__gt=0, hours__lte=744), name="booked_hours_in_a_month"),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.hours:g} h in {self.month:%B %Y}"
