"""Invitations: a role in a corpus behind a link that works once. The token of the link is stored as its hash alone."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from curation.actions.people import widen_member
from curation.actions.refusal import Refused
from curation.models import Corpus, Invitation, Membership, Role, User

LIFE = timedelta(days=7)
GONE = "This link does not open any more: it was used or withdrawn, or is older than seven days."


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whom a lead wants as what: one of `username` and `email` is given."""

    role: Role
    languages: Sequence[str] = ()
    username: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation with the token of its link, which nobody can read again."""

    invitation: Invitation
    token: str


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who makes an account through a link."""

    username: str
    name: str
    password: str


def sha256_of(token: str) -> str:
    """What is stored of a token: it has 256 random bits, so no salt and no slow hash is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def invite(*, corpus: Corpus, wanted: Wanted, by: User | None, now: datetime) -> Invited:
    """Invite somebody; an open invitation of the same person to the same role makes way. `by` is None on a console."""
    same = Invitation.objects.filter(corpus=corpus, username=wanted.username, email=wanted.email, role=wanted.role)
    same.filter(accepted_at=None, withdrawn_at=None).update(withdrawn_at=now)
    token = secrets.token_urlsafe(32)
    made = Invitation.objects.create(
        corpus=corpus,
        username=wanted.username,
        email=wanted.email,
        role=wanted.role,
        languages=list(wanted.languages),
        token_sha256=sha256_of(token),
        invited_by=by,
        invited_at=now,
        expires_at=now + LIFE,
    )
    return Invited(made, token)


@transaction.atomic
def send_again(*, invitation: Invitation, by: User, now: datetime) -> Invited:
    """A new link for an invitation, good for as long as the first one was; the old link opens no more.

    Raises:
        Refused: it was accepted or withdrawn meanwhile.
    """
    held = Invitation.objects.select_for_update(no_key=True).get(pk=invitation.pk)
    if held.accepted_at or held.withdrawn_at:
        raise Refused(f"The invitation of {held.who} is not open any more.")
    token = secrets.token_urlsafe(32)
    held.token_sha256, held.expires_at = sha256_of(token), now + LIFE
    held.invited_by, held.invited_at = by, now
    held.save(update_fields=["token_sha256", "expires_at", "invited_by", "invited_at"])
    return Invited(held, token)


def withdraw(*, invitation: Invitation, now: datetime) -> bool:
    """Close the link of an invitation; False where it was accepted or withdrawn already."""
    rows = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, withdrawn_at=None)
    return bool(rows.update(withdrawn_at=now))


def opened(token: str, *, now: datetime) -> Invitation:
    """The invitation behind a link.

    Raises:
        Refused: there is none, or it does not open any more.
    """
    rows = Invitation.objects.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=now)
    found = rows.filter(token_sha256=sha256_of(token)).select_related("corpus", "invited_by").first()
    if found is None:
        raise Refused(GONE)
    return found


def accept(*, token: str, user: User, now: datetime) -> Membership:
    """Give `user` the role behind the link, beside what they have; the link works once.

    Raises:
        Refused: it does not open any more, or is for another account.
    """
    with transaction.atomic():
        Invitation.objects.select_for_update(no_key=True).filter(token_sha256=sha256_of(token)).first()
        held = opened(token, now=now)
        if held.username not in {"", user.username}:
            raise Refused(f"This invitation is for {held.username}, and you are {user.username}. Sign in as them.")
        held.accepted_at, held.accepted_by = now, user
        held.save(update_fields=["accepted_at", "accepted_by"])
        return widen_member(corpus=held.corpus, user=user, role=Role(held.role), languages=held.languages)


def accept_as(*, token: str, newcomer: Newcomer, now: datetime) -> User:
    """Make an account with the role behind the link.

    Raises:
        Refused: the link does not open any more or is for another username, or the username is taken.
    """
    try:
        with transaction.atomic():
            email = opened(token, now=now).email
            user = User.objects.create_user(newcomer.username, email, newcomer.password, name=newcomer.name)
            accept(token=token, user=user, now=now)
            return user
    except IntegrityError as fault:
        raise Refused(f"Somebody is called {newcomer.username} already. Choose another username.") from fault
