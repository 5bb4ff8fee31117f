"""The dial of a report drawn: recall by depth in each slice, of the run and of exact search, on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from .gate_report import Report

WIDTH, HEIGHT = 240, 140
LEFT, RIGHT, TOP, BASE = 34.0, 226.0, 10.0, 116.0


@dataclass(frozen=True, slots=True)
class Point:
    """Recall at a depth, and where it stands in the drawing; `own` is that of exact search."""

    k: int
    recall: float
    own: float
    x: float
    y: float
    own_y: float


@dataclass(frozen=True, slots=True)
class SliceDial:
    """One slice: its points from the shallowest depth to k."""

    slice: str
    points: tuple[Point, ...]

    @property
    def way(self) -> str:
        """The run's line."""
        return " ".join(f"{point.x:g},{point.y:g}" for point in self.points)

    @property
    def own_way(self) -> str:
        """That of exact search."""
        return " ".join(f"{point.x:g},{point.own_y:g}" for point in self.points)

    @property
    def words(self) -> str:
        """What the drawing shows, for those who do not see it."""
        told = (f"at {point.k:,} {point.recall:.3f}, exact search {point.own:.3f}" for point in self.points)
        return f"Recall of {self.slice}: {'; '.join(told)}"


@dataclass(frozen=True, slots=True)
class Dial:
    """The slices that have a score, the worst first, on a scale from `low` to 1; `floor_y` is the absolute floor."""

    slices: tuple[SliceDial, ...]
    low: float
    floor_y: float

    width, height, left, right, base = WIDTH, HEIGHT, LEFT, RIGHT, BASE

    @property
    def depths(self) -> list[int]:
        """The depths, the shallowest first: the same in every slice."""
        return [point.k for point in self.slices[0].points]

    @property
    def grid(self) -> list[tuple[str, float]]:
        """The lines of the scale in words, each with its height."""
        step = 0.1 if self.low >= 0.5 else 0.2
        levels = [1 - step * count for count in range(round((1 - self.low) / step) + 1)]
        return [(f"{level:.2f}", _height(level, self.low)) for level in levels if level >= self.low - 1e-9]


def dial_of(told: Report) -> Dial | None:
    """The dial of a report; None where no slice has a score."""
    rows = [(each.row.slice, each.row.dial) for each in told.slices if each.row.dial]
    if not rows:
        return None
    lowest = min([told.floors.absolute, *(value for _, dial in rows for _, *pair in dial for value in pair)])
    low = max(0.0, floor((lowest - 0.02) * 10) / 10)
    slices = tuple(SliceDial(name, tuple(_points(dial, low))) for name, dial in rows)
    return Dial(slices, low, _height(told.floors.absolute, low))


def _points(dial: list[tuple[int, float, float]], low: float) -> list[Point]:
    apart = (RIGHT - LEFT) / max(1, len(dial) - 1)
    return [
        Point(k, recall, own, round(LEFT + place * apart, 1), _height(recall, low), _height(own, low))
        for place, (k, recall, own) in enumerate(dial)
    ]


def _height(level: float, low: float) -> float:
    return round(BASE - (level - low) / (1 - low) * (BASE - TOP), 1)
