"""API tokens: made, revoked, and known again by what a request carries."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q

from curation.actions.invitations import sha256_of
from curation.actions.refusal import Refused
from curation.models import ApiToken, Corpus, Membership, Scope, User

MARK = "hs_"
"""What every token begins with, so that scanners of repositories find one that leaked."""
SHOWN = len(MARK) + 6
LONGEST_DAYS, LONGEST_NAME = 365, 60


@dataclass(frozen=True, slots=True)
class Terms:
    """What a token is to open: under a name, in one corpus or (None) all of its person's, for so many days."""

    name: str
    scopes: Collection[str]
    corpus: Corpus | None = None
    days: int = 90


@dataclass(frozen=True, slots=True)
class Made:
    """A token with its secret, which nobody can read again."""

    token: ApiToken
    secret: str


def make_token(*, person: User, terms: Terms, now: datetime) -> Made:
    """Make a token for `person`.

    Raises:
        Refused: it opens nothing, lives too long, has the name of another, or names a corpus that is not theirs.
    """
    _require(person, terms)
    secret = MARK + secrets.token_urlsafe(32)
    token = ApiToken(
        person=person,
        corpus=terms.corpus,
        name=terms.name.strip(),
        scopes=[scope for scope in Scope.values if scope in terms.scopes],
        sha256=sha256_of(secret),
        prefix=secret[:SHOWN],
        created_at=now,
        expires_at=now + timedelta(days=terms.days),
    )
    try:
        with transaction.atomic():
            # A token that ran out leaves its name to the next.
            ApiToken.objects.filter(person=person, name=token.name, revoked_at=None, expires_at__lte=now).update(
                revoked_at=now
            )
            token.save(force_insert=True)
    except IntegrityError as twice:
        raise Refused(f"You have a token called {token.name} already. Choose another name, or revoke it.") from twice
    return Made(token, secret)


def _require(person: User, terms: Terms) -> None:
    if not terms.name.strip():
        raise Refused("A token needs a name, by which you tell it from others.")
    if len(terms.name.strip()) > LONGEST_NAME or not terms.name.isprintable():
        raise Refused(f"The name of a token is at most {LONGEST_NAME} characters on one line; choose a shorter one.")
    if not terms.scopes:
        raise Refused("A token without a scope opens nothing; choose at least one.")
    if unknown := sorted(set(terms.scopes) - set(Scope.values)):
        raise Refused(f"There is no scope {unknown[0]}; known are {', '.join(Scope.values)}.")
    if not 1 <= terms.days <= LONGEST_DAYS:
        raise Refused(f"A token lives from 1 to {LONGEST_DAYS} days.")
    if terms.corpus and not Membership.objects.filter(user=person, corpus=terms.corpus).exists():
        raise Refused(f"{person.username} is no member of {terms.corpus.slug}, so a token opens nothing there.")


def revoke_token(*, person: User, token: int, now: datetime) -> ApiToken | None:
    """End a token of `person` at once; None where they have none of that number. Done again, it changes nothing."""
    ApiToken.objects.filter(person=person, pk=token, revoked_at=None).update(revoked_at=now)
    return ApiToken.objects.filter(person=person, pk=token).first()


def known_token(*, secret: str, now: datetime) -> ApiToken | None:
    """The token that a request carries, with its person and corpus; None where it opens nothing (any more)."""
    if not secret.startswith(MARK):
        return None
    alive = Q(revoked_at=None, expires_at__gt=now, person__is_active=True)
    return ApiToken.objects.filter(alive, sha256=sha256_of(secret)).select_related("person", "corpus").first()


def note_use(*, token: ApiToken, now: datetime) -> None:
    """Keep the day on which a token was last used; one write a day."""
    if token.last_used_on != now.date():
        ApiToken.objects.filter(pk=token.pk).update(last_used_on=now.date())
