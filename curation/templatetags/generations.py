"""How generations are shown: the chart of two baselines, moments and movements in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import floor
from typing import Any

from django import template
from django.utils import timezone
from django.utils.dateformat import format as in_words

from curation.models import MiningRun
from curation.reports.comparison import Comparison, Hardness
from curation.reports.run_words import run_in_words

register = template.Library()

LEFT, RIGHT, ROW = 150.0, 600.0, 32  # where 0 and 1 of the scale stand, and the height of a row, in the chart's units
STEPS = (0.05, 0.1, 0.2)
MOST_TICKS = 5


@dataclass(frozen=True, slots=True)
class Dots:
    """One slice in the chart: the height of its line, and where its scores stand (None: no score)."""

    slice: str
    y: int
    older: str | None
    newer: str | None


@register.inclusion_tag("curation/_generation_chart.html")
def baseline_chart(comparison: Comparison) -> dict[str, Any]:
    """A line a slice from the older baseline to the newer one, on a scale that ends at 1."""
    cells = [cell for each in comparison.slices for cell in (each.older, each.newer)]
    low, step = scale_of([cell.score for cell in cells if cell.score is not None])
    rows = [
        Dots(each.slice, 24 + ROW * place, at(each.older.score, low), at(each.newer.score, low))
        for place, each in enumerate(comparison.slices)
    ]
    values = [low + step * number for number in range(round((1 - low) / step) + 1)]
    height = ROW * len(rows) + 16
    return {
        "comparison": comparison,
        "rows": rows,
        "ticks": [(f"{value:.2f}", at(value, low)) for value in values],
        "height": height,
        "whole": height + 26,
    }


def scale_of(scores: list[float]) -> tuple[float, float]:
    """Where the scale begins and the step of its ticks, so that every score fits and few ticks are drawn."""
    lowest = min(scores, default=0.0)
    for step in STEPS:
        low = max(0.0, floor(lowest / step + 1e-9) * step - step)
        if (1 - low) / step <= MOST_TICKS:
            return low, step
    return 0.0, STEPS[-1]


def at(score: float | None, low: float) -> str | None:
    """Where a score stands across the chart."""
    return None if score is None else f"{LEFT + (score - low) / (1 - low) * (RIGHT - LEFT):.1f}"


@register.filter
def moment(when: datetime) -> str:
    """A time as people say it: "Today 08:51", "6 Apr 08:51", with its year where that is not this one."""
    local, now = timezone.localtime(when), timezone.localtime()
    if local.date() == now.date():
        return in_words(local, r"\T\o\d\a\y H:i")
    return in_words(local, "j M H:i" if local.year == now.year else "j M Y, H:i")


@register.filter
def thousands(count: int | None) -> str | None:
    """A count with commas; None stays None."""
    return f"{count:,}" if isinstance(count, int) else None


@register.filter
def signed(value: float) -> str:
    """A movement with its sign and three decimals: "−0.018"."""
    return f"{value:+.3f}".replace("-", "−")


@register.filter
def three(value: float | None) -> str:
    """A recall or a share with three decimals, or nothing."""
    return "" if value is None else f"{value:.3f}".replace("-", "−")


@register.filter
def standing(each: Hardness) -> int:
    """How many of the older negatives, asked again, are negatives yet."""
    return each.decay["negatives"] - each.decay["relevant"] if each.decay else 0


@register.filter
def found_in(run: MiningRun) -> str:
    """What a finished run found, in words."""
    return run_in_words(run)
