"""How much of each locale's set is codes and error messages, which test no language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from curation.models import QueryType

from .counts import StratumCount
from .spellings import counted_once

ALARM = 0.35
"""From this share on a locale carries a population of that size that is not being tested: its people's own words."""


@dataclass(frozen=True, slots=True)
class ErrorShare:
    """Of a locale's `n` counted queries, `errors` are codes or error messages; n is at least 1."""

    locale: str
    n: int
    errors: int

    @property
    def share(self) -> float:
        """Their share, 0 to 1."""
        return self.errors / self.n

    @property
    def alarms(self) -> bool:
        """Whether so much of the locale tests no language that its figures mislead."""
        return self.share >= ALARM

    def as_json(self) -> dict[str, Any]:
        """The share as the command and the export print it."""
        return {**asdict(self), "share": self.share, "alarms": self.alarms}


@dataclass(frozen=True, slots=True)
class BesideLog:
    """The share of codes and errors in a locale's counted queries, None without any, and in its searches."""

    locale: str
    counted: float | None
    searched: float

    @property
    def alarms(self) -> bool:
        """Whether so many of the locale's searches are codes that its own words are a part of what is searched."""
        return self.searched >= ALARM


def beside_log(shares: Iterable[ErrorShare], searched: Mapping[str, float | None]) -> list[BesideLog]:
    """The locales with enough searches, the highest share of these first."""
    counted = {each.locale: each.share for each in shares}
    found = [BesideLog(locale, counted.get(locale), share) for locale, share in searched.items() if share is not None]
    return sorted(found, key=lambda each: (-each.searched, each.locale))


def error_shares(counts: Iterable[StratumCount]) -> list[ErrorShare]:
    """The share of each locale that counts any query, the highest first; of a query and its other spellings one."""
    strata: dict[str, list[StratumCount]] = {}
    for count in counts:
        strata.setdefault(count.query_language, []).append(count)
    shares = [ErrorShare(locale, counted_once(held), counted_once(errors_in(held))) for locale, held in strata.items()]
    return sorted((each for each in shares if each.n), key=lambda each: (-each.share, -each.n, each.locale))


def errors_in(strata: Iterable[StratumCount]) -> list[StratumCount]:
    """Those of the strata that hold codes and error messages."""
    return [count for count in strata if count.query_type == QueryType.ERROR_STRING]
