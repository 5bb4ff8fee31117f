"""The chart of a day's pace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

register = template.Library()

WIDTH, HEIGHT, LEFT = 250, 60, 34
TOP, BOTTOM = 6, 54


@register.filter
def in_seconds(milliseconds: int) -> str:
    """Milliseconds as "1.1 s", or without tenths from ten seconds on."""
    seconds = milliseconds / 1000
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:,.0f} s"


@register.inclusion_tag("judging/_pace.html")
def pace_chart(seconds: Sequence[int], budget: int) -> dict[str, Any]:
    """One dot a judged query, its active seconds upward, and a dashed line at the budget; the last 40 queries."""
    shown = list(seconds)[-40:]
    highest = max([*shown, 2 * budget])
    step = (WIDTH - LEFT - TOP) / max(1, len(shown) - 1)

    def height(value: float) -> float:
        return round(BOTTOM - value / highest * (BOTTOM - TOP), 1)

    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT - 4,
        "budget": budget,
        "line": height(budget),
        "words": height(budget) + 4,
        "shown": len(shown),
        "over": sum(value > budget for value in shown),
        "dots": [(round(LEFT + place * step, 1), height(value)) for place, value in enumerate(shown)],
    }
