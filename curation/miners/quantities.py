"""Figures with what stands beside them: money, percentages, spans of time, and bare counts."""

from collections.abc import Iterator
from functools import lru_cache

import regex

from curation.miners import cldr
from curation.miners.facts import Fact, Kind
from curation.miners.figures import Figure, figures, plain

_REACH = 24  # characters looked at before a figure: the longest sign or code with its spaces
# Days that do not all count, where contracts name them; the unit stays a day.
_DAY_KINDS = {
    "business": "business", "working": "business", "banking": "business", "calendar": "calendar",
    "consecutive": "calendar", "iş": "business", "takvim": "calendar",
}  # fmt: skip
_DAY_WORDS = {
    "Werktag": "business", "Werktage": "business", "Arbeitstag": "business", "Arbeitstage": "business",
    "Bankarbeitstage": "business", "Geschäftstage": "business", "Kalendertag": "calendar", "Kalendertage": "calendar",
    "jours ouvrables": "business", "jours ouvrés": "business", "días hábiles": "business", "dias úteis": "business",
    "giorni lavorativi": "business", "werkdagen": "business", "рабочих дней": "business", "dni roboczych": "business",
    "個工作日": "business", "个工作日": "business", "営業日": "business", "영업일": "business",
    "วันทำการ": "business", "أيام عمل": "business", "يوم عمل": "business",
}  # fmt: skip
# In 100分の5, 100分之5, 100분의 5 (5 of 100) the sign of a minute parts a fraction.
_HUNDREDTHS = r"(?<!\p{Nd})(?:[1１][0０]{2}|百)\s?(?:分[の之]|분의)"
_LEFT_PERCENT = regex.compile(rf"(?:[%٪]|(?<![\p{{L}}])(?i:yüzde)|ร้อยละ|{_HUNDREDTHS})\s?\Z")
_PARTS = r"(?!(?:分[の之]|분의)\s?[\p{Nd}一二三四五六七八九十百])"
_FOLDED_DAYS = {cldr.caseless(word): kind for word, kind in _DAY_WORDS.items()}
# Ten digits are an account or a telephone number; 1003.2 is a paragraph.
_NUMBERED = regex.compile(r"\p{Nd}{10,}|\p{Nd}{4,}[.,]\p{Nd}+")
_NOT_COUNTED_BEFORE = regex.compile(rf"[{cldr.SPACED}\p{{M}}\p{{N}}_#./@+-]\Z|[§№第제]\s?\Z|\(\Z")
_LETTER = regex.compile(rf"[{cldr.SPACED}]")
_NOT_COUNTED_AFTER = regex.compile(r"[\p{N}_@]|[./-]\p{N}|-\p{Lu}|\)")


def measured(text: str, tag: str) -> Iterator[Fact]:
    """Figures with a currency, a per cent sign or a unit of time, in order.

    Values: `EUR 250000` (ISO 4217), `1.5` (per cent), `30 day`, `2 business day`.
    """
    for figure in figures(text, tag):
        for read in (_amount, _percent, _duration):
            fact = read(text, figure, tag)
            if fact:
                yield fact
                break


def counted(text: str, tag: str) -> Iterator[Fact]:
    """Figures that stand for how many: not part of a code, a list number or a decimal paragraph; "one" is no count."""
    for figure in figures(text, tag):
        before, after = text[max(0, figure.start - 2) : figure.start], text[figure.end : figure.end + 2]
        if figure.spelled and figure.value == 1:
            continue
        if _NOT_COUNTED_BEFORE.search(before) or _NOT_COUNTED_AFTER.match(after):
            continue
        written = text[figure.start : figure.end]
        if not _LETTER.match(after) and not _NUMBERED.fullmatch(written):
            yield Fact("count", plain(figure.value), written, figure.start, figure.end)


def _amount(text: str, figure: Figure, tag: str) -> Fact | None:
    marks = cldr.currencies(tag)
    left = _left_currency(tag).search(text[max(0, figure.start - _REACH) : figure.start])
    if left:
        start = figure.start - len(left[0])
        return _fact("amount", f"{marks[left['mark']]} {plain(figure.value)}", text=text, span=(start, figure.end))
    right = _right_currency(tag).match(text, figure.end)
    if right:
        code = marks.get(right["mark"]) or _folded_currencies(tag)[cldr.caseless(right["mark"])]
        return _fact("amount", f"{code} {plain(figure.value)}", text=text, span=(figure.start, right.end()))
    return None


def _percent(text: str, figure: Figure, tag: str) -> Fact | None:
    left = _LEFT_PERCENT.search(text[max(0, figure.start - 8) : figure.start])
    right = _right_percent(tag).match(text, figure.end)
    if not left and not right:
        return None
    start, end = figure.start - len(left[0]) if left else figure.start, right.end() if right else figure.end
    return _fact("percent", plain(figure.value), text=text, span=(start, end))


def _duration(text: str, figure: Figure, tag: str) -> Fact | None:
    match = _right_unit(tag).match(text, figure.end)
    if match is None:
        return None
    if match["days"]:
        unit = f"{_FOLDED_DAYS[cldr.caseless(match['days'])]} day"
    else:
        kind = _DAY_KINDS[cldr.caseless(match["kind"])] + " " if match["kind"] else ""
        unit = kind + _folded_units(tag)[cldr.caseless(match["unit"])]
    return _fact("duration", f"{plain(figure.value)} {unit}", text=text, span=(figure.start, match.end()))


def _fact(kind: Kind, value: str, *, text: str, span: tuple[int, int]) -> Fact:
    return Fact(kind, value, text[slice(*span)], *span)


@lru_cache(maxsize=64)
def _folded_currencies(tag: str) -> dict[str, str]:
    return {cldr.caseless(mark): code for mark, code in cldr.currencies(tag).items()}


@lru_cache(maxsize=64)
def _folded_units(tag: str) -> dict[str, str]:
    return {cldr.caseless(word): unit for word, unit in cldr.units(tag).items()}


@lru_cache(maxsize=64)
def _left_currency(tag: str) -> "regex.Pattern[str]":
    # Names stand after their figure; before it stand codes and signs, with the case CLDR gives them.
    marks = [mark for mark in cldr.currencies(tag) if not regex.search(r"\s|[\p{Ll}\p{Lo}]{2}", mark)]
    return regex.compile(rf"(?<![{cldr.SPACED}])(?P<mark>{cldr.alternatives(marks)})\.?[\s\u00a0]?\Z")


@lru_cache(maxsize=64)
def _right_currency(tag: str) -> "regex.Pattern[str]":
    signs = [mark for mark in cldr.currencies(tag) if not regex.search(r"\p{Ll}{2}", mark)]
    names = [mark for mark in cldr.currencies(tag) if len(mark) > 1 and mark not in signs]
    words = rf"(?:{cldr.alternatives(signs)})|(?i:{cldr.alternatives(names)})"
    return regex.compile(rf"\.?[\s\u00a0-]?(?:d['’]|de\s)?(?P<mark>{words})(?![{cldr.SPACED}])")


@lru_cache(maxsize=64)
def _right_percent(tag: str) -> "regex.Pattern[str]":
    words = cldr.alternatives(cldr.percent_words(tag))
    return regex.compile(rf"[\s\u00a0-]?(?i:{words})(?![{cldr.SPACED}])")


@lru_cache(maxsize=64)
def _right_unit(tag: str) -> "regex.Pattern[str]":
    kinds = cldr.alternatives(_DAY_KINDS)
    units = cldr.whole(rf"(?P<unit>{cldr.alternatives(cldr.units(tag))})", tag)
    days = cldr.whole(rf"(?P<days>{cldr.alternatives(_DAY_WORDS)})", tag)
    return regex.compile(rf"(?i)[\s\u00a0-]*{_PARTS}(?:{days}|(?:(?P<kind>{kinds})[\s\u00a0]?)?{units})")
