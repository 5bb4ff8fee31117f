"""Terms by their script: compounds where words are not spaced, and runs of Latin inside another script."""

from collections.abc import Iterator

import regex

from curation.miners.located import Word
from curation.miners.rarity import Rarity
from curation.retrieval.locales import language_of

_COMPOUNDS = {"ja": regex.compile(r"[\p{Katakana}ー]{3,}(?:[・＝][\p{Katakana}ー]+)*|\p{Han}{3,8}")}
_RUN = regex.compile(r"\p{Han}+")
_INFLECTED = regex.compile(r"\p{Hiragana}")
# A count, a span or a bound of one, or a word for "each", "for" and the like at its end: 五営業日以内, 車種別.
_MEASURED = regex.compile(
    r"[一二三四五六七八九十百千万何数両各毎同].*|.*(?:以内|以上|以下|以降|以前|以外|未満|程度|[別分的用中等間後前時])"
)
# What may stand beside a whole compound in kanji: no kana of an ending, no counted number.
_CUT_BEFORE = regex.compile(r"[\p{Nd}ヶケか月りみきしちいけげめれ々]")
_CUT_AFTER = regex.compile(r"[みりきちしけげめいれく々]")
_FOREIGN = regex.compile(
    r"\p{Lu}[A-Za-z0-9&+._-]+(?: (?:(?:of|the|and|de|for) )*[A-Z][A-Za-z0-9&+._-]*){0,4}(?<![._-])"
)


def is_compounding(language: str) -> bool:
    """Whether the language's compounds are found by their script."""
    return language_of(language) in _COMPOUNDS


def compounds(sentence: str, language: str, *, rarity: Rarity) -> Iterator[tuple[int, int]]:
    """Offsets of compounds that are whole: not a count, and not parted from an ending in kana."""
    for match in _COMPOUNDS[language_of(language)].finditer(sentence):
        if not rarity.ordinary(match[0]) and not _is_part(sentence, *match.span()):
            yield match.span()


def foreign_runs(sentence: str) -> Iterator[tuple[int, int]]:
    """Offsets of capitalised Latin words in a row."""
    return (match.span() for match in _FOREIGN.finditer(sentence))


def is_inflected(word: str) -> bool:
    """Whether a Japanese word has an ending in kana: a verb, an adjective or an everyday noun."""
    return bool(_INFLECTED.search(word))


def is_measured(word: str) -> bool:
    """Whether a Japanese compound is a count, a span or a bound of one."""
    return bool(_MEASURED.fullmatch(word))


def is_cut_from_run(sentence: str, word: Word) -> bool:
    """Whether a Japanese word has more of its own script right beside it: the whole run is the term then."""
    if not _RUN.fullmatch(word.text):
        return False
    return bool(_RUN.match(sentence[word.start - 1 : word.start]) or _RUN.match(sentence, word.end))


def _is_part(sentence: str, start: int, end: int) -> bool:
    if not _RUN.fullmatch(sentence[start:end]):
        return False
    before = sentence[start - 1 : start]
    return bool(is_measured(sentence[start:end]) or _CUT_BEFORE.match(before) or _CUT_AFTER.match(sentence, end))
