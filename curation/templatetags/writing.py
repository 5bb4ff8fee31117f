"""The writer's desk in words: how a text is spelt, and a document with the words underlined that were taken over."""

from __future__ import annotations

from datetime import date

from django import template
from django.utils.dateformat import format as date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from curation.models import DocumentText
from curation.reports.marks import Stretch, cut
from curation.reports.taken import Source, Wording
from curation.retrieval.letters import own_letters
from curation.retrieval.locales import language_name, language_of
from curation.retrieval.scripts import script_name, writing_of

from .look import icon

register = template.Library()

KINDS = {"ok": ("ok", "ok"), "info": ("inf", "info"), "warn": ("wn", "warn"), "stop": ("bad", "stop")}
UNTOLD = ("non", "ring")
TALL = "Taken from the document"
"""The check whose name takes two lines."""


@register.simple_block_tag
def check(content: str, name: str, kind: str = "") -> SafeString:
    """One line of the live checks; without a kind it waits for a text."""
    sort, drawing = KINDS.get(kind, UNTOLD)
    return format_html(
        '<div class="chk {}{}" role="listitem">{}<span class="k">{}</span><span class="v">{}</span></div>',
        sort,
        " tall" if name == TALL else "",
        icon(drawing),
        name,
        content,
    )


@register.simple_tag
def underlined(text: DocumentText, language: str, wording: Wording | None) -> list[Stretch]:
    """The text of a document in pieces, those marked that a wording took from it."""
    spans = wording.spans_in(Source(text.text, language)) if wording else []
    return cut(text.text, spans)


@register.filter
def fact_date(written: str) -> str:
    """A date of a document's fields as "1 May 2024"; as it is written where it is no ISO date."""
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return written
    return f"{day.day} {date_format(day, 'M Y')}"


@register.filter
def spelling(script: str, locale: str) -> str:
    """A script class as the check says it: "Latin, with Turkish diacritics"."""
    if script == "Latn" and own_letters(language_of(locale)):
        return f"Latin, with {language_name(locale)} diacritics"
    return script_name(script, locale)


register.filter("written_in", writing_of)


@register.filter
def bare_because(script: str, locale: str) -> str:
    """Why a text counts as spelt otherwise than its language usually is; "" where it does not."""
    if script == "Latn-plain":
        return f"holds no {language_name(locale)} letters"
    if script in {"Latn-romanised", "Jpan-romaji"}:
        return f"no {language_name(locale)} script in it"
    return ""
