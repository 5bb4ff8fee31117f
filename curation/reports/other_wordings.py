"""How other locales worded a need: their texts alone, and nothing of what was judged."""

from __future__ import annotations

from dataclasses import dataclass

from curation.models import Need, Query

MOST = 30


@dataclass(frozen=True, slots=True)
class OtherWording:
    """One wording of a need in another locale."""

    locale: str
    text: str


def other_wordings(need: Need, *, locale: str) -> list[OtherWording]:
    """The wordings of a need in other locales than `locale`, by locale; without its variants."""
    live = need.queries.exclude(status=Query.Status.RETIRED).exclude(origin=Query.Origin.VARIANT)
    others = live.exclude(stratum__query_language=locale).order_by("stratum__query_language", "pk")
    return [OtherWording(*row) for row in others.values_list("stratum__query_language", "text")[:MOST]]
