"""The menu: every page that a role may open, with how much waits there.

Each app adds its own entries when it starts, so that curation need not know what judging offers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from curation.models import LOCALE_LEAD, Corpus, Membership, Role, User

from .counts import StratumCount
from .rows import told_together

GROUPS = ("Work", "Set", "Ship", "People")


@dataclass(frozen=True)
class Visit:
    """Who looks at the menu, and where: the person's memberships of one corpus (at least one).

    `counts` are the corpus's strata where the page has counted them already.
    """

    memberships: tuple[Membership, ...]
    counts: Sequence[StratumCount] | None = None

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
        """The standings the person has there."""
        return {membership.standing for membership in self.memberships}

    @property
    def led(self) -> list[str] | None:
        """The locales the person leads there, sorted; None for a lead of the whole corpus."""
        if Role.LEAD in self.roles:
            return None
        return sorted({tag for each in self.memberships if each.role == Role.LEAD for tag in each.languages})

    @property
    def reviewed(self) -> list[str] | None:
        """The locales the person leads or adjusts there, sorted; None for whoever leads or adjusts all."""
        held = [each for each in self.memberships if each.role in {Role.LEAD, Role.ADJUSTER}]
        if not all(each.languages for each in held):
            return None
        return sorted({tag for each in held for tag in each.languages})

    @property
    def languages(self) -> list[str]:
        """The locales the person writes there, sorted."""
        return sorted({tag for each in self.memberships if each.role == Role.WRITER for tag in each.languages})


@dataclass(frozen=True)
class Entry:
    """A page of the menu.

    `address` is the name of a route below `/c/<slug>/`, `place` its order in the group. `waiting` are the rows that
    wait there: the menu shows how many ("64"), or `word` instead of the number ("running"), and nothing where there are
    none. `says` holds the word itself in the one column of its first row. All entries together cost one query. `count`
    says it for what is more than rows, at the price of its own.
    """

    group: str
    place: int
    title: str
    address: str
    roles: frozenset[str] = frozenset({*Role, LOCALE_LEAD})
    waiting: Callable[[Visit], QuerySet[Any]] | None = None
    word: str = ""
    says: Callable[[Visit], QuerySet[Any, Any]] | None = None
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


def menu(
    memberships: Collection[Membership], *, counts_known: Sequence[StratumCount] | None = None
) -> list[tuple[str, list[Shown]]]:
    """The groups of the menu that hold a page for these memberships of one corpus, in order."""
    visit = Visit(tuple(memberships), counts_known)
    opened = [entry for entry in _entries if entry.roles & visit.roles]
    told = counts(opened, visit)
    groups: dict[str, list[Shown]] = {}
    for entry in opened:
        href = reverse(entry.address, args=[visit.corpus.slug])
        groups.setdefault(entry.group, []).append(Shown(entry.title, href, told.get(entry.address, "")))
    return list(groups.items())


def counts(entries: Collection[Entry], visit: Visit) -> dict[str, str]:
    """What the menu says beside the entries, by their addresses: one query for all that count rows."""
    told = {entry.address: entry.count(visit) for entry in entries if entry.count}
    words = {entry.address: entry.word for entry in entries if entry.waiting}
    rows = {entry.address: entry.waiting(visit) for entry in entries if entry.waiting}
    said = {entry.address: entry.says(visit) for entry in entries if entry.says}
    for at, value in told_together(rows, said).items():
        told[at] = (words.get(at) or in_figures(value)) if value else ""
    return told


def in_figures(value: object) -> str:
    """A count with commas, and what is no count as it is."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def roles_in_words(memberships: Collection[Membership], *, language: Callable[[str], str]) -> str:
    """What the person is here: "Lead", "Writer, Turkish, Arabic", "Locale lead, Turkish"; `language` names a locale."""
    held = sorted(memberships, key=lambda each: list(Role).index(Role(each.role)), reverse=True)
    return ", ".join(
        dict.fromkeys(
            [*(each.title for each in held), *(language(tag) for each in held for tag in sorted(each.languages))]
        )
    )


def doors(memberships: Collection[Membership]) -> dict[str, str]:
    """Name of a page → its address, for every page of the menu that these memberships open."""
    visit = Visit(tuple(memberships))
    return {
        entry.address: reverse(entry.address, args=[visit.corpus.slug])
        for entry in _entries
        if entry.roles & visit.roles
    }
