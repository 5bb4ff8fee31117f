"""The API tokens of a person, as their page and the command line list them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from curation.models import ApiToken, Membership, Role, User


def tokens_of(person: User) -> QuerySet[ApiToken]:
    """The tokens that are not revoked, the newest first."""
    return ApiToken.objects.filter(person=person, revoked_at=None).select_related("corpus").order_by("-pk")


def opens_nothing(token: ApiToken) -> str:
    """That nothing in a corpus opens to a token, because its person leads none that it is for; "" where they do."""
    held = Membership.objects.filter(user=token.person, role=Role.LEAD)
    if (held.filter(corpus=token.corpus) if token.corpus else held).exists():
        return ""
    led = token.corpus.slug if token.corpus else "any"
    alone = "It opens nothing yet: a corpus opens to tokens of its leads alone"
    return f"{alone}, and {token.person.username} does not lead {led}."


def token_as_json(token: ApiToken, *, now: datetime) -> dict[str, Any]:
    """A token for a program, without its secret, which nobody can read again."""
    return {
        "token": token.pk,
        "name": token.name,
        "prefix": token.prefix,
        "corpus": token.corpus.slug if token.corpus else None,
        "scopes": token.scopes,
        "expires_at": token.expires_at.isoformat(),
        "expired": token.expires_at <= now,
        "last_used_on": token.last_used_on.isoformat() if token.last_used_on else None,
    }
