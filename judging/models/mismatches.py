"""Flags on candidates that are not what their row says: a translation with other facts, another country, and so on."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from curation.models import Document

from .pools import Assignment, Candidate


class Mismatch(models.Model):
    """One press: what a judge found wrong with a candidate, or with the rendering `document` that is folded into it.

    Without `document` it speaks of all that is folded, or of the candidate itself. Where it is not the same document,
    what it speaks of becomes a row of its own for this judge. A press is never edited: since `undone_at` it stands no
    more, because another one came. One without a reason took the flag back and never stands. `undoes` is the press that
    this one took back with the undo key; its reason is what stood before that. `token` names the press: sent twice it
    flags once. A lead who looked into it notes that it is dealt with.
    """

    class Reason(models.TextChoices):
        """What is wrong."""

        FACTS = "facts", "Translation states different facts"
        COUNTRY = "country", "Wrong country"
        NOT_SAME = "not_same", "Not the same document"
        WITHDRAWN = "withdrawn", "Withdrawn edition"

    OF_TRANSLATIONS = (Reason.FACTS, Reason.NOT_SAME)
    """What can be wrong only where translations are folded into the candidate."""

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="mismatches")
    candidate = models.ForeignKey(Candidate, models.PROTECT, related_name="mismatches")
    document = models.ForeignKey(Document, models.PROTECT, null=True, blank=True, related_name="mismatches")
    assessor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="mismatches")
    reason = models.CharField(max_length=9, choices=Reason, blank=True)
    note = models.TextField(blank=True)
    token = models.CharField(max_length=64, unique=True)
    undoes = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="undone_by")
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)
    dealt_with_at = models.DateTimeField(null=True, blank=True)
    dealt_with_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="mismatches_dealt_with"
    )

    class Meta:
        verbose_name_plural = "mismatches"
        constraints = [
            models.UniqueConstraint(
                fields=["candidate", "assessor"], condition=Q(undone_at__isnull=True), name="mismatch_one_stands"
            ),
            models.CheckConstraint(
                condition=Q(reason__in=["facts", "country", "not_same", "withdrawn"])
                | Q(reason="", undone_at__isnull=False),
                name="mismatch_reason_known",
            ),
            models.CheckConstraint(
                condition=Q(dealt_with_at__isnull=True, dealt_with_by__isnull=True)
                | Q(dealt_with_at__isnull=False, dealt_with_by__isnull=False),
                name="mismatch_dealt_with_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.candidate}: {self.get_reason_display()}"
