"""Floors: recall levels that a slice must hold, and when its queries are enough to say whether it did.

Source: docs/adr/0023 and the words "floor" and "decided" of docs/GLOSSARY.md. A floor is decided where the slice is
large and sharp, or where it lies clearly off the floor for its size; what is not decided is for a person to look at.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from curation.measures.refusals import MeasureRefused
from curation.measures.standard_error import mean, queries_for, standard_error
from curation.measures.targets import COUNT_TARGETS

FloorKind = Literal["absolute", "relative"]

ENOUGH = COUNT_TARGETS["gate"]
SHARP = 0.035
"""A slice of `ENOUGH` queries whose standard error is at most this decides, however near the floor it lies."""

FEWEST = 20
CLEAR = 2
"""One of at least `FEWEST` queries decides where its distance exceeds this many standard errors."""

AIM = 0.03
"""The standard error that a slice which cannot decide is asked to reach."""

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Floors:
    """The levels of a gate, each from 0 to 1.

    `absolute` and `relative` hold for the mean recall@k of each slice, `relative` as a share of its own baseline;
    `cell` for the hit@10 of each cell and locale; `headline` is the smoke alarm, which only ever warns.
    """

    absolute: float = 0.88
    relative: float = 0.97
    cell: float = 0.60
    headline: float = 0.80

    def __post_init__(self) -> None:
        """Refuse what is no level.

        Raises:
            MeasureRefused: one of them lies outside 0 to 1.
        """
        for name, level in self.as_json().items():
            if not 0 <= level <= 1:
                raise MeasureRefused(f"A floor lies between 0 and 1; the {name} one of {level:g} does not.")

    def as_json(self) -> dict[str, float]:
        """The levels by name."""
        return {
            "absolute": self.absolute,
            "relative": self.relative,
            "cell": self.cell,
            "headline": self.headline,
        }


@dataclass(frozen=True, slots=True)
class FloorReading:
    """How a slice of `n` queries stands to one floor.

    `level` is what its mean recall had to be; `distance` is how far it lies above it, below 0 where it fell under; `se`
    is the standard error of that distance, None for a single query.
    """

    kind: FloorKind
    level: float
    distance: float
    se: float | None
    n: int

    @property
    def held(self) -> bool:
        """Whether the slice stands on its floor or above it."""
        return self.distance >= -_ROUNDING

    @property
    def decided(self) -> bool:
        """Whether these queries are enough to say so."""
        if self.se is None:
            return False
        if self.n >= ENOUGH and self.se <= SHARP:
            return True
        return self.n >= FEWEST and self.se > 0 and abs(self.distance) > CLEAR * self.se

    @property
    def failed(self) -> bool:
        """Whether it is decided that the slice fell below."""
        return self.decided and not self.held

    @property
    def queries_to_decide(self) -> int:
        """How many queries bring the standard error down to `AIM`: at least 100, by n (SE / 0.03)²."""
        return max(ENOUGH, queries_for(self.se or 0.0, self.n, AIM))


def absolute_floor(recalls: Collection[float], floor: float) -> FloorReading:
    """How the recalls of a slice's queries (at least one) stand to the absolute floor: mean(r) - floor.

    Raises:
        MeasureRefused: there is no query.
    """
    level = mean(recalls)
    if level is None:
        raise MeasureRefused("A slice without queries stands to no floor.")
    return FloorReading("absolute", floor, level - floor, standard_error(recalls), len(recalls))


def relative_floor(recalls: Sequence[float], baseline: Sequence[float], share: float) -> FloorReading:
    """How a slice stands to its share of its own baseline: the mean of r - share x b, query by query.

    The spread is that of the pairs, so what both runs find hard alike does not blur it.

    Raises:
        MeasureRefused: there is no query, or the two are not of the same queries.
    """
    if len(recalls) != len(baseline):
        raise MeasureRefused(f"{len(recalls)} queries have no pairs among {len(baseline)}.")
    own = mean(baseline)
    if own is None:
        raise MeasureRefused("A slice without queries stands to no floor.")
    distances = [found - share * best for found, best in zip(recalls, baseline, strict=True)]
    middle = mean(distances)
    return FloorReading("relative", share * own, middle or 0.0, standard_error(distances), len(recalls))
