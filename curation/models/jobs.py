"""Jobs: background work whose only record is its row; the broker merely wakes it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .corpus import Corpus


class Job(models.Model):
    """One piece of background work.

    A worker claims the row by raising `fencing`; whoever holds an older number may write nothing. `heartbeat` says
    that the holder lives. `sent_at` is when the broker last took the id; a sweep sends it again where that got lost.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "Waiting"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Cancelled"

    LIVE = (State.QUEUED, State.RUNNING)

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="jobs", null=True, blank=True)
    kind = models.CharField(max_length=40)
    unique_key = models.CharField(max_length=200)
    params = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    progress_words = models.CharField(max_length=300, blank=True)
    fencing = models.PositiveIntegerField(default=0)
    heartbeat = models.DateTimeField(null=True, blank=True)
    interruptions = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    result = models.JSONField(default=dict, blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["unique_key"], condition=Q(state__in=["queued", "running"]), name="job_one_live"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed", "cancelled"]),
                name="job_state_known",
            ),
            models.CheckConstraint(condition=~Q(state="failed") | ~Q(error=""), name="job_failed_with_words"),
        ]
        indexes = [models.Index(fields=["state", "kind"], name="job_by_state")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class WorkerSign(models.Model):
    """When a worker was last heard of, so a page can say since when none answers."""

    name = models.CharField(max_length=200, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
