"""How agreement is shown: two charts, and what wrong grades would change in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from curation.measures.flips import Flips
from curation.measures.resampling import Estimate
from curation.reports.counts import DIMENSIONS
from curation.reports.headline import LOCALE_FLOOR
from curation.retrieval.locales import language_name
from curation.templatetags.strata import facet_name, two_decimals
from judging.reports.agreement import Agreement, MonthRate
from judging.reports.flips import EVERYWHERE, CellFlips
from judging.reports.missed import Missed

register = template.Library()

WIDTH, HEIGHT, LEFT = 640, 220, 44
TOP, BOTTOM = 10, 196
MONTHS = 24
MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class Dot:
    """One month in the chart; `words` name it, where there is room."""

    x: float
    y: float
    low: float
    high: float
    words: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One tenth of the list in the chart; a thin one has its place alone."""

    tenth: int
    x: float
    middle: float
    width: float
    y: float = 0.0
    height: float = 0.0
    low: float = 0.0
    high: float = 0.0


def height_of(value: float, most: float, least: float = 0.0) -> float:
    """How far down the chart a value of a scale from `least` to `most` stands."""
    return round(BOTTOM - (value - least) / (most - least) * (BOTTOM - TOP), 1)


@register.filter
def has_kappas(report: Agreement) -> bool:
    """Whether any month has a figure to draw."""
    return bool(_drawn(report))


@register.inclusion_tag("judging/_agreement_month_chart.html")
def month_chart(report: Agreement) -> dict[str, Any]:
    """Kappa and its interval, month by month, of the last two years; the scale ends at 1 and begins at 0 or below."""
    drawn = _drawn(report)
    least = min(0.0, *(-0.5 * ceil(-2 * ci[0]) for _, _, ci in drawn))
    step, every = (WIDTH - LEFT) / len(drawn), ceil(len(drawn) / MOST_WORDS)
    dots = [
        Dot(
            x=round(LEFT + step * (place + 0.5), 1),
            y=height_of(value, 1.0, least),
            low=height_of(ci[0], 1.0, least),
            high=height_of(ci[1], 1.0, least),
            words=month.month if place % every == 0 else "",
        )
        for place, (month, value, ci) in enumerate(drawn)
    ]
    values = [least + 0.25 * number for number in range(round((1 - least) / 0.25) + 1)]
    return _frame(ticks=[(two_decimals(value), height_of(value, 1.0, least)) for value in values], dots=dots)


def _drawn(report: Agreement) -> list[tuple[MonthRate, float, tuple[float, float]]]:
    months = [(each, each.rate.kappa or Estimate(None, None)) for each in report.months]
    return [(each, found.value, found.ci) for each, found in months if found.value is not None and found.ci][-MONTHS:]


@register.filter
def any_relevant(parts: Sequence[Missed]) -> bool:
    """Whether there is anything to count."""
    return any(part.relevant for part in parts)


@register.filter
def has_shares(parts: Sequence[Missed]) -> bool:
    """Whether any tenth holds enough relevant answers for a share."""
    return any(part.share is not None for part in parts)


@register.inclusion_tag("judging/_agreement_missed_chart.html")
def missed_chart(parts: Sequence[Missed]) -> dict[str, Any]:
    """A bar a tenth of the list, from its top, with its interval; the scale ends above the highest interval."""
    most = max(0.1, *(ceil(10 * part.ci[1]) / 10 for part in parts if part.ci))
    step = (WIDTH - LEFT) / len(parts)
    bars = [_bar(part, LEFT + step * place, step=step, most=most) for place, part in enumerate(parts)]
    ticks = [(f"{100 * share:.0f} %", height_of(share, most)) for share in (0.0, most / 2, most)]
    return _frame(ticks=ticks, bars=bars)


def _bar(part: Missed, x: float, *, step: float, most: float) -> Bar:
    place = (part.tenth, round(x + step * 0.2, 1), round(x + step / 2, 1), round(step * 0.6, 1))
    if part.share is None or part.ci is None:
        return Bar(*place)
    y = height_of(part.share, most)
    low, high = (height_of(bound, most) for bound in part.ci)
    return Bar(*place, y=y, height=round(max(BOTTOM - y, 0.5), 1), low=low, high=high)


def _frame(**drawn: object) -> dict[str, Any]:
    return {"width": WIDTH, "height": HEIGHT, "left": LEFT, **drawn}


DIMENSION_NAMES = {
    "query_language": ("Query language", "query languages"),
    "corpus_language": ("Document language", "document languages"),
    "script": ("Script", "scripts"),
    "query_type": ("Type", "types"),
    "slice": ("Slice", "slices"),
}


@register.filter
def dimension_name(dimension: str, number: str = "one") -> str:
    """A dimension in words; "many" of it, where all of them are meant."""
    return DIMENSION_NAMES[dimension][number == "many"]


@register.simple_tag
def value_name(dimension: str, value: str) -> str:
    """One value of a dimension in words."""
    return language_name(value) if dimension in DIMENSIONS[:2] else facet_name(dimension, value)


@register.filter
def under(values: Mapping[str, str], name: str) -> str:
    """What stands under a name, nothing where the name is not there."""
    return values.get(name, "")


@register.filter
def left_out(cells: Sequence[object], listed: int) -> SafeString:
    """How many cells the page does not list, and where they are."""
    if len(cells) <= listed:
        return SafeString()
    told = '<p class="small muted">The first {} of {} cells are listed. The filter finds the others.</p>'
    return format_html(told, f"{listed:,}", f"{len(cells):,}")


@register.filter
def measured(cells: Sequence[CellFlips]) -> list[CellFlips]:
    """The cells that have a score."""
    return [cell for cell in cells if cell.across]


@register.filter
def count_only(cells: Sequence[CellFlips]) -> list[CellFlips]:
    """The cells below the target of queries, or of a corpus where nothing is measured."""
    return [cell for cell in cells if not cell.across]


@register.filter
def flips_in_words(cell: CellFlips) -> str:
    """What it takes: "3 flipped grades would lift it over 0.60; 9 would make another cell the worst"."""
    if cell.across is None:
        return ""
    way = "lift it over" if cell.across.lifts else "push it under"
    words = f"{_count(cell.across)} would {way} {LOCALE_FLOOR:.2f}"
    if cell.past is None:
        return words
    return f"{words}; {cell.past.count:,} would make {'another cell' if cell.is_worst else 'it'} the worst"


def _count(flips: Flips) -> str:
    return f"{flips.count:,} flipped grade{'' if flips.count == 1 else 's'}"


@register.filter
def expected_in_words(cell: CellFlips) -> str:
    """What is to be expected: "at 9.0 % disagreement in Turkish about 5 of 118 are wrong"."""
    if cell.expected is None or cell.disagreement is None:
        return "fewer than 100 pairs with a relevant grade to tell from"
    where = cell.read_in if cell.read_in == EVERYWHERE else language_name(cell.read_in)
    return (
        f"at {100 * cell.disagreement:.1f} % disagreement in {where} about {cell.expected:.0f} of {cell.n:,} are wrong"
    )
