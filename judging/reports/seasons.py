"""Years that a wording names by one of their seasons, as in "autumn of 2024". Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import regex

from curation.retrieval.locales import language_of

# As they begin: in some languages an ending says "in" or "of". CLDR names months and quarters, no seasons.
SEASONS = {
    language: tuple(listed.split())
    for language, listed in {
        "ar": "ربيع صيف خريف شتاء الربيع الصيف الخريف الشتاء",
        "de": "frühling frühjahr sommer herbst winter",
        "en": "spring summer autumn fall winter",
        "es": "primavera verano otoño invierno",
        "fr": "printemps été automne hiver",
        "it": "primavera estate autunno inverno",
        "ja": "春 夏 秋 冬",
        "ko": "봄 여름 가을 겨울",
        "nl": "lente voorjaar zomer herfst najaar winter",
        "pl": "wiosn lato lata latem jesie zim",
        "pt": "primavera verão outono inverno",
        "tr": "ilkbahar bahar yaz sonbahar güz kış",
        "zh": "春 夏 秋 冬",
    }.items()
}
YEAR = r"(?<!\p{Nd})(?P<year>(?:19|20)\d\d)(?!\p{Nd})"
LINK = r"(?:\s+(?:of|de|del|di|do|du|da|van))?"


def season_years(text: str, locale: str) -> Iterator[str]:
    """The years of which `text` names a season beside the year, as "2024"."""
    pattern = _pattern(language_of(locale))
    for match in pattern.finditer(text) if pattern else ():
        yield match["year"]


@cache
def _pattern(language: str) -> regex.Pattern[str] | None:
    """A season before its year or behind it; None in a language whose seasons are not listed."""
    if language not in SEASONS:
        return None
    season = rf"(?:{'|'.join(SEASONS[language])})\p{{L}}*"
    before = rf"(?<!\p{{L}}){season}{LINK}\s*{YEAR}"
    behind = rf"{YEAR}(?:年の?|년)?\s*{season}"
    return regex.compile(rf"{before}|{behind}", regex.IGNORECASE)
