"""Judgments: one assessor's opinion of one candidate, and every change of it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from curation.models import Document, Query

from .pools import Candidate


class State(models.TextChoices):
    """SWEPT was seen and left unmarked (not relevant); UNSEEN and CANT_TELL never become a qrel.

    CLEARED is a mark taken back; finishing turns it into SWEPT or UNSEEN.
    """

    GRADED = "graded", "Graded"
    SWEPT = "swept", "Seen, not relevant"
    UNSEEN = "unseen", "Not seen"
    CANT_TELL = "cant_tell", "Cannot tell"
    CLEARED = "cleared", "Mark taken back"


class ThatStand(models.Manager["Judgment"]):
    """The judgments that stand, without marks that were begun beside one."""

    def get_queryset(self) -> models.QuerySet[Judgment]:
        """What everybody reads who does not ask for `with_begun`."""
        return super().get_queryset().filter(begun=False)


class Judgment(models.Model):
    """One assessor's opinion. `text_sha256` is the fingerprint of the text they saw.

    `number` orders the marks of one assessor on one candidate: a late mark with a lower number changes nothing.
    `token` is that of the mark that stands. `original_score` and `note` keep what an imported file said. With
    `for_twins` the grade is meant for every document of the same text too. `screen_ms` is for how many milliseconds the
    row was on screen until its query was finished, None where no script measured it or the document was marked.
    `kept_apart` marks an imported opinion that its file says counts nowhere (surplus, or not finished).

    `begun` marks what they say of the same document in another pool of the query, beside an opinion that counts: it
    takes the place of that one when that pool is finished, and is nobody's opinion before.
    """

    query = models.ForeignKey(Query, models.PROTECT, related_name="judgments")
    document = models.ForeignKey(Document, models.PROTECT, related_name="judgments")
    canonical_id = models.CharField(max_length=500)
    assessor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="judgments")
    candidate = models.ForeignKey(Candidate, models.PROTECT, null=True, blank=True, related_name="judgments")
    grade = models.PositiveSmallIntegerField(null=True, blank=True)
    state = models.CharField(max_length=9, choices=State)
    text_sha256 = models.CharField(max_length=64)
    note = models.TextField(blank=True)
    for_twins = models.BooleanField(default=False)
    original_score = models.CharField(max_length=40, blank=True)
    token = models.CharField(max_length=64, blank=True)
    number = models.PositiveIntegerField(default=0)
    judged_at = models.DateTimeField()
    seconds_active = models.PositiveIntegerField(default=0)
    screen_ms = models.PositiveIntegerField(null=True, blank=True)
    kept_apart = models.BooleanField(default=False)
    begun = models.BooleanField(default=False)

    objects = ThatStand()
    with_begun: models.Manager[Judgment] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["query", "document", "assessor", "begun"], name="judgment_once"),
            models.CheckConstraint(
                condition=(Q(state="graded") & Q(grade__isnull=False) & Q(grade__range=(0, 3)))
                | (~Q(state="graded") & Q(grade__isnull=True)),
                name="judgment_grade_when_graded",
            ),
            models.CheckConstraint(condition=Q(state__in=State.values), name="judgment_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.assessor}: {self.canonical_id} {self.state}"

    @property
    def is_mark(self) -> bool:
        """Whether the assessor said it of this very document, not of all that was left when they finished."""
        return self.state == State.GRADED or (self.state == State.CANT_TELL and bool(self.token))

    @property
    def was_seen(self) -> bool:
        """Whether the assessor had it on screen long enough, or marked it once."""
        return self.state != State.UNSEEN


class JudgmentEvent(models.Model):
    """One mark on a judgment, never edited. A token is one press of a key, however often it was sent.

    A mark that came late is here too and changed nothing. `undoes` is the mark that this one took back.
    """

    judgment = models.ForeignKey(Judgment, models.CASCADE, related_name="events")
    token = models.CharField(max_length=64, unique=True)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=9, blank=True)
    grade = models.PositiveSmallIntegerField(null=True, blank=True)
    note = models.TextField(blank=True)
    for_twins = models.BooleanField(default=False)
    undoes = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="undone_by")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.judgment} #{self.number}"
