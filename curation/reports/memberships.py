"""Who a request is of, with what they may do, by one query that is put together once: every request asks for it."""

from __future__ import annotations

from functools import cache

from curation.models import Membership, User

from .prepared import PERSON, PreparedRows


def person_with_memberships(person: int) -> User | None:
    """The person of that key with their memberships at hand; None where there is none."""
    held = _memberships_asked().rows({PERSON: person})
    found = held[0].user if held else next(iter(_person_asked().rows({PERSON: person})), None)
    if found is not None:
        found.known_memberships = held
    return found


def memberships_of(person: User) -> list[Membership]:
    """The person's memberships, each with its corpus, by the corpora's names; asked for where they are not at hand."""
    held = person.known_memberships
    if held is None:
        held = _memberships_asked().rows({PERSON: person.pk})
    for membership in held:
        membership.user = person
    return held


@cache
def _memberships_asked() -> PreparedRows[Membership]:
    own = Membership.objects.filter(user=PERSON).select_related("corpus", "user")
    return PreparedRows(own.order_by("corpus__name", "pk"))


@cache
def _person_asked() -> PreparedRows[User]:
    return PreparedRows(User.objects.filter(pk=PERSON))
