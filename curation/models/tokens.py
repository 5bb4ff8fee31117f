"""API tokens, and how often each was used in a minute."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .corpus import Corpus


class Scope(models.TextChoices):
    """What a token opens; never more than its person's role does. A release engineer is a token with `gate`."""

    READ = "read", "Read coverage, sets, gate reports, manifests and proposals"
    RUNS = "runs", "Bring ranked runs in"
    GATE = "gate", "Gate a run"
    SETS = "sets", "Fetch the exports of a set"
    MANIFEST = "manifest", "Write and verify manifests"
    LIVE_QUERIES = "live_queries", "Tell of live queries"


class ApiToken(models.Model):
    """A key of one person for programs, for one corpus or (None) for all of theirs.

    It is stored as its SHA-256 alone; `prefix` is what people tell it by. `last_used_on` is a day, so that use of it
    costs one write a day.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    corpus = models.ForeignKey(Corpus, models.CASCADE, null=True, blank=True, related_name="api_tokens")
    name = models.CharField(max_length=60)
    scopes = models.JSONField(default=list)
    sha256 = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(max_length=12)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_on = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "name"], condition=Q(revoked_at=None), name="api_token_named_once"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="api_token_named"),
            models.CheckConstraint(condition=Q(sha256__regex=r"^[0-9a-f]{64}$"), name="api_token_hashed"),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"

    @property
    def where(self) -> str:
        """Where it opens anything."""
        return self.corpus.slug if self.corpus else "every corpus of its person"


class ApiUse(models.Model):
    """How many requests came in one minute under a key: a token's, or a hash of the address whose tokens failed."""

    key = models.CharField(max_length=70)
    minute = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "minute"], name="api_use_once")]

    def __str__(self) -> str:
        return f"{self.count} in the minute of {self.minute}"
