"""Uzbek in its other script: the Latin alphabet of 1995 beside Cyrillic, which many still read and type.

Latin to Cyrillic reads oʻ and gʻ with any of the signs that keyboards give for the turned comma, and the tutuq ʼ as ъ;
between s and h it only parts the two letters (Isʼhoq). ц is written ts between vowels and s elsewhere, so that the way
back cannot know it but in -tsiya; ь has no Latin letter. What else is lost, the writer mends.
"""

import regex

from curation.retrieval.folding import nfc
from curation.retrieval.variants.rules import START, Respelling, Rule, pairs, table, word_by_word

SIGNS = "ʻʼ'‘’`´"
"""The turned comma and the apostrophe as they are typed."""

_VOWEL = r"(?<=[аеёиоуэюяўАЕЁИОУЭЮЯЎ])"
_LATIN_VOWEL = r"(?<=[aeiouAEIOU])"
_SOUNDS = "а a б b в v г g д d ж j з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х x қ q ҳ h"
_TOKEN = regex.compile(r"[\p{L}\p{M}\p{N}_]+(?:[-.:/@ʻʼ'‘’`´]+[\p{L}\p{M}\p{N}_]+)*[ʻʼ‘’`']?")
_TUTUQ = regex.compile(rf"(?<=\p{{L}})[{SIGNS}](?=\p{{L}})")
_FOREIGN = regex.compile(r"[\p{N}_wW@]|[cC](?![hH])|://")


def in_cyrillic(text: str) -> str:
    """Return Latin Uzbek in Cyrillic; words with a digit or a letter that Uzbek lacks (Windows, E-404) stay."""
    return word_by_word(nfc(text), words=_TOKEN, foreign=_FOREIGN, respelt=_word_in_cyrillic)


def in_latin(text: str) -> str:
    """Return Cyrillic Uzbek in Latin, with ʻ and ʼ."""
    return _LATIN(nfc(text))


def _word_in_cyrillic(word: str) -> str:
    return str(_TUTUQ.sub(_hard_sign, _CYRILLIC(word)))


def _hard_sign(tutuq: regex.Match[str]) -> str:
    return "Ъ" if tutuq.string[tutuq.end()].isupper() else "ъ"


def _signed(letter: str, spelt: str) -> tuple[Rule, ...]:
    return tuple(Rule(letter + sign, spelt) for sign in SIGNS)


_LATIN = Respelling(
    (
        Rule("е", "ye", before=START),
        Rule("е", "ye", before=_VOWEL),
        Rule("ц", "ts", before=_VOWEL),
        *table(f"ё yo ю yu я ya ч ch ш sh ў oʻ ғ gʻ е e э e ц s ъ ʼ ь - {_SOUNDS}"),
    )
)
_CYRILLIC = Respelling(
    (
        *(Rule(f"s{sign}h", "сҳ") for sign in SIGNS),
        *(Rule(f"yo{sign}", "йў") for sign in SIGNS),
        *_signed("o", "ў"),
        *_signed("g", "ғ"),
        Rule("tsiya", "ция"),
        *table("sh ш ch ч yo ё yu ю ya я ye е"),
        Rule("e", "э", before=START),
        Rule("e", "э", before=_LATIN_VOWEL),
        Rule("e", "е"),
        *table(" ".join(f"{latin} {cyrillic}" for cyrillic, latin in pairs(_SOUNDS))),
    )
)
