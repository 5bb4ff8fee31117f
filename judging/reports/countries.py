"""Countries that a query asks about, found in other languages: "ingiltere" is UK there. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import regex

from curation.miners import cldr
from curation.miners.places import place_value
from curation.retrieval.folding import fold

ENGLISH = "en"
SHORTEST_NAME = 4  # letters; shorter ones are codes, and count where they are written as such
# What people call places beside the one name that CLDR gives each, and the codes that searchers write small.
SPOKEN: Mapping[str, tuple[str, ...]] = {
    "GB": (
        "Britain", "Great Britain", "England", "Großbritannien", "İngiltere", "Grande-Bretagne", "Angleterre",
        "Gran Bretaña", "Inglaterra", "Gran Bretagna", "Inghilterra", "Grã-Bretanha", "Engeland", "Groot-Brittannië",
        "Anglia", "Wielka Brytania", "Англия", "Великобритания", "بريطانيا", "英国", "영국", "อังกฤษ",
    ),
    "TR": ("Turkey",),
    "US": ("United States", "America", "Amerika", "ABD"),
    "DE-BY": (
        "Bavaria", "Bayern", "Bavyera", "Bavière", "Baviera", "Beieren", "Bawaria", "Бавария", "بافاريا",
        "バイエルン", "巴伐利亚", "바이에른", "บาวาเรีย",
    ),
    "EEA": (
        "EEA", "European Economic Area", "EWR", "Europäischer Wirtschaftsraum", "Europäischen Wirtschaftsraum",
        "Avrupa Ekonomik Alanı", "Espace économique européen", "Espacio Económico Europeo",
        "Spazio economico europeo", "Espaço Económico Europeu", "Europese Economische Ruimte",
        "Europejski Obszar Gospodarczy", "欧州経済領域", "欧洲经济区", "유럽경제지역",
    ),
}  # fmt: skip
SMALL = frozenset({"uk", "usa", "abd", "eea"})


def countries_in(text: str, locale: str) -> frozenset[str]:
    """The codes of the countries that a text of this locale names, in capitals or not."""
    known = _names(locale)
    folded = {match["name"] for match in _folded_names(locale).finditer(fold(text, locale))}
    cased = {match["name"] for match in _short_names(locale).finditer(text)}
    return frozenset(code for name, code in known.items() if name in cased or fold(name, locale) in folded)


def code_of(declared: str) -> str:
    """The code of a declared territory: "UK", "GB" and "United Kingdom" have one."""
    return _spoken_codes().get(declared.strip().casefold()) or place_value(declared, ENGLISH).upper()


@lru_cache(maxsize=1024)
def names_of(codes: frozenset[str], locale: str) -> regex.Pattern[str] | None:
    """A pattern for what texts of this locale call the countries; None where there is none."""
    names = {name for name, code in _names(locale).items() if code in codes}
    cased = {form for name in names for form in (name, cldr.capitals(name, locale))}
    return regex.compile(cldr.whole(cldr.alternatives(cased), locale)) if cased else None


@lru_cache(maxsize=64)
def _names(locale: str) -> dict[str, str]:
    return dict(cldr.territories(locale)) | {name: code for code, names in SPOKEN.items() for name in names}


@lru_cache(maxsize=1)
def _spoken_codes() -> dict[str, str]:
    return {name.casefold(): code for code, names in SPOKEN.items() for name in names}


@lru_cache(maxsize=64)
def _folded_names(locale: str) -> regex.Pattern[str]:
    folded = {fold(name, locale) for name in _names(locale)}
    return _named({name for name in folded if _is_long(name) or name in SMALL}, locale)


@lru_cache(maxsize=64)
def _short_names(locale: str) -> regex.Pattern[str]:
    return _named({name for name in _names(locale) if not _is_long(name)}, locale)


def _named(names: set[str], locale: str) -> regex.Pattern[str]:
    return regex.compile(cldr.whole(rf"(?P<name>{cldr.alternatives(names)})['’]?", locale))


def _is_long(name: str) -> bool:
    return len(name) >= SHORTEST_NAME or not regex.search(rf"[{cldr.SPACED}]", name)


def places_in(text: str, locale: str, codes: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where a text names one of the countries."""
    pattern = names_of(codes, locale)
    if pattern is not None:
        yield from (match.span() for match in pattern.finditer(text))


def territories_in(text: str, locale: str, declared: frozenset[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Where a text of this locale names one of the territories that documents declare, with the code of each."""
    pattern, codes = _names_declared(declared, locale)
    for match in pattern.finditer(text):
        yield codes[match["name"]], match.span("name")


@lru_cache(maxsize=256)
def _names_declared(declared: frozenset[str], locale: str) -> tuple[regex.Pattern[str], dict[str, str]]:
    """A pattern for the names of territories, as texts call them and as they were declared, and the code of each."""
    own = {name: code_of(name) for name in declared}
    named = {name: code for name, code in _names(locale).items() if code in own.values()} | own
    cased = {form: code for name, code in named.items() for form in (name, cldr.capitals(name, locale))}
    return regex.compile(cldr.whole(rf"(?P<name>{cldr.alternatives(cased)})", locale)), cased
