"""How far a share has moved from one list of queries to another."""

from dataclasses import dataclass
from math import hypot
from typing import Literal

from curation.measures.refusals import MeasureRefused
from curation.measures.wilson import wilson

CI_KIND = "newcombe"


@dataclass(frozen=True)
class Shift:
    """Newer share minus older share, with its 95 % interval."""

    value: float
    ci: tuple[float, float]

    @property
    def verdict(self) -> Literal["lower", "higher", "undecided"]:
        """Which way it went; undecided while the interval holds 0."""
        low, high = self.ci
        if low <= 0 <= high:
            return "undecided"
        return "lower" if high < 0 else "higher"


def shift(older: tuple[int, int], newer: tuple[int, int]) -> Shift:
    """Return the shift between two (hits, n), taken for independent: queries in both lists make it surer than it says.

    Source: R. G. Newcombe, "Interval estimation for the difference between independent proportions", 1998, method 10.

    Raises:
        MeasureRefused: hits is below 0 or above n, or n is 0.
    """
    if not (older[1] and newer[1]):
        raise MeasureRefused("A list without queries has no share to compare.")
    (low_old, high_old), (low_new, high_new) = wilson(*older), wilson(*newer)
    p_old, p_new = (hits / n for hits, n in (older, newer))
    down, up = hypot(p_new - low_new, high_old - p_old), hypot(high_new - p_new, p_old - low_old)
    return Shift(p_new - p_old, (p_new - p_old - down, p_new - p_old + up))
