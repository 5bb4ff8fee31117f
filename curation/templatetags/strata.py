"""Strata in words, and figures as the house writes them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlencode

from django import template
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from curation.measures.cost import in_hours
from curation.measures.targets import next_target
from curation.models import Corpus, QueryType, Slice, Stratum
from curation.reports.cells import Cell
from curation.reports.counts import DIMENSIONS
from curation.reports.headline import LOCALE_FLOOR
from curation.retrieval.letters import own_letters as letters_of
from curation.retrieval.locales import direction as direction_of
from curation.retrieval.locales import language_name, language_of
from curation.retrieval.scripts import script_name as name_of_script

register = template.Library()

MINUS = "\N{MINUS SIGN}"
COMPOSED = frozenset({"ja", "ko", "yue", "zh"})


@register.filter
def cell_name(dimensions: Mapping[str, str]) -> str:
    """A cell in words: "Turkish × English, Latin without diacritics, question"."""
    locale = dimensions.get("query_language", "")
    pair = [language_name(dimensions[name]) for name in ("query_language", "corpus_language") if name in dimensions]
    rest = []
    if "script" in dimensions:
        rest.append(name_of_script(dimensions["script"], locale))
    if "query_type" in dimensions:
        rest.append(QueryType(dimensions["query_type"]).label.lower())
    if "slice" in dimensions:
        rest.append(dimensions["slice"])
    return ", ".join([" × ".join(pair), *rest] if pair else rest)


@register.filter
def stratum_name(stratum: Stratum) -> str:
    """A stratum in words, all five dimensions."""
    return cell_name({name: getattr(stratum, name) for name in DIMENSIONS})


@register.filter
def toward_goal(have: int) -> str:
    """How far a stratum is: "30 of 100", and past the last target the count alone."""
    goal = next_target(have)
    return f"{have} of {goal}" if goal else f"{have:,}"


@register.filter
def script_in(script: str, locale: str) -> str:
    """A script class in words, beside its locale."""
    return name_of_script(script, locale)


@register.filter
def type_name(query_type: str) -> str:
    """A query type in words."""
    return str(QueryType(query_type).label)


@register.filter
def own_letters(locale: str) -> list[str]:
    """The letters of a locale beyond a to z, each beside its plain one; a capital only without a small one."""
    letters = letters_of(language_of(locale))
    small = (letter for letter in letters if letter.lower() == letter or letter.lower() not in letters)
    return sorted(small, key=lambda letter: unicodedata.normalize("NFD", letter).casefold())


@register.filter
def composes(locale: str) -> bool:
    """Whether people type a locale through an input method that takes the first Enter."""
    return language_of(locale) in COMPOSED


@register.filter
def direction(locale: str) -> str:
    """The writing direction of a locale, for the `dir` attribute."""
    return direction_of(locale)


@register.simple_tag
def facet_name(facet: str, value: str, locale: str = "") -> str:
    """One value of a facet in words."""
    if facet == "script":
        return name_of_script(value, locale or "en")
    return str(QueryType(value).label) if facet == "query_type" else str(Slice(value).value)


@register.filter
def share(fraction: float | None) -> str:
    """A share as "2.0 %", or nothing where it is not known."""
    return "" if fraction is None else f"{100 * fraction:.1f} %"


@register.filter
def figure(score: float | None) -> str:
    """A rate, or a kappa, with two decimals."""
    return "" if score is None else two_decimals(score)


@register.simple_tag
def at_least(bound: bool) -> SafeString:  # noqa: FBT001  (templates give arguments by place)
    """What stands before a figure that is a lower bound: a sign to see, words to hear."""
    told = '<span aria-hidden="true">{}</span><span class="sr">at least </span>'
    return format_html(told, "≥\N{NO-BREAK SPACE}") if bound else SafeString()


@register.filter
def mean(value: float | None) -> str:
    """A mean a query, with one decimal."""
    return "" if value is None else f"{value:.1f}"


@register.filter
def interval(ci: tuple[float, float] | None) -> str:
    """An interval with an en dash, "0.05–0.16"; a bound below 0 has a minus sign, "−0.05 to 0.16", and 0 has none."""
    if ci is None:
        return ""
    low, high = map(two_decimals, ci)
    return f"{low} to {high}" if low.startswith(MINUS) else f"{low}–{high}"


def two_decimals(value: float) -> str:
    """A number with two decimals; below 0 with a minus sign, and 0 never has one: "−0.05"."""
    return f"{value:z.2f}".replace("-", MINUS)


@register.filter
def points(movement: float | None) -> str:
    """A movement of a mean in points, with one decimal: 0.014 is "1.4"."""
    return "" if movement is None else f"{100 * movement:.1f}"


@register.filter
def bar(movement: float) -> str:
    """How long a movement's bar is, in pixels: 2 a point."""
    return f"{200 * movement:.0f}"


@register.filter
def below_locale_floor(score: float | None) -> bool:
    """Whether a score lies under the floor of the worst locale (0.60)."""
    return score is not None and score < LOCALE_FLOOR


@register.filter
def thousandths(width: float) -> str:
    """The width of an interval, with three decimals."""
    return f"{width:.3f}"


@register.filter
def part_name(dimensions: Mapping[str, str], cell: Cell) -> str:
    """A part of a cell in words, beside the cell's language."""
    script = name_of_script(dimensions["script"], cell.dimensions["query_language"])
    return f"{script}, {QueryType(dimensions['query_type']).label.lower()}"


@register.filter
def hours(seconds: float) -> str:
    """Person-hours as h:mm."""
    return in_hours(seconds)


@register.filter
def times(factor: float | None) -> str:
    """How many times, as "6.0×"; nothing where it is not known."""
    return "" if factor is None else f"{factor:.1f}×"


@register.simple_tag
def queries_in(corpus: Corpus, status: str, *places: Mapping[str, str], **more: str) -> str:
    """The address of the list behind a count: the queries at `places` that are in one of the list's states."""
    asked = {name: value for place in (*places, more) for name, value in place.items()}
    return f"{_list_of(corpus.slug)}?{urlencode({**asked, 'status': status})}"


@register.simple_tag
def assigned_in(corpus: Corpus, dimensions: Mapping[str, str]) -> str:
    """The address of what people are asked to write in a cell, on the plan."""
    return f"{reverse('plan', args=[corpus.slug])}?{urlencode(dimensions)}#assigned"


@lru_cache(64)
def _list_of(slug: str) -> str:
    """The list's address; a board names it twice a cell."""
    return reverse("queries", args=[slug])


@register.simple_tag
def asking(asked: QueryDict, **changes: str) -> str:
    """The page's address with some of its questions changed; an empty value leaves one out."""
    questions = {name: str(value) for name, value in asked.items()} | changes
    return "?" + urlencode({name: value for name, value in questions.items() if value})
