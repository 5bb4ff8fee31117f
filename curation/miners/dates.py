"""Dates in running text, by the month names and the order of the text's locale.

Values are ISO 8601, cut to what is said: `2024-07-01`, `2024-07`, `2024`, and `--07-01` for a day without a year.
Thai Buddhist years and Japanese eras become Gregorian; other calendars are not read.
"""

import datetime as dt
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import regex

from curation.miners import cldr
from curation.miners.facts import Fact
from curation.retrieval.locales import language_of

_BUDDHIST_OFFSET = 543
# First year of each era minus one, as Japanese law counts them.
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925}
_LINK = r"(?:\s*(?:,|\.|/|-)?\s*(?:de[l']?\s|del\s|di\s|of\s|năm\s|พ\.ศ\.|ค\.ศ\.|ng[aà]y\s)?\s*)"
_YEAR = r"(?P<year>\p{Nd}{4})(?!\p{Nd}|[.,]\p{Nd})"
_DAY = r"(?P<day>\p{Nd}{1,2})"
_YEAR_ALONE = regex.compile(
    r"(?<![\p{L}\p{Nd}\p{Sc}§#./-])(?:19|20|١٩|٢٠|१९|२०)\p{Nd}{2}(?![\p{L}\p{Nd}\p{Sc}(]|[.,/-]\p{N}|\s?%)"
)
_ORDINAL = r"(?:\.|er|st|nd|rd|th|º|ª|ος|-?го|-?е)?"


def dates(text: str, tag: str) -> Iterator[Fact]:
    """Dates with a month, and years named as such, in order. A date no calendar has (31 February) is not one."""
    for match in _scanner(tag).finditer(text):
        value = _value(match, tag)
        if value:
            yield Fact("date", value, match[0], *match.span())


def years(text: str, _tag: str) -> Iterator[Fact]:
    """Years that stand alone, 1900 to 2099: for a text whose fuller dates and amounts have been read already."""
    for match in _YEAR_ALONE.finditer(text):
        yield Fact("date", str(_number(match[0])), match[0], *match.span())


def _value(match: "regex.Match[str]", tag: str) -> str | None:
    year, month, day = (_number(match[part]) for part in ("year", "month", "day"))
    if match["name"]:
        month = _months(tag)[cldr.spaced_once(match["name"]).casefold()]
    if match["era"]:
        year = (year or 1) + _ERAS[match["era"]]
    if match["first"]:
        year, month, day = _in_order(match, tag)
    if year is not None and language_of(tag) == "th" and year > 2400:
        year -= _BUDDHIST_OFFSET
    return _iso(year, month, day)


def _in_order(match: "regex.Match[str]", tag: str) -> tuple[int | None, int | None, int | None]:
    """Day and month of a date in figures: the locale's order, unless only the other one makes a month."""
    first, second, year = (_number(match[part]) or 0 for part in ("first", "second", "last"))
    month_first = cldr.date_order(tag) == "mdy"
    if max(first, second) > 12:
        month_first = second > 12
    month, day = (first, second) if month_first else (second, first)
    if len(match["last"]) == 2:
        year += 2000 if year < 70 else 1900
    return year, month, day


def _iso(year: int | None, month: int | None, day: int | None) -> str | None:
    try:
        dt.date(year or 2000, month or 1, day or 1)
    except ValueError:
        return None
    if year is None:
        return f"--{month:02}-{day:02}"
    return f"{year:04}" + (f"-{month:02}" if month else "") + (f"-{day:02}" if day else "")


def _number(written: str | None) -> int | None:
    return int("".join(str(unicodedata.decimal(digit)) for digit in written)) if written else None


@lru_cache(maxsize=64)
def _months(tag: str) -> dict[str, int]:
    return {name.casefold(): number for name, number in cldr.month_names(tag).items()}


@lru_cache(maxsize=64)
def _scanner(tag: str) -> "regex.Pattern[str]":
    names = cldr.alternatives(cldr.month_names(tag))
    month = rf"(?<![\p{{L}}])ב?(?P<name>(?i:{names}))(?:\.|(?![{cldr.SPACED}]))"
    # Without a year the case must be CLDR's own: "may 30 days pass" is not in May.
    cased = cldr.alternatives(name for known in cldr.month_names(tag) for name in (known, known.upper()))
    sure = rf"(?<![\p{{L}}])ב?(?P<name>{cased})(?:\.|(?![{cldr.SPACED}]))"
    east = r"\s?(?P<month>\p{Nd}{1,2})\s?[月월](?:\s?(?P<day>\p{Nd}{1,2})\s?[日号號일])?"
    forms = (
        rf"(?P<era>令和|平成|昭和)(?:(?P<year>\p{{Nd}}{{1,2}})|元)年(?:{east})?",
        rf"(?P<year>\p{{Nd}}{{4}})\s?[年년](?:度)?(?:{east})?",
        r"(?P<month>\p{Nd}{1,2})\s?[月월]\s?(?P<day>\p{Nd}{1,2})\s?[日号號일]",
        r"(?P<year>\p{Nd}{4})-(?P<month>\p{Nd}{2})(?:-(?P<day>\p{Nd}{2}))?(?![\p{Nd}-])",
        r"(?P<year>\p{Nd}{4})[./](?P<month>\p{Nd}{1,2})[./](?P<day>\p{Nd}{1,2})(?![\p{Nd}./])",
        r"(?P<first>\p{Nd}{1,2})(?P<mark>[./-])\s?(?P<second>\p{Nd}{1,2})(?P=mark)\s?(?P<last>\p{Nd}{4})(?!\p{Nd})",
        r"(?P<first>\p{Nd}{2})(?P<mark>[./])(?P<second>\p{Nd}{2})(?P=mark)(?P<last>\p{Nd}{2})(?![\p{Nd}./])",
        rf"{_DAY}{_ORDINAL}{_LINK}{month}{_LINK}{_YEAR}",
        rf"{month}\s*{_DAY}(?!\p{{Nd}}){_ORDINAL}{_LINK}{_YEAR}",
        rf"{_YEAR}{_LINK}{month}\s*{_DAY}(?!\p{{Nd}}){_ORDINAL}",
        rf"{month}{_LINK}{_YEAR}",
        rf"{_DAY}{_ORDINAL}{_LINK}{sure}",
        rf"{sure}\s*{_DAY}(?![\p{{Nd}}%]|[.,]\p{{Nd}}){_ORDINAL}",
    )
    return regex.compile(rf"(?<![\p{{Nd}}./-])(?:{'|'.join(forms)})")
