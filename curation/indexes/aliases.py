"""The name under which a search service asks an index, and leading it to another one: what every kind shares."""

from enum import StrEnum
from typing import Protocol

from curation.indexes.base import IndexRefused


class Swapped(StrEnum):
    """What became of a swap."""

    DONE = "done"
    REHEARSED = "rehearsed"
    ALREADY = "already"


class Alias(Protocol):
    """An alias on its server or in its folder."""

    def __str__(self) -> str: ...

    def target(self) -> str:
        """The name of what it leads to now.

        Raises:
            IndexRefused: there is no such alias, or it leads to several.
        """

    def lead(self, *, before: str, to: str, rehearse: bool) -> None:
        """Lead it from `before` to `to` in one step; with `rehearse`, find out whether that works and change nothing.

        Raises:
            IndexRefused: `to` is not there, or the step is refused; nothing has changed.
        """


def swap(alias: Alias, *, before: str, to: str, rehearse: bool = False) -> Swapped:
    """Lead `alias` from `before` to `to`; ALREADY where it leads there, so that a second swap changes nothing.

    Raises:
        IndexRefused: it leads to a third, or `Alias.lead` refuses.
    """
    now = alias.target()
    if now == to:
        return Swapped.ALREADY
    if now != before:
        raise IndexRefused(
            f"{alias} leads to {now}, which is neither {before} nor its previous target {to}; find out who led it there"
            " before anything is changed."
        )
    try:
        alias.lead(before=before, to=to, rehearse=rehearse)
    except IndexRefused:
        if rehearse or alias.target() != to:  # the swap may have been done and its answer lost
            raise
    return Swapped.REHEARSED if rehearse else Swapped.DONE
