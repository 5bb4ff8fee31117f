"""Adjudications: what a lead decided where opinions differed, and why they did."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from curation.models import Document, Query


class Adjudication(models.Model):
    """The decision on one (query, canonical id). `seconds` is how long the opinions were on screen before it.

    One of under HASTY seconds was made without reading them; the lead was asked and pressed again.

    `opinions` keeps what each judge had said, as [assessor key, grade, swept]. One that was taken back, or gave way to
    opinions on a later text, stays, with `undone_at`. `disputed_since` is when the dispute was opened that it ended, so
    that it has its old place where the decision is taken back. `token` names the press of the button: sent twice, it
    decides once.
    """

    HASTY = 2

    class Cause(models.TextChoices):
        """Why the opinions differed."""

        MISSED = "missed", "Missed while scanning"
        RUBRIC = "rubric", "Rubric unclear"
        EDITION = "edition", "Wrong country or edition"
        SLIP = "slip", "Slip of the key"

    query = models.ForeignKey(Query, models.PROTECT, related_name="adjudications")
    canonical_id = models.CharField(max_length=500)
    document = models.ForeignKey(Document, models.PROTECT, null=True, blank=True, related_name="adjudications")
    grade = models.PositiveSmallIntegerField()
    cause = models.CharField(max_length=8, choices=Cause)
    opinions = models.JSONField(default=list)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="adjudications")
    decided_at = models.DateTimeField()
    disputed_since = models.DateTimeField(null=True, blank=True)
    seconds = models.PositiveIntegerField(default=0)
    token = models.CharField(max_length=64, unique=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["query", "canonical_id"], condition=Q(undone_at__isnull=True), name="adjudication_one_stands"
            ),
            models.CheckConstraint(condition=Q(grade__range=(0, 3)), name="adjudication_grade_in_0_3"),
            models.CheckConstraint(
                condition=Q(cause__in=["missed", "rubric", "edition", "slip"]), name="adjudication_cause_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.query.external_id} {self.canonical_id} {self.grade}"

    @property
    def is_by_author(self) -> bool:
        """Whether whoever decided it wrote the query, or the wording that it is a variant of."""
        return self.query.is_by(self.decided_by_id)

    @property
    def is_hasty(self) -> bool:
        """Whether it was decided faster than the opinions can be read."""
        return self.seconds < self.HASTY
