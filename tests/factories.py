"""The cast: Aylin writes Turkish, Marek adjusts, Lena leads, Charlie is outside."""

from __future__ import annotations

import itertools
from typing import Any

from curation.models import Corpus, Membership, Role, User

PASSWORD = "a long enough password"
_numbers = itertools.count(1)


def person(username: str, *, name: str = "") -> User:
    """A person with an account and no membership."""
    return User.objects.create_user(username, password=PASSWORD, name=name or username.title())


def aylin(corpus: Corpus) -> User:
    """Aylin writes Turkish."""
    return member(corpus, person("aylin"), Role.WRITER, languages=["tr"])


def marek(corpus: Corpus) -> User:
    """Marek adjusts."""
    return member(corpus, person("marek"), Role.ADJUSTER)


def lena(corpus: Corpus) -> User:
    """Lena leads."""
    return member(corpus, person("lena"), Role.LEAD)


def charlie() -> User:
    """Charlie has an account and belongs to no corpus of ours."""
    return person("charlie")


def member(corpus: Corpus, user: User, role: Role, *, languages: list[str] | None = None) -> User:
    """`user`, now with `role` in `corpus`."""
    Membership.objects.create(corpus=corpus, user=user, role=role, languages=languages or [])
    return user


def a_corpus(slug: str = "claims", **fields: Any) -> Corpus:
    """A corpus without documents."""
    return Corpus.objects.create(slug=slug, **{"name": slug.title(), **fields})
