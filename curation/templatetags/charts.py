"""Charts of counts against 30, 100 and 400, drawn on the server."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django import template
from django.utils.dateformat import format as in_words

from curation.measures.targets import COUNT_TARGETS
from curation.reports.growth import Growth

register = template.Library()

TARGETS = sorted(COUNT_TARGETS.values())
LEFT, TOP, FOOT = 28, 8, 16


@dataclass(frozen=True, slots=True)
class Scale:
    """Heights of counts up to `most`, from `base` up: between two targets straight, each twice as far as the last."""

    most: int
    base: int

    @property
    def lines(self) -> list[int]:
        """The targets up to the first that `most` does not pass."""
        return [target for below, target in pairwise([0, *TARGETS]) if below < self.most or below == 0]

    def y(self, count: int) -> float:
        """Where a count stands."""
        levels = [0, *self.lines, *([self.most] if self.most > TARGETS[-1] else [])]
        ways = [0.0, *(2.0**place for place in range(len(levels) - 1))]
        place = next(place for place, level in enumerate(levels) if place and count <= level)
        part = (count - levels[place - 1]) / (levels[place] - levels[place - 1])
        way = ways[place - 1] + part * (ways[place] - ways[place - 1])
        return self.base - (self.base - TOP) * way / ways[-1]


@register.inclusion_tag("curation/_burn_up.html")
def burn_up(growth: Growth, width: int = 190, height: int = 84) -> dict[str, Any]:
    """Counted queries by month on the way to the targets; dotted where the plan leads, one step past the last month."""
    with_plan = growth.with_plan
    scale, right = Scale(max(*growth.counts, with_plan or 0), height - FOOT), width - 8
    steps = len(growth.counts) - (with_plan is None)
    xs = [LEFT + (right - LEFT) * place / steps for place in range(len(growth.counts))]
    dots = [(f"{x:.1f}", f"{scale.y(count):.1f}") for x, count in zip(xs, growth.counts, strict=True)]
    return {
        "growth": growth,
        "frame": {"width": width, "height": height, "left": LEFT, "right": right, "base": scale.base},
        "lines": [(line, f"{scale.y(line):.1f}", f"{scale.y(line) + 4:.1f}") for line in scale.lines],
        "dots": dots,
        "last": dots[-1],
        "plan": (right, f"{scale.y(with_plan):.1f}") if with_plan else None,
        "ends": (in_words(growth.months[0], "M"), in_words(growth.months[-1], "M")),
    }
