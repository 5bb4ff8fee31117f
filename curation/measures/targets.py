"""Count targets: how many queries a cell needs before its score may be read."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Use = Literal["screen", "gate", "compare"]
Status = Literal["insufficient", "unmeasured", "reported"]

COUNT_TARGETS: Mapping[Use, int] = MappingProxyType({"screen": 30, "gate": 100, "compare": 400})
"""Queries that tell a broken cell (screen), let a change pass (gate), and set two runs side by side (compare)."""


def cell_status(n: int, use: Use, *, measured: bool) -> Status:
    """Return what a cell of `n` counted queries may show for a use.

    "insufficient" is below the target: the count alone. "unmeasured" has the count and no run to score.
    "reported" shows score and interval.
    """
    if n < COUNT_TARGETS[use]:
        return "insufficient"
    return "reported" if measured else "unmeasured"


def level_reached(n: int) -> int:
    """Return how many of the three targets `n` queries reach, 0 to 3: the bars of the count glyph."""
    return sum(n >= target for target in COUNT_TARGETS.values())


def next_target(n: int) -> int | None:
    """Return the lowest target above `n`, None where all are reached."""
    return next((target for target in COUNT_TARGETS.values() if n < target), None)
