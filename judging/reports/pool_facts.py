"""The facts declared beside a document, as three columns: when it takes effect, up to what limit, and where. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from django.utils.dateformat import format as in_format
from django.utils.safestring import SafeString

from judging.reports.highlights import Highlighter, Span, marked

COLUMNS = ("effective_date", "limit_amount", "jurisdiction")
TITLES = {"effective_date": "Effective", "limit_amount": "Limit", "jurisdiction": "Territory"}
NAMED = 8  # each row of a group of thousands would name thousands of values
PLURALS = {"effective_date": "dates", "limit_amount": "amounts", "jurisdiction": "places"}


@dataclass(frozen=True, slots=True)
class FactCell:
    """One fact of a row: its words, the same as shown (escaped, with the query's own facts marked), and how it differs.

    `others` are values of the other members of a near-duplicate group, where they differ: the first `NAMED`, and how
    many `more` there are.
    """

    name: str
    words: str
    shown: SafeString
    others: tuple[str, ...] = ()
    more: int = 0

    @property
    def title(self) -> str:
        """The column it stands in."""
        return TITLES[self.name]


def fact_cells(facts: Mapping[str, object], found: Iterable[Sequence[Span]]) -> tuple[FactCell, ...]:
    """The three cells of a document, with what `fact_spans` found in each."""
    shown = zip(COLUMNS, found, strict=True)
    return tuple(_cell(name, in_words(name, str(facts.get(name) or "")), spans) for name, spans in shown)


def _cell(name: str, words: str, spans: Sequence[Span]) -> FactCell:
    return FactCell(name, words, marked(words, spans))


def fact_spans(facts: Mapping[str, object], highlighter: Highlighter) -> list[list[Span]]:
    """What to mark in the words of each of the three cells: all of them where the query names that very fact."""
    return [_spans(name, str(facts.get(name) or ""), highlighter) for name in COLUMNS]


def _spans(name: str, value: str, highlighter: Highlighter) -> list[Span]:
    words = in_words(name, value)
    kind = "date" if name == "effective_date" else "amount"
    named = highlighter.has_country(value) if name == "jurisdiction" else highlighter.has_fact(kind, value)
    if value and named:
        return [(0, len(words))]
    return highlighter.spans(words, "en")


@lru_cache(maxsize=4096)
def in_words(name: str, value: str) -> str:
    """A date as "1 Jul 2024", an amount with its thousands set apart; everything else as it was declared."""
    if name == "limit_amount":
        return re.sub(r"(?<![\d.,])\d{4,}(?![\d.,]*\d)", lambda number: f"{int(number[0]):,}", value)
    if name != "effective_date":
        return value
    try:
        return in_format(date.fromisoformat(value), "j M Y")
    except ValueError:
        return value


def set_apart(rows: Sequence[tuple[FactCell, ...]]) -> list[tuple[FactCell, ...]]:
    """The cells of near-duplicates, each with what the other rows say where they do not all say the same."""
    columns = []
    for cells in zip(*rows, strict=True):
        values = list(dict.fromkeys(cell.words for cell in cells if cell.words))
        columns.append([_beside(values, cell) for cell in cells] if len(values) > 1 else cells)
    return list(zip(*columns, strict=True))


def _beside(values: Sequence[str], cell: FactCell) -> FactCell:
    """The cell with what the others say; `values` holds each value once, its own among them where it has one."""
    others = tuple(value for value in values[: NAMED + 1] if value != cell.words)[:NAMED]
    return replace(cell, others=others, more=len(values) - bool(cell.words) - len(others))


def summary(rows: Sequence[tuple[FactCell, ...]]) -> tuple[str, ...]:
    """What the columns of a group say: "3 dates" where members differ, "same", or nothing where none is declared."""
    found = []
    for cells in zip(*rows, strict=True):
        values = {cell.words for cell in cells if cell.words}
        differ = f"{len(values)} {PLURALS[cells[0].name]}"
        found.append(differ if len(values) > 1 else "same" if values else "")
    return tuple(found)


def declared_alike(rows: Sequence[tuple[FactCell, ...]]) -> list[FactCell]:
    """The facts of the first row that every row declares, and declares alike."""
    columns = zip(*rows, strict=True)
    return [cells[0] for cells in columns if cells[0].words and len({cell.words for cell in cells}) == 1]
