"""What CLDR says about a locale's dates, money, units and places, as words to look for in text.

Every table holds the words of the locale and of English, because contracts quote English in all languages; where the
two disagree the locale wins. Tags are BCP 47 (`tr`, `zh-Hans`); a tag CLDR does not know gives English alone.
Source: the CLDR data inside Babel, read through its public interface.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

import regex
from babel import Locale, UnknownLocaleError
from babel.numbers import get_currency_name, list_currencies
from babel.units import format_unit

from curation.retrieval.locales import language_of

DateOrder = Literal["dmy", "mdy", "ymd"]

UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute")
# Letters of scripts that put spaces between words: only beside these does a word have an edge to keep.
SPACED = r"\p{Latin}\p{Cyrillic}\p{Greek}\p{Arabic}\p{Hebrew}\p{Armenian}\p{Georgian}\p{Devanagari}"

# One number of every plural category CLDR knows, so that each form of a word is met.
_PLURAL_PROBES: tuple[int | float, ...] = (0, 1, 2, 3, 5, 6, 11, 20, 100, 1.5)
_SPACE = regex.compile(r"\s+")  # put together once: to look a pattern up by its text takes longer than to use it
_ESCAPED_SPACE = regex.compile(r"(?:\\?\s)+")
_MANY = 100  # of so many words, those of other first letters are passed over
_DIGITS = regex.compile(r"[\p{Nd}.,٫]+")
# Marks that people write and CLDR does not list.
_SPOKEN_CURRENCIES = {
    "TL": "TRY", "lira": "TRY", "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "pounds": "GBP",
    "円": "JPY", "元": "CNY", "원": "KRW", "บาท": "THB", "руб": "RUB", "рублей": "RUB", "đồng": "VND", "Rs": "INR",
    "US$": "USD", "रुपये": "INR", "دولار": "USD", "دولارًا": "USD", "долларов": "USD",
}  # fmt: skip
_SPOKEN_PLACES = {"US": "US", "U.S.": "US", "USA": "US", "UK": "GB", "U.K.": "GB", "EU": "EU"}
_SPOKEN_UNITS = {
    "zh": {"日": "day"},
    "hi": {"दिनों": "day", "महीनों": "month", "वर्षों": "year"},
}
_INFLECTIONS = {
    "de": "(?:e|en|es|n|s)?",
    "tr": "(?:l[ıiuü][kğ][ıiuü]?|[dt][ea]n?|[dt][ıiuü]r|n?[ıiuü]n|y?[ea]|y?[ıiuü])?",
}


@lru_cache(maxsize=64)
def locales(tag: str) -> tuple[Locale, ...]:
    """The locale, then English; English alone for a tag CLDR does not know."""
    english = Locale("en")
    try:
        own = Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError):
        return (english,)
    return (own,) if own.language == "en" else (own, english)


def alternatives(words: Iterable[str]) -> str:
    """A pattern that takes the longest of the words, with any white space between their parts."""
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    if len(longest_first) < _MANY:
        return "|".join(map(_pattern, longest_first))
    by_letter: dict[str, list[str]] = {}
    for word in longest_first:
        by_letter.setdefault(_first_letter(word), []).append(word)
    return "|".join(map(_of_one_letter, by_letter.values()))


def _of_one_letter(words: Sequence[str]) -> str:
    """The pattern of words that begin with one letter; others are passed over after a look at it."""
    letters = "".join(sorted({regex.escape(word[:1]) for word in words}))
    return rf"(?=[{letters}])(?:{'|'.join(map(_pattern, words))})"


def _first_letter(word: str) -> str:
    """The same for letters that one may be taken for another without case: the four i's of Turkish are one."""
    letter = word[:1].casefold()[:1]
    return "i" if letter in "iı" else letter


def _pattern(word: str) -> str:
    return str(_ESCAPED_SPACE.sub(r"\\s+", regex.escape(word)))


def spaced_once(words: str) -> str:
    """The words with one space for any white space, as tables know them."""
    return str(_SPACE.sub(" ", words))


def caseless(words: str) -> str:
    """The same without case, as patterns without case match it, to which İ is an i and ı an I."""
    return spaced_once(words).casefold().replace("i\u0307", "i").replace("ı", "i")


def whole(pattern: str, tag: str) -> str:
    """The pattern as a whole word with the endings of the language; no edges where words are not spaced."""
    return rf"(?<![{SPACED}])(?:{pattern}){_INFLECTIONS.get(language_of(tag), '')}(?![{SPACED}])"


def capitals(word: str, tag: str) -> str:
    """The word in capitals as its language writes them: HAZİRAN and KASIM in Turkish."""
    dotted = word.replace("i", "İ") if language_of(tag) in {"tr", "az"} else word
    return dotted.upper()


@lru_cache(maxsize=64)
def month_names(tag: str) -> Mapping[str, int]:
    """Month names in every form CLDR lists, to 1..12. Numeric forms (7月) are left to the date patterns."""
    names: dict[str, int] = {}
    for locale in reversed(locales(tag)):
        for context in ("format", "stand-alone"):
            for width in ("abbreviated", "wide"):
                for number, name in locale.months[context][width].items():
                    if not regex.match(r"\p{Nd}", name) and len(name) > 1:
                        bare = name.rstrip(".")
                        names |= dict.fromkeys((bare, capitals(bare, tag)), int(number))
    return names


@lru_cache(maxsize=64)
def units(tag: str) -> Mapping[str, str]:
    """Words for spans of time, to the unit's English name."""
    words = dict(_SPOKEN_UNITS.get(language_of(tag), {}))
    for locale in reversed(locales(tag)):
        for unit in UNITS:
            words.update(dict.fromkeys(_unit_words(f"duration-{unit}", locale), unit))
    return words


@lru_cache(maxsize=64)
def percent_words(tag: str) -> frozenset[str]:
    """Words and signs for per cent."""
    words = {"%", "٪", "％", "per cent", "percentage points"}
    return frozenset(words.union(*(_unit_words("concentr-percent", locale) for locale in locales(tag))))


def _unit_words(unit: str, locale: Locale) -> set[str]:
    written = (
        format_unit(probe, unit, length, locale=locale) for probe in _PLURAL_PROBES for length in ("long", "short")
    )
    # A form without a digit is a dual (يومان): it holds its own number and cannot follow one.
    bare = {_DIGITS.sub("", form).strip("\u00a0\u202f\u200f\u200e -") for form in written if _DIGITS.search(form)}
    return {form for form in bare if len(form) > 1 or regex.match(r"[\p{Han}\p{Hangul}%٪％]", form)}


@lru_cache(maxsize=64)
def multipliers(tag: str) -> Mapping[str, int]:
    """Words that multiply a figure (million, Mio., milyon, 万), to their factor."""
    factors: dict[str, int] = {}
    for locale in reversed(locales(tag)):
        for length in ("short", "long"):
            for patterns in locale.compact_decimal_formats[length].values():
                for magnitude, pattern in patterns.items():
                    zeros = pattern.pattern.count("0")
                    word = pattern.pattern.replace("0", "").replace("'", "").strip("\u00a0\u202f\u200f\u200e .")
                    if word:
                        factors[word] = int(magnitude) // 10 ** (zeros - 1)
    return factors


@lru_cache(maxsize=64)
def currencies(tag: str) -> Mapping[str, str]:
    """Codes, signs and names of currencies, to the ISO 4217 code; a bare $ is what the locale takes it for."""
    marks: dict[str, str] = dict(_SPOKEN_CURRENCIES)
    for locale in reversed(locales(tag)):
        for code in list_currencies():
            names = {get_currency_name(code, count, locale=locale) for count in (1, 2, 5)}
            marks.update(dict.fromkeys(names | {locale.currencies.get(code, code), code}, code))
        marks.update({sign: code for code, sign in locale.currency_symbols.items() if code in list_currencies()})
    return marks


@lru_cache(maxsize=64)
def territories(tag: str) -> Mapping[str, str]:
    """Names of countries and territories, to their ISO 3166 code."""
    places: dict[str, str] = dict(_SPOKEN_PLACES)
    for locale in reversed(locales(tag)):
        places.update({name: code for code, name in locale.territories.items() if code.isalpha() and len(name) > 1})
    return places | _declined(places, tag)


def _declined(places: Mapping[str, str], tag: str) -> dict[str, str]:
    """Names in -ия (Россия) in the cases a text puts them in: в России, Россию, Россией."""
    if language_of(tag) != "ru":
        return {}
    stems = {name[:-1]: code for name, code in places.items() if name.endswith("ия")}
    return {stem + ending: code for stem, code in stems.items() for ending in ("и", "ю", "ей")}


@lru_cache(maxsize=64)
def world_names(tag: str) -> frozenset[str]:
    """Names of countries, territories and languages, which any text may mention."""
    languages = (name for locale in locales(tag) for name in locale.languages.values())
    return frozenset((*territories(tag), *languages))


@lru_cache(maxsize=64)
def separators(tag: str) -> tuple[str, str]:
    """The locale's decimal and grouping marks."""
    symbols = locales(tag)[0].number_symbols["latn"]
    return symbols["decimal"], symbols["group"]


@lru_cache(maxsize=64)
def date_order(tag: str) -> DateOrder:
    """In which order the locale writes a date in figures."""
    letters = regex.sub(r"[^dMy]", "", locales(tag)[0].date_formats["short"].pattern)
    order = "".join(dict.fromkeys(letters.lower()))
    return "ymd" if order.startswith("y") else "mdy" if order.startswith("m") else "dmy"
