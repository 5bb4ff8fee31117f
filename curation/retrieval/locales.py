"""One form for every language code: BCP 47, in the smallest form that says the same.

Aliases, likely subtags and names come from CLDR through Babel. A region is dropped where likely subtags give it
back (tr-TR is tr, pt-BR is pt) and kept where they do not (en-GB, es-419). A script is kept for the languages
that are written in several and dropped elsewhere where likely subtags give it back.
"""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from babel import Locale
from babel.core import get_global

UNDETERMINED = "und"
"""The corpus language of documents whose language nobody stated; never a query language."""

WRITTEN_IN_SEVERAL = {
    "ks": ("Arab", "Deva"),
    "pa": ("Guru", "Arab"),
    "sd": ("Arab", "Deva"),
    "sr": ("Cyrl", "Latn"),
    "uz": ("Latn", "Cyrl"),
    "yue": ("Hant", "Hans"),
    "zh": ("Hans", "Hant"),
}
"""Languages in everyday use in more than one script, so that a bare tag says too little (ISO 15924 codes)."""

SCRIPT_FOLLOWS_REGION = frozenset({"pa", "sd", "yue", "zh"})
"""Those whose script a region settles: zh-TW is zh-Hant. In sr-RS and uz-UZ both scripts stay in use."""

_RIGHT_TO_LEFT = frozenset({"Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"})
_NO_LANGUAGE = frozenset({UNDETERMINED, "mul", "zxx"})
_TAG = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|[0-9]{3}))?", re.IGNORECASE | re.ASCII)


class UnknownLocale(ValueError):
    """A language code that CLDR does not know; its text names the code and the way out."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        super().__init__(f'The language code "{tag[:40]}" is not known; write a code such as tr or zh-Hant.')


class ScriptNeeded(ValueError):
    """A bare tag of a language written in several scripts; `choices` are the tags that would do."""

    def __init__(self, language: str) -> None:
        scripts = WRITTEN_IN_SEVERAL[language]
        self.choices = tuple(f"{language}-{script}" for script in scripts)
        named = " or ".join(f"{language}-{script} ({_script_name(script)})" for script in scripts)
        name = _cldr_names().languages[language]
        super().__init__(f"{name} is written in several scripts; write {named}, or fill the script column.")


class _Subtags(NamedTuple):
    language: str
    script: str = ""
    region: str = ""

    def joined(self, separator: str) -> str:
        return separator.join(part for part in self if part)


@lru_cache(maxsize=4096)
def canonical_locale(tag: str, script: str | None = None) -> str:
    """Return the one form of a language code: "TR", "tr_TR" and "tr-TR" all give "tr".

    Args:
        tag: a BCP 47 tag, with hyphens or underscores, in any case.
        script: the row's script column (an ISO 15924 code, or a script class that begins with one). It is
            asked only where the tag leaves open which of its language's several scripts is meant.

    Raises:
        UnknownLocale: CLDR knows no such language, script or region, or the tag names no language ("und").
        ScriptNeeded: the language is written in several scripts and neither tag nor column says which.
    """
    given = _parsed(tag)
    if given.language in _NO_LANGUAGE:
        raise UnknownLocale(tag)
    if given.language not in WRITTEN_IN_SEVERAL:
        return _smallest(_likely(given), keep_script=False)
    settled = given._replace(script=given.script or _open_script(given, script))
    return _smallest(_likely(settled), keep_script=True)


def corpus_language(tag: str, script: str | None = None) -> str:
    """Return `canonical_locale(tag, script)`, or "und" where a document states that its language is unknown.

    Raises:
        UnknownLocale, ScriptNeeded: as `canonical_locale`.
    """
    return UNDETERMINED if tag.strip().lower() == UNDETERMINED else canonical_locale(tag, script)


def alias_notice(locale: str, written: Collection[str]) -> str | None:
    """Say in one sentence which codes of a file were merged into `locale`; None where all were written so."""
    others = sorted(set(written) - {locale})
    if not others:
        return None
    verb = "is" if len(others) == 1 else "are"
    return f"{', '.join(others)} {verb} read as {locale} ({language_name(locale)})."


@cache
def aliases_of(locale: str) -> tuple[str, ...]:
    """Return the other codes of a canonical locale's language that CLDR merges into it: "iw" and "heb" for "he"."""
    language = language_of(locale)
    targets = get_global("language_aliases").items()
    codes = (code for code, target in targets if _split(target).language == language and _TAG.fullmatch(code))
    return tuple(sorted(code for code in codes if _merges(code, locale)))


def language_name(locale: str) -> str:
    """Return the English name of a canonical locale: "Turkish", "Chinese (Simplified)"."""
    subtags = _split(locale)
    names = _cldr_names()
    inside = [_script_name(subtags.script)] if subtags.script else []
    inside += [names.territories[subtags.region]] if subtags.region else []
    name: str = names.languages[subtags.language]
    return f"{name} ({', '.join(inside)})" if inside else name


@cache
def script_of(locale: str) -> str:
    """Return the ISO 15924 script a canonical locale is written in ("Latn", "Jpan"); "Zzzz" where unknown."""
    likely = _Subtags(UNDETERMINED) if locale == UNDETERMINED else _likely(_split(locale))
    return likely.script or "Zzzz"


def language_of(locale: str) -> str:
    """Return the language subtag of a canonical locale: "sr" of "sr-Latn"."""
    return locale.partition("-")[0]


def direction(locale: str) -> Literal["rtl", "ltr"]:
    """Return the writing direction of a canonical locale, for the `dir` attribute."""
    return "rtl" if script_of(locale) in _RIGHT_TO_LEFT else "ltr"


def _parsed(tag: str) -> _Subtags:
    """Read a tag into subtags whose aliases are resolved and whose parts CLDR knows."""
    match = _TAG.fullmatch(tag.strip())
    if match is None:
        raise UnknownLocale(tag)
    language, script, region = (part or "" for part in match.groups())
    alias = _split(get_global("language_aliases").get(language.lower(), language.lower()))
    territories = get_global("territory_aliases").get(region.upper(), [region.upper()])
    subtags = _Subtags(alias.language, script.title() or alias.script, territories[0] or alias.region)
    names = _cldr_names()
    known = (
        subtags.language in names.languages
        and (not subtags.script or subtags.script in names.scripts)
        and (not subtags.region or subtags.region in names.territories)
    )
    if not known:
        raise UnknownLocale(tag)
    return subtags


def _merges(code: str, locale: str) -> bool:
    """Tell whether a code alone comes to the locale."""
    try:
        return canonical_locale(code) == locale
    except (UnknownLocale, ScriptNeeded):
        return False


def _open_script(given: _Subtags, column: str | None) -> str:
    """Settle the script of a tag that leaves it open, by its region, else by the row's script column."""
    if given.region and given.language in SCRIPT_FOLLOWS_REGION:
        return _likely(given).script
    stated = (column or "").strip()[:4].title()
    if stated not in WRITTEN_IN_SEVERAL[given.language]:
        raise ScriptNeeded(given.language)
    return stated


def _likely(given: _Subtags) -> _Subtags:
    """Add the likely subtags that are missing (UTS 35, part 1, "Likely subtags")."""
    table = get_global("likely_subtags")
    language, script, region = given
    for known in (given, _Subtags(language, "", region), _Subtags(language, script), _Subtags(language)):
        if found := table.get(known.joined("_")):
            likely = _split(found)
            return _Subtags(language, script or likely.script, region or likely.region)
    return given


def _smallest(full: _Subtags, *, keep_script: bool) -> str:
    """Return the shortest tag whose likely subtags are `full`, a script being shorter than a region."""
    language, script, region = full
    with_script = [_Subtags(language, script)]
    without = [_Subtags(language), *with_script, _Subtags(language, "", region)]
    for shorter in with_script if keep_script else without:
        if _likely(shorter) == full:
            return shorter.joined("-")
    return full.joined("-")


def _split(tag: str) -> _Subtags:
    """Split a well-formed tag; its second part is a script where it has four letters."""
    language, *rest = re.split("[-_]", tag)
    script = rest.pop(0) if rest and len(rest[0]) == 4 else ""
    return _Subtags(language, script, rest[0] if rest else "")


def _script_name(script: str) -> str:
    name: str = _cldr_names().scripts[script]
    return name


@cache
def _cldr_names() -> Locale:
    return Locale("en")
