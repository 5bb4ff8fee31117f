"""Words found again in a text: the text in pieces, so that a template escapes each one and marks some."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from curation.miners.cldr import alternatives, whole

EXCERPT = 900
"""Characters of a passage shown around its first mark; the whole text is one key away."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text, marked or not."""

    text: str
    marked: bool


def marked(text: str, term: str, *, locale: str) -> list[Stretch]:
    """`text` with every whole `term` marked, in any case and with the endings of its language."""
    stretches: list[Stretch] = []
    end = 0
    for found in _term(term, locale).finditer(text):
        stretches += [Stretch(text[end : found.start()], marked=False), Stretch(found[0], marked=True)]
        end = found.end()
    return [stretch for stretch in (*stretches, Stretch(text[end:], marked=False)) if stretch.text]


def holds(text: str, term: str, *, locale: str) -> bool:
    """Whether `term` stands in `text` as a whole word."""
    return bool(_term(term, locale).search(text))


def excerpt(text: str, term: str, *, locale: str) -> list[Stretch]:
    """The part of `text` around its first `term`, marked, with dots where something is cut off."""
    found = _term(term, locale).search(text)
    start = max(0, found.start() - EXCERPT // 3) if found else 0
    end = start + EXCERPT
    cut = f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"
    return marked(cut, term, locale=locale)


def _term(term: str, locale: str) -> regex.Pattern[str]:
    return regex.compile(whole(alternatives([term]), locale), regex.IGNORECASE)
