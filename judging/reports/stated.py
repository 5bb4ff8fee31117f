"""What the texts of near-duplicates state alike, and what they state otherwise: dates, amounts, places. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from curation.miners.facts import ASKED_FOR
from curation.miners.reading import facts_in
from judging.reports.countries import territories_in
from judging.reports.highlights import Span, links

Stated = tuple[str, int, int]
"""A value that is equal where facts are equal, as "amount EUR 250000", and the characters it is written in."""

READ = 16_000  # characters of a text: twice what the page shows, so that what moved down a little is still found
DATE, PLACE = "date ", "jurisdiction "
SAID_ALIKE = (DATE, "amount ", "percent ", "duration ")
PARTS_OF_DATE = (len(f"{DATE}2024"), len(f"{DATE}2024-07"))
YEAR_ALONE = re.compile(rf"{DATE}\d{{4}}")
SHOWN = 6  # facts that versions share; a line holds no more
LEAD_WORDS, LEAD_REACH = 3, 40  # words before a value that may say what it is, and the characters they stand in
CLAUSE_ENDS = re.compile(r"[.,;:!?()\[\]\n\d]")


@dataclass(frozen=True, slots=True)
class Version:
    """One of several near-duplicates: its text and language, what was read in it, and the territory it declares."""

    text: str
    language: str
    stated: Sequence[Stated]
    territory: str = ""


def stated_in(text: str, language: str) -> list[Stated]:
    """The facts that people ask for, in the first `READ` characters of a text and in their order.

    A bare number counts in figures alone: spelled out, it may be an ending of another language (2024'ten).
    """
    facts = facts_in(text[:READ], language)
    asked = (fact for fact in facts if fact.kind in ASKED_FOR)
    told = (fact for fact in asked if fact.kind != "count" or any(map(str.isdigit, fact.written)))
    return [(f"{fact.kind} {fact.value}", fact.start, fact.end) for fact in told]


def differing(versions: Sequence[Version]) -> list[list[Span]]:
    """Where each version states a value that some other one does not state, in order and without overlaps.

    A date that says less than another one ("July 2024") does not differ from it. A version without a text is silent,
    and makes no difference.
    """
    told = _with_territories(versions)
    values = [{value for value, _, _ in own} for version, own in zip(versions, told, strict=True) if version.text]
    if not values:
        return [[] for _ in versions]
    apart = set().union(*values) - values[0].intersection(*values)
    apart -= _met([value for value in apart if value.startswith(DATE)], values)
    return [[(start, end) for value, start, end in own if value in apart] for own in told]


def _with_territories(versions: Sequence[Version]) -> list[Sequence[Stated]]:
    """What the versions state, with the territories that they declare and call by names of their own."""
    declared = frozenset(version.territory for version in versions if version.territory)
    if len(declared) < 2:
        return [version.stated for version in versions]
    return [_with_places(version, declared) for version in versions]


def _with_places(version: Version, declared: frozenset[str]) -> Sequence[Stated]:
    found = [
        (f"{PLACE}{code}", start, end)
        for code, (start, end) in territories_in(version.text[:READ], version.language, declared)
        if not any(first < end and start < last for _, first, last in version.stated)
    ]
    return sorted([*version.stated, *found], key=lambda each: each[1]) if found else version.stated


def _parts(date: str) -> Iterator[str]:
    """The year and the month of a date, as far as it says more; a day without a year has none."""
    if not date.startswith(f"{DATE}-"):
        yield from (date[:end] for end in PARTS_OF_DATE if date[end:])


def _met(dates: Iterable[str], values: Sequence[set[str]]) -> set[str]:
    """The dates of which every version states that one, a part of it, or one that it is a part of."""
    parts = {date: {date, *_parts(date)} for date in dates}
    reaches = [own.union(*(parts[date] for date in own & parts.keys())) for own in values]
    every = list(zip(values, reaches, strict=True))
    return {date for date in parts if all(date in reach or not parts[date].isdisjoint(own) for own, reach in every)}


def in_common(versions: Sequence[Version]) -> dict[str, str]:
    """The dates, amounts, shares and spans of time that every version states: value → as the first one writes it.

    With the words before it that all of them share, as in "waiting period of 8 hours". A bare year tells too little. No
    more than `SHOWN`, in the order of the first text.
    """
    first, *others = versions
    places = [_places(version) for version in others]
    own = {value: (start, end) for value, start, end in reversed(first.stated)}
    shared = (
        value
        for value, _, _ in first.stated
        if value.startswith(SAID_ALIKE) and not YEAR_ALONE.fullmatch(value) and all(value in each for each in places)
    )
    beside = [(version.text, held) for version, held in zip(others, places, strict=True)]
    return {
        value: _in_words(first, own[value], [(text, held[value]) for text, held in beside])
        for value in islice(dict.fromkeys(shared), SHOWN)
    }


def _places(version: Version) -> dict[str, list[int]]:
    """Where each value begins."""
    places: dict[str, list[int]] = {}
    for value, start, _ in version.stated:
        places.setdefault(value, []).append(start)
    return places


def _in_words(version: Version, span: Span, others: Sequence[tuple[str, list[int]]]) -> str:
    """The value as it is written, behind those words before it that stand in each of the other texts, too."""
    start, end = span
    words = _words_before(version.text, start)
    while words and not all(any(_leads(words, text, at) for at in places) for text, places in others):
        words = words[1:]
    while words and links(words[0].casefold(), version.language):
        words = words[1:]
    return " ".join([*words, *version.text[start:end].split()])


def _words_before(text: str, at: int) -> list[str]:
    """The last words of the clause before a character; none in a script that puts no spaces between words."""
    reach = max(0, at - LEAD_REACH)
    clause = CLAUSE_ENDS.split(text[reach:at])[-1]
    words = clause.split() if clause[-1:].isspace() else []
    is_cut = len(clause) == at - reach and text[reach - 1 : reach].isalpha()
    return words[int(is_cut) :][-LEAD_WORDS:]


def _leads(words: Sequence[str], text: str, at: int) -> bool:
    """Whether these very words stand in a text before a character."""
    lead = " ".join([*words, ""])
    return text.endswith(lead, 0, at) and not text[max(0, at - len(lead) - 1) : at - len(lead)].isalpha()
