"""How the traffic mix is shown: its classes in words, and the chart of shares in traffic and set."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

from django import template
from django.urls import reverse
from django.utils.http import urlencode

from curation.models import Corpus, QueryType, Slice
from curation.reports.log_lines import MixStratum
from curation.reports.log_mix import LocaleMix, Share
from curation.retrieval.locales import language_name
from curation.retrieval.scripts import script_name

register = template.Library()

LEFT, RIGHT, ROW = 340.0, 1060.0, 30  # where 0 and the end of the scale stand, and the height of a row
MOST_ROWS = 10
NAMES = {"query_type": "Type", "script": "Script", "length": "Words", "language": "Guessed language"}


@dataclass(frozen=True, slots=True)
class Pair:
    """One stratum in the chart: the height of its line, and where its two shares stand (None: no share)."""

    words: str
    y: int
    traffic: str
    in_set: str | None


@register.filter
def mix_dimension(name: str) -> str:
    """A dimension of the mix in words."""
    return NAMES[name]


@register.simple_tag
def mix_class(dimension: str, name: str, locale: str) -> str:
    """One class of a dimension in words."""
    match dimension:
        case "query_type":
            return str(QueryType(name).label)
        case "script":
            return script_name(name, locale)
        case "language":
            return language_name(name) if name else "not known"
    return name.replace("-", " to ").replace("+", " and more")


@register.simple_tag
def mix_stratum(stratum: MixStratum, locale: str) -> str:
    """A stratum in words: "Latin without diacritics, question, six words or more"."""
    length = "under six words" if stratum.is_short else "six words or more"
    return ", ".join((script_name(stratum.script, locale), QueryType(stratum.query_type).label.lower(), length))


@register.simple_tag
def plan_for(corpus: Corpus, locale: str, stratum: MixStratum) -> str:
    """The address of the plan with its form filled in for a stratum of the log."""
    place = {
        "query_language": locale,
        "script": stratum.script,
        "query_type": stratum.query_type,
        "slice": Slice.KEYWORD.value if stratum.is_short else Slice.DISTINCTIVE.value,
    }
    return f"{reverse('plan', args=[corpus.slug])}?{urlencode(place)}#add"


@register.filter
def why_behind(share: Share) -> str:
    """What the rule finds wrong with a stratum: "under half of its share, under 30 queries"."""
    reasons = (("under half of its share", share.is_rare), ("under 30 queries", share.is_thin))
    return ", ".join(words for words, is_so in reasons if is_so)


@register.filter
def difference(share: Share) -> str:
    """The set's share less that of the traffic, in points: "+12.0", "−6.5"; nothing where it is not known."""
    if share.difference is None:
        return ""
    return f"{100 * share.difference:+z.1f}".replace("-", "\N{MINUS SIGN}").replace("+0.0", "0.0")


@register.filter
def bounds(ci: tuple[float, float]) -> str:
    """An interval of a share: "0.0 to 8.8 %"."""
    return f"{100 * ci[0]:.1f} to {100 * ci[1]:.1f} %"


@register.inclusion_tag("curation/_log_mix_chart.html")
def mix_chart(mix: LocaleMix) -> dict[str, Any]:
    """A line a stratum from its share in the set to that in the traffic, the most asked first."""
    shown = [each for each in mix.strata.items() if each[1].traffic is not None][:MOST_ROWS]
    most = max((max(share.traffic or 0.0, share.in_set or 0.0) for _, share in shown), default=0.0)
    end = max(0.1, ceil(10 * most) / 10)
    pairs = [
        Pair(
            words=mix_stratum(stratum, mix.locale),
            y=20 + ROW * place,
            traffic=_at(share.traffic or 0.0, end),
            in_set=None if share.in_set is None else _at(share.in_set, end),
        )
        for place, (stratum, share) in enumerate(shown)
    ]
    height = ROW * len(pairs) + 12
    ticks = [(f"{100 * part * end:.0f} %", _at(part * end, end)) for part in (0.0, 0.5, 1.0)]
    return {"mix": mix, "pairs": pairs, "ticks": ticks, "height": height, "whole": height + 26}


def _at(share: float, end: float) -> str:
    return f"{LEFT + (RIGHT - LEFT) * share / end:.1f}"
