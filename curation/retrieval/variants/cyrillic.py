"""Cyrillic in Latin letters, by the romanisation that people of each language meet most, in plain a to z.

Bulgarian: the Transliteration Act of 2009. Ukrainian: resolution 55 of 2010. Macedonian: passports (digraphs for the
letters with marks). Russian and Belarusian: BGN/PCGN, without the signs for ь and ъ and with е as e throughout.
"""

from curation.retrieval.folding import nfc
from curation.retrieval.variants.rules import END, START, Respelling, Rule, table

_COMMON = "а a б b в v д d ж zh з z к k л l м m н n о o п p р r с s т t у u ф f ц ts ч ch ш sh"
_APOSTROPHES = tuple(Rule(sign, "", r"(?<=\p{Cyrillic})", r"(?=\p{Cyrillic})") for sign in "'’ʼ")


def _at_start(pairs: str) -> tuple[Rule, ...]:
    """Letters that are spelt otherwise at the start of a word."""
    return tuple(Rule(rule.letters, rule.spelt, before=START) for rule in table(pairs))


_ROMANISED = {
    "be": Respelling(
        (
            *_APOSTROPHES,
            *table(f"{_COMMON} г h е e ё yo і i й y ў w х kh ы y ь - э e ю yu я ya"),
        )
    ),
    "bg": Respelling((Rule("ия", "ia", after=END), *table(f"{_COMMON} г g е e и i й y х h щ sht ъ a ь y ю yu я ya"))),
    "mk": Respelling(
        table(
            "а a б b в v г g д d ѓ gj е e ж zh з z ѕ dz и i ј j к k л l љ lj м m н n њ nj о o п p р r с s т t ќ kj "
            "у u ф f х h ц c ч ch џ dzh ш sh ѐ e ѝ i"
        )
    ),
    "ru": Respelling(table(f"{_COMMON} г g е e ё yo и i й y х kh щ shch ъ - ы y ь - э e ю yu я ya")),
    "uk": Respelling(
        (
            *_APOSTROPHES,
            *_at_start("є ye ї yi й y ю yu я ya"),
            *table(f"зг zgh {_COMMON} г h ґ g е e є ie и y і i ї i й i х kh щ shch ь - ю iu я ia"),
        )
    ),
}
LANGUAGES = frozenset(_ROMANISED)
"""The languages that have such a table."""


def romanised(text: str, language: str) -> str:
    """Return the text of one of LANGUAGES in Latin letters; letters of other alphabets stay."""
    return _ROMANISED[language](nfc(text))
