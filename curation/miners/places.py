"""Countries and territories named in a text, and the places a corpus declares for itself."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

import regex

from curation.miners import cldr
from curation.miners.facts import Fact


def places(text: str, tag: str, *, declared: frozenset[str] = frozenset()) -> Iterator[Fact]:
    """Territories by their CLDR name in the text's language or English, to the ISO 3166 code.

    `declared` holds further names (the corpus's own jurisdictions: Bavaria, Scotland); their value is the name itself,
    casefolded. Names match as written or in capitals, never in small letters: "turkey" is not a country.
    """
    for match in _scanner(tag, declared).finditer(text):
        yield Fact("jurisdiction", place_value(match["name"], tag), match[0], *match.span())


def place_value(name: str, tag: str) -> str:
    """What a jurisdiction is compared by: its ISO 3166 code where CLDR knows one, else the casefolded name."""
    known = _codes(tag)
    spaced = cldr.spaced_once(name.strip())
    return str(known.get(spaced.casefold(), spaced.casefold()))


def place_name(name: str, tag: str) -> str:
    """A jurisdiction as people read it: a bare ISO 3166 code becomes its CLDR name, anything else stays."""
    own = cldr.locales(tag)[0].territories
    return str(own.get(name.strip().upper(), name))


@lru_cache(maxsize=64)
def _codes(tag: str) -> dict[str, str]:
    codes = {name.casefold(): code for name, code in cldr.territories(tag).items()}
    return codes | {code.casefold(): code for code in cldr.territories(tag).values()}


@lru_cache(maxsize=64)
def _scanner(tag: str, declared: frozenset[str]) -> "regex.Pattern[str]":
    names = {*cldr.territories(tag), *declared}
    return regex.compile(cldr.whole(rf"(?P<name>{cldr.alternatives(_cased(names, tag))})", tag))


def _cased(names: Iterable[str], tag: str) -> set[str]:
    return {form for name in names if name for form in (name, cldr.capitals(name, tag))}
