"""Invitations into a corpus, and sign-ins that failed."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .corpus import Corpus
from .people import LOCALE_LEAD, Role


class Invitation(models.Model):
    """A role in a corpus that waits for whoever holds its link; where it names a `username`, for that account alone.

    The link's token is stored as its SHA-256 alone. `email` is where the link was meant to go; "" for none.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="invitations")
    username = models.CharField(max_length=150, blank=True)
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=8, choices=Role)
    languages = models.JSONField(default=list, blank=True)
    token_sha256 = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    invited_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="invitation_role_known"),
            models.CheckConstraint(condition=~Q(username="") | ~Q(email=""), name="invitation_of_somebody"),
        ]
        indexes = [models.Index(fields=["corpus", "accepted_at", "withdrawn_at"], name="invitation_open")]

    def __str__(self) -> str:
        return f"{self.who} as {self.role} in {self.corpus}"

    @property
    def who(self) -> str:
        """Whom it is for: a username, else an e-mail address."""
        return self.username or self.email

    @property
    def standing(self) -> str:
        """What the role will open, as `Membership.standing`."""
        return LOCALE_LEAD if self.role == Role.LEAD and self.languages else self.role


class FailedSignIn(models.Model):
    """How often signing in failed for one username at one address since it last worked; `key` is a hash of both."""

    key = models.CharField(max_length=64, unique=True)
    failures = models.PositiveIntegerField()
    last_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.failures} failed, the last at {self.last_at}"
