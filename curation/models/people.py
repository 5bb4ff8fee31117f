"""People, and what each may do in a corpus."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from .corpus import Corpus


class User(AbstractUser):
    """A person. What they may do hangs on memberships, never on the person."""

    class Theme(models.TextChoices):
        SYSTEM = "", "As the system"
        LIGHT = "light", "Light"
        DARK = "dark", "Dark"

    name = models.CharField("shown name", max_length=150, blank=True)
    theme = models.CharField(max_length=5, choices=Theme, default=Theme.SYSTEM, blank=True)
    interface_language = models.CharField(max_length=35, default="en", blank=True)
    single_keys = models.BooleanField("single-key shortcuts", default=True)

    known_memberships: list[Membership] | None = None
    """Those that were read with the person; None where they were not."""

    def __str__(self) -> str:
        return self.name or self.username


class Role(models.TextChoices):
    """A release engineer is a token scope, not a role."""

    WRITER = "writer", "Writer"
    ADJUSTER = "adjuster", "Adjuster"
    LEAD = "lead", "Lead"


LOCALE_LEAD = "locale lead"
"""A lead of some locales alone: the role is lead, and the membership names languages."""


class Membership(models.Model):
    """One role of one person in one corpus.

    `languages` are the locales a writer writes; an adjuster with any judges these alone, a lead with any leads these
    alone.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role)
    languages = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "corpus", "role"], name="membership_once"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.role} in {self.corpus}"

    @property
    def standing(self) -> str:
        """What the role opens: its own name, but `LOCALE_LEAD` for a lead of some locales alone."""
        return LOCALE_LEAD if self.role == Role.LEAD and self.languages else self.role

    @property
    def title(self) -> str:
        """The standing, as people read it."""
        return self.standing.capitalize()
