"""Words found again in a text: the text in pieces, so that a template escapes each one and marks some."""

from __future__ import annotations

from collections.abc import Iterable
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
    return cut(text, (found.span() for found in _term(term, locale).finditer(text)))


def cut(text: str, spans: Iterable[tuple[int, int]]) -> list[Stretch]:
    """`text` with `spans` (in order, without overlaps) marked."""
    stretches: list[Stretch] = []
    at = 0
    for start, end in spans:
        stretches += [Stretch(text[at:start], marked=False), Stretch(text[start:end], marked=True)]
        at = end
    return [stretch for stretch in (*stretches, Stretch(text[at:], marked=False)) if stretch.text]


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
