"""Figures as people write them: digits of any script, the locale's separators, words that multiply or spell."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

import regex

from curation.miners import cldr

_GAPS = "\u00a0\u202f\u2009"
_MARK = regex.compile(r"[.,]")
_BETWEEN_DIGITS = regex.compile(rf"[{_GAPS} '’٬]")
_SPELLED_PART = regex.compile(r"[a-z]+")
_HAN = regex.compile(r"\p{Han}")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_SPELLED = {word: number for number, word in enumerate(_ONES, 1)} | {
    word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)
}


@dataclass(frozen=True)
class Figure:
    """A number found in a text, with its place; `spelled` when it was written in words."""

    value: Decimal
    start: int
    end: int
    spelled: bool = False
    myriad: bool = False


def plain(value: Decimal) -> str:
    """A number without exponent or trailing zeros: 15000000, 1.5."""
    return format(value.normalize(), "f")


def figure_pattern(tag: str) -> str:
    """A pattern for one figure of the locale, thousands marks and decimals included."""
    gaps = _GAPS + (" " if not cldr.separators(tag)[1].strip() else "")
    return rf"\p{{Nd}}+(?:[.,'’٬٫]\p{{Nd}}+|[{gaps}]\p{{Nd}}{{3}}(?!\p{{Nd}}))*"


def parse_figure(written: str, tag: str) -> Decimal | None:
    """The number a figure stands for, or None where it is none (1.2.3, a paragraph or version number).

    A single mark before exactly three digits is read as the locale reads it: 1.500 is 1500 in German and 1.5 in
    English. Everywhere else the shape decides: the last of two different marks is the decimal one.
    """
    digits = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in written)
    digits = _BETWEEN_DIGITS.sub("", digits)
    if "٫" in digits:
        return Decimal(digits.replace("٫", ".")) if digits.count("٫") == 1 and not _MARK.search(digits) else None
    marks = _MARK.findall(digits)
    if not marks:
        return Decimal(digits)
    decimal = _decimal_mark(digits, marks, tag)
    whole, _, rest = digits.rpartition(decimal) if decimal else (digits, "", "")
    groups = _MARK.split(whole)
    if len(groups) > 1 and not (len(groups[-1]) == 3 and all(len(group) in (2, 3) for group in groups[1:])):
        return None
    return Decimal("".join(groups) + ("." + rest if rest else ""))


def _decimal_mark(digits: str, marks: list[str], tag: str) -> str | None:
    last = marks[-1]
    if len(set(marks)) > 1:
        return last if marks.count(last) == 1 else None
    if len(marks) > 1:
        return None
    head, _, tail = digits.partition(last)
    looks_grouped = len(tail) == 3 and 1 <= len(head) <= 3 and head != "0"
    return None if looks_grouped and last != cldr.separators(tag)[0] else last


def figures(text: str, tag: str) -> Iterator[Figure]:
    """Every figure of a text in order: digits with what multiplies them, and English number words.

    Japanese and Chinese sums (1億5,000万) are one figure.
    """
    held: Figure | None = None
    for match in _scanner(tag).finditer(text):
        found = _figure(match, tag)
        if found is None:
            continue
        if held and held.myriad and held.end == found.start:
            held = replace(found, value=held.value + found.value, start=held.start)
            continue
        if held:
            yield held
        held = found
    if held:
        yield held


def _figure(match: "regex.Match[str]", tag: str) -> Figure | None:
    if match["spelled"]:
        words = _SPELLED_PART.findall(match["spelled"].casefold())
        return Figure(Decimal(sum(_SPELLED[word] for word in words)), match.start(), match.end(), spelled=True)
    value = parse_figure(match["figure"], tag)
    if value is None:
        return None
    times = match["times"]
    if not times:
        return Figure(value, match.start(), match.end())
    factor = cldr.multipliers(tag)[cldr.spaced_once(times)]
    myriad = bool(_HAN.match(times))
    return Figure(value * factor, match.start(), match.end(), myriad=myriad)


@lru_cache(maxsize=64)
def _scanner(tag: str) -> "regex.Pattern[str]":
    words = [word for word in cldr.multipliers(tag) if len(word) > 1 or not word.isascii()]
    letters = [word for word in cldr.multipliers(tag) if len(word) == 1 and word.isascii()]
    times = rf"[\s\u00a0-]?(?P<times>{cldr.alternatives(words)})|(?P<times>{cldr.alternatives(letters)})"
    spelled = rf"(?i:{'|'.join(_TENS)})(?:-(?i:{'|'.join(_ONES[:9])}))?|(?i:{'|'.join(reversed(_ONES))})"
    return regex.compile(
        rf"(?<![\p{{L}}\p{{Nd}}_])(?P<spelled>{spelled})(?![\p{{L}}])(?:\s?\(\p{{Nd}}+\))?"
        rf"|(?P<figure>{figure_pattern(tag)})(?:(?:{times})(?![{cldr.SPACED}]))?"
    )
