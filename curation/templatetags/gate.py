"""What the gate's pages show: figures, verdicts, and the words that the command line prints too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from curation.measures.floors import FloorReading
from curation.models import GateCell, GateReport
from curation.reports import gate_exports, gate_words
from curation.reports.gate_dial import Dial
from curation.reports.gate_dial import dial_of as drawn
from curation.reports.gate_floors import change_in_words, level_in_words, lowered
from curation.reports.gate_report import Report, SliceRow, dimensions_of
from curation.reports.waivers import subject_of_cell, subject_of_slice

from .look import icon

register = template.Library()

# Verdict → the kind of its tag, its icon, its word.
LOOKS = {
    "pass": ("pass", "check", "Pass"),
    "warn": ("warn", "warn", "Warning"),
    "reject": ("stop", "stop", "Reject"),
    "waived": ("warn", "flag", "Waived"),
    "thin": ("", "info", "No evidence"),
}

for words in (
    gate_words.arithmetic,
    gate_words.baseline_in_words,
    gate_words.cell_in_words,
    gate_words.detail,
    gate_words.exact_only_in_words,
    gate_words.headline_in_words,
    gate_words.pooled_in_words,
    gate_words.reason,
    gate_words.run_dated_in_words,
    gate_words.unjudged_in_words,
    gate_words.waived_in_words,
    gate_words.waived_until,
    gate_exports.listed,
    gate_exports.share_in_words,
    gate_exports.signed,
    gate_exports.three,
    change_in_words,
    level_in_words,
    lowered,
):
    register.filter(words.__name__, words)


register.simple_tag(gate_words.rule, name="rule")


@register.simple_tag
def verdict(name: str) -> SafeString:
    """A verdict as a tag: icon and word."""
    kind, drawing, word = LOOKS[name]
    return format_html('<span class="tag {}">{} {}</span>', kind, icon(drawing, "s"), word)


@register.simple_tag
def verdict_look(report: GateReport) -> dict[str, str]:
    """How the head of a report looks: its kind and its icon."""
    kind, drawing, _ = LOOKS[report.verdict]
    return {"kind": kind, "icon": drawing}


@register.simple_tag
def floor(reading: FloorReading | None) -> SafeString | str:
    """A floor of a slice: its level, and whether the slice held it."""
    if reading is None:
        return "–"
    held, word = ("check", "held") if reading.held else ("x", "fell below")
    style = "muted" if reading.held else "strong"
    unsure = () if reading.decided else (("?", ", not decided"),)
    mark = format_html_join("", ' <b aria-hidden="true">{}</b><span class="sr">{}</span>', unsure)
    shown = '<span class="{}">{} <span class="sr">{}</span> {}{}</span>'
    return format_html(shown, style, icon(held, "s"), word, f"{reading.level:.3f}", mark)


@register.simple_tag(takes_context=True)
def query_link(context: template.Context, name: str) -> SafeString:
    """The id of a query, leading to its page where the set still has it (`named` of the page tells)."""
    query = context["named"].get(name)
    if query is None:
        return format_html("<bdi>{}</bdi>", name)
    address = reverse("query", args=[context["request"].corpus.slug, query.pk])
    return format_html('<a href="{}"><bdi>{}</bdi></a>', address, name)


@register.simple_tag(takes_context=True)
def query_links(context: template.Context, names: Sequence[str]) -> SafeString:
    """The first of many queries, each leading to its page, and how many more there are."""
    first = names[: gate_exports.LISTED]
    links = format_html_join(", ", "{}", ((query_link(context, name),) for name in first))
    return format_html("{}{}", links, gate_exports.beyond(names))


@register.simple_tag
def dial_of(told: Report) -> Dial | None:
    """The dial as a drawing."""
    return drawn(told)


@register.filter
def subject(cell: GateCell) -> str:
    """What a waiver of the cell names."""
    return subject_of_cell(dimensions_of(cell))


@register.simple_tag
def waiver(told: Report, rejected: SliceRow | GateCell) -> dict[str, Any] | None:
    """The waiver that stood for a rejected slice or cell when the gate ran."""
    named = subject_of_slice(rejected.row.slice) if isinstance(rejected, SliceRow) else subject(rejected)
    return told.waiver_of(named)


@register.filter
def below(told: Report) -> dict[str, Any]:
    """The locales that have a score, and how many of them lie below their floor."""
    locales = told.locales
    return {"of": len(locales), "failed": [cell for cell in locales if cell.verdict == "reject"]}
