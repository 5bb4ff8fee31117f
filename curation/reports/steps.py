"""The steps of the path to readable locales, and what they are reckoned with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from curation.measures.cost import JUDGING, WRITING_SECONDS, Cost

from .counts import StratumCount


@dataclass(frozen=True, slots=True)
class Rates:
    """Seconds a query: writing it, and judging it by the kind of its pool."""

    writing: float = WRITING_SECONDS
    judging: Mapping[str, float] = field(default_factory=lambda: JUDGING)


@dataclass(frozen=True, slots=True)
class Step:
    """One cell to fill: `to_write` wordings, and `to_judge` judgments of them and of those that wait, reach the target.

    `to_decide` queries on the way are judged, and wait for a lead's decision alone.

    `fills` says which strata the wordings go to (by key), `over_plan` how many of them no plan has room for.
    `oversample` is how far the locale is over its share of the traffic once the whole path is gone; None without one.
    """

    dimensions: Mapping[str, str]
    strata: Sequence[StratumCount]
    n: int
    to_write: int
    to_judge: int
    cost: Cost
    why: str
    fills: Mapping[int, int]
    over_plan: int
    to_decide: int = 0
    oversample: float | None = None

    @property
    def locale(self) -> str:
        """The query language."""
        return self.dimensions["query_language"]

    @property
    def waiting(self) -> int:
        """How many queries that are written already have to be judged on the way."""
        return self.to_judge - self.to_write

    @property
    def on_hand(self) -> int:
        """How many queries wait to be judged for the cell in all."""
        return sum(count.waiting for count in self.strata)

    @property
    def waiting_in_words(self) -> str:
        """Those on the way, beside all that wait for the cell where the target takes fewer; "" where none do."""
        return _in_words(self.waiting, self.on_hand, "to be judged")

    @property
    def decided_in_words(self) -> str:
        """The same of what waits for a lead's decision alone."""
        return _in_words(self.to_decide, sum(count.undecided for count in self.strata), "for a decision")

    def as_json(self) -> dict[str, Any]:
        """The step as the command prints it."""
        hours = {"writing_seconds": self.cost.writing, "judging_seconds": self.cost.judging}
        counts = {
            "n": self.n,
            "to_write": self.to_write,
            "to_judge": self.to_judge,
            "to_decide": self.to_decide,
            "over_plan": self.over_plan,
        }
        return {**self.dimensions, **counts, **hours, "oversample": self.oversample, "why": self.why}


@dataclass(frozen=True, slots=True)
class Path:
    """The steps in order: what splits the worst cell, then locales not readable, then main cells below the target.

    `planned` counts the queries that are planned at all, reached or not: with none there is nothing to walk to.
    """

    target: int
    steps: Sequence[Step]
    planned: int

    @property
    def to_write(self) -> int:
        """Wordings of the whole path."""
        return sum(step.to_write for step in self.steps)

    @property
    def to_judge(self) -> int:
        """Judgments of the whole path."""
        return sum(step.to_judge for step in self.steps)

    @property
    def cost(self) -> Cost:
        """What the whole path takes."""
        return sum((step.cost for step in self.steps), Cost())


def _in_words(taken: int, on_hand: int, what: str) -> str:
    if taken and taken < on_hand:
        return f"{taken:,} of {on_hand:,} that wait {what}"
    return f"{taken:,} {'waits' if taken == 1 else 'wait'} {what}" if taken else ""
