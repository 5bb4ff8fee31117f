"""The menu: every page that a role may open, with how much waits there.

Each app adds its own entries when it starts, so that curation need not know what judging offers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.urls import reverse

from curation.models import Corpus, Membership, Role, User

GROUPS = ("Work", "Set", "People")


@dataclass(frozen=True)
class Visit:
    """Who looks at the menu, and where: the person's memberships of one corpus (at least one)."""

    memberships: tuple[Membership, ...]

    @property
    def corpus(self) -> Corpus:
        """The corpus of the visit."""
        return self.memberships[0].corpus

    @property
    def user(self) -> User:
        """Who looks."""
        return self.memberships[0].user

    @property
    def roles(self) -> set[str]:
        """The roles the person holds there."""
        return {membership.role for membership in self.memberships}

    @property
    def languages(self) -> list[str]:
        """The locales the person writes there, sorted."""
        return sorted({tag for each in self.memberships if each.role == Role.WRITER for tag in each.languages})


@dataclass(frozen=True)
class Entry:
    """A page of the menu.

    `address` is the name of a route below `/c/<slug>/`, `place` its order in the group. `count` says in a number or
    one word what waits there ("64", "running"), or nothing; it costs one query, or one count of the strata.
    """

    group: str
    place: int
    title: str
    address: str
    roles: frozenset[Role] = frozenset(Role)
    count: Callable[[Visit], str] | None = None


@dataclass(frozen=True)
class Shown:
    """An entry as one person sees it."""

    title: str
    href: str
    count: str


_entries: list[Entry] = []


def add(*entries: Entry) -> None:
    """Put `entries` into the menu; called once by each app, when it starts."""
    _entries.extend(entries)
    _entries.sort(key=lambda entry: (GROUPS.index(entry.group), entry.place))


def menu(memberships: Collection[Membership]) -> list[tuple[str, list[Shown]]]:
    """The groups of the menu that hold a page for these memberships of one corpus, in order."""
    visit = Visit(tuple(memberships))
    groups: dict[str, list[Shown]] = {}
    for entry in _entries:
        if entry.roles & visit.roles:
            href = reverse(entry.address, args=[visit.corpus.slug])
            groups.setdefault(entry.group, []).append(
                Shown(entry.title, href, entry.count(visit) if entry.count else "")
            )
    return list(groups.items())


def roles_in_words(memberships: Collection[Membership], *, language: Callable[[str], str]) -> str:
    """What the person is here: "Lead", "Writer, Turkish and Arabic"; `language` names a locale."""
    visit = Visit(tuple(memberships))
    held = [role.label for role in reversed(Role) if role in visit.roles]
    written = [language(tag) for tag in visit.languages]
    return ", ".join([*held, *written])


def doors(memberships: Collection[Membership]) -> dict[str, str]:
    """Name of a page → its address, for every page of the menu that these memberships open."""
    visit = Visit(tuple(memberships))
    return {
        entry.address: reverse(entry.address, args=[visit.corpus.slug])
        for entry in _entries
        if entry.roles & visit.roles
    }
