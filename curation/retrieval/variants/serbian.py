"""Serbian in its other script: one sound, one letter, but for lj, nj and dž, which Cyrillic writes as one.

Every Cyrillic text has one Latin spelling. The way back is a rule with exceptions: in some words the two letters
belong to two parts of the word (in-jekcija, nad-živeti). They are listed by their beginnings; a word that is not
listed is read with the one letter, and its writer corrects it.
"""

import regex

from curation.retrieval.folding import nfc
from curation.retrieval.variants.rules import Respelling, Rule, pairs, table, word_by_word

APART = {
    "dž": ("nadžive", "nadživi", "nadživlj", "nadžnj", "odžal", "odžive", "odživi", "predživ", "podžanr", "podžup"),
    "nj": ("injek", "konjekt", "konjug", "konjunk", "tanjug", "vanjezi"),
}
"""By digraph, the beginnings of words that Cyrillic writes with two letters: надживети, инјекција."""

_DIGRAPHS = "lj љ nj њ dž џ"
_LETTERS = "a а b б v в g г d д đ ђ e е ž ж z з i и j ј k к l л m м n н o о p п r р s с t т ć ћ u у f ф h х c ц č ч š ш"
_OF_ONE_CODE = "ǉ љ ǌ њ ǆ џ"  # how Unicode encodes the digraphs for texts that go back and forth
_TOKEN = regex.compile(r"[\p{L}\p{M}\p{N}_]+(?:[-.:/@]+[\p{L}\p{M}\p{N}_]+)*")
_FOREIGN = regex.compile(r"[[\p{Latin}\p{N}_]--[a-zčćđšžA-ZČĆĐŠŽǆǅǄǉǈǇǌǋǊ]]|[qwxyQWXY@]|://", regex.VERSION1)


def in_cyrillic(text: str) -> str:
    """Return Latin Serbian in Cyrillic; words with a digit or a letter that Serbian lacks (Windows, E-404) stay."""
    return word_by_word(nfc(text), words=_TOKEN, foreign=_FOREIGN, respelt=_CYRILLIC)


def in_latin(text: str) -> str:
    """Return Cyrillic Serbian in Latin, with its diacritics."""
    return _LATIN(nfc(text))


def _apart(digraph: str, word: str) -> Rule:
    """The rule for the two letters of one listed beginning."""
    before, _, after = word.partition(digraph)
    in_two = _SINGLE(digraph)
    return Rule(digraph, in_two, rf"(?<=(?<!\p{{L}})(?i:{before}))", rf"(?=(?i:{after}))")


def _turned(written: str) -> str:
    return " ".join(f"{cyrillic} {latin}" for latin, cyrillic in pairs(written))


_SINGLE = Respelling(table(_LETTERS))
_CYRILLIC = Respelling(
    (
        *(_apart(digraph, word) for digraph, words in APART.items() for word in words),
        *table(f"{_DIGRAPHS} {_OF_ONE_CODE} {_LETTERS}"),
    )
)
_LATIN = Respelling(table(_turned(f"{_DIGRAPHS} {_LETTERS}")))
