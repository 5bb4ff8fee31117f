"""Which other spellings the people of a locale use."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from curation.retrieval.letters import own_letters
from curation.retrieval.locales import canonical_locale, language_of, script_of
from curation.retrieval.variants import cyrillic, georgian, greek, uzbek
from curation.retrieval.variants.arabic import without_hamza
from curation.retrieval.variants.japanese import romaji
from curation.retrieval.variants.plain import without_diacritics
from curation.retrieval.variants.serbian import in_cyrillic, in_latin


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to spell the queries of a locale.

    `key` names it among those of its locale, `name` in words. `locale` and `script` (a script class) are where the
    spelling belongs; a text in which its letters do not occur may fall elsewhere. `spell` gives the spelling of a
    text, "" where only a native can; None where it always takes one.
    """

    key: str
    name: str
    locale: str
    script: str
    spell: Callable[[str], str] | None


@cache
def kinds_of(locale: str) -> tuple[Kind, ...]:
    """Return the other spellings of a canonical locale, the commonest first; empty where no table has any."""
    kinds = _BY_SCRIPT.get(script_of(locale))
    return kinds(locale, language_of(locale)) if kinds else ()


def _of_latin(locale: str, language: str) -> tuple[Kind, ...]:
    plain = (_plain(locale, language),) if own_letters(language) else ()
    spell = _CYRILLIC.get(language)
    return (*plain, _in_cyrillic(locale, spell)) if spell else plain


def _of_cyrillic(locale: str, language: str) -> tuple[Kind, ...]:
    if language == "sr":
        latin = _other_script(locale, "Latn")
        return (
            Kind("latin", "Latin", latin, "Latn", in_latin),
            Kind("latin_plain", "Latin without diacritics", latin, "Latn-plain", _in_plain_latin),
        )
    if language == "uz":
        return (Kind("latin", "Latin", _other_script(locale, "Latn"), "Latn", uzbek.in_latin),)
    if language not in cyrillic.LANGUAGES:
        return ()
    return (_romanised(locale, lambda text: cyrillic.romanised(text, language)),)


def _of_arabic(locale: str, language: str) -> tuple[Kind, ...]:
    named = "Without hamza and vowel marks"
    return (Kind("plain", named, locale, "Arab-plain", without_hamza),) if language == "ar" else ()


def _of_japanese(locale: str, _language: str) -> tuple[Kind, ...]:
    return Kind("kana", "Kana", locale, "Jpan-kana", None), Kind("romaji", "Romaji", locale, "Jpan-romaji", romaji)


_BY_SCRIPT: dict[str, Callable[[str, str], tuple[Kind, ...]]] = {
    "Arab": _of_arabic,
    "Cyrl": _of_cyrillic,
    "Geor": lambda locale, _language: (_romanised(locale, georgian.romanised),),
    "Grek": lambda locale, _language: (_romanised(locale, greek.romanised),),
    "Jpan": _of_japanese,
    "Latn": _of_latin,
}

_WORDED = {
    "de": "With ae, oe, ue, ss",
    "gsw": "With ae, oe, ue",
    "nds": "With ae, oe, ue",
    **dict.fromkeys(("da", "kl", "nb", "nn", "no"), "With ae, oe, aa"),
}


def _plain(locale: str, language: str) -> Kind:
    name = _WORDED.get(language, "Without diacritics")
    return Kind("plain", name, locale, "Latn-plain", lambda text: without_diacritics(text, language))


def _romanised(locale: str, spell: Callable[[str], str]) -> Kind:
    return Kind("romanised", "Romanised", locale, "Latn-romanised", spell)


_CYRILLIC: dict[str, Callable[[str], str]] = {"sr": in_cyrillic, "uz": uzbek.in_cyrillic}


def _in_cyrillic(locale: str, spell: Callable[[str], str]) -> Kind:
    return Kind("cyrillic", "Cyrillic", _other_script(locale, "Cyrl"), "Cyrl", spell)


def _in_plain_latin(text: str) -> str:
    return without_diacritics(in_latin(text), "sr")


def _other_script(locale: str, script: str) -> str:
    """The locale in another of its scripts, its region kept: sr-Cyrl-ME is sr-Latn-ME."""
    language, _, *region = locale.split("-")
    return canonical_locale("-".join((language, script, *region)))
