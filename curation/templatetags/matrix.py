"""A cell of the board's matrix: what is said of it, its scores, its interval. A board has seventy of them."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from curation.measures.hit import CellScore
from curation.reports.cells import Cell
from curation.reports.coverage import Coverage
from curation.templatetags.look import language
from curation.templatetags.strata import at_least, below_locale_floor, figure, interval

register = template.Library()

WHISKER = (
    '<svg class="ci" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
    '<line x1="{:.1f}" x2="{:.1f}" y1="2" y2="2"/><line class="at" x1="{:.1f}" x2="{:.1f}" y1="2" y2="2"/></svg>'
)


@register.simple_tag
def spoken(cell: Cell, coverage: Coverage) -> str:
    """A cell in words for who hears the page: its pair, its counts, its scores or that there is none."""
    query_language, corpus_language = (
        language(cell.dimensions[name]) for name in ("query_language", "corpus_language")
    )
    told = [f"{query_language} queries, {corpus_language} documents: {cell.n:,} counted"]
    if cell.ready:
        told.append(f", {cell.ready:,} to judge")
    if cell.score is None:
        return "".join([*told, ", count only"])
    least, bound = ("at least ", ", a lower bound") if cell.is_lower_bound else ("", "")
    told.append(f", {coverage.measure} {least}{figure(cell.score)}, interval {interval(cell.ci)}{bound}")
    if cell.beside and cell.beside.score is not None:
        told.append(f"; {coverage.beside} {figure(cell.beside.score)}, interval {interval(cell.beside.ci)}")
    return "".join(told)


@register.simple_tag
def scores(cell: Cell) -> SafeString:
    """The score of a reported cell, that of a second run under it, and a line with its interval."""
    if cell.score is None:
        return SafeString()
    shown: list[Cell | CellScore] = [cell, *([cell.beside] if cell.beside and cell.beside.score is not None else [])]
    spans = ((" low" if below_locale_floor(each.score) else "", bound(each), figure(each.score)) for each in shown)
    return format_html_join("", '<span class="sc{}">{}{}</span>', spans) + whisker(cell)


def bound(scored: Cell | CellScore) -> SafeString:
    """The sign of a lower bound, where it is one."""
    return at_least(isinstance(scored, Cell) and scored.is_lower_bound)


def whisker(cell: Cell) -> SafeString:
    """Where a reported cell's interval stands on a line of 100 from 0 to 1, and its score as a thick dash of four."""
    low, high, score = (100 * value for value in (*(cell.ci or (0, 1)), cell.score or 0))
    dash = min(max(score - 2, 0), 96)
    return SafeString(WHISKER.format(low, high, dash, dash + 4))
