"""Names of several words: capitalised words in a row, whole and without what only opens the sentence."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import dropwhile

import regex

from curation.miners import cldr
from curation.miners.located import Word
from curation.miners.rarity import Rarity
from curation.miners.vocabulary import folded
from curation.miners.wordforms import NOUNS_ARE_CAPITALISED, is_function_word
from curation.retrieval.locales import language_of

_LETTERS = r"(?:[\p{Latin}\p{Cyrillic}\p{Greek}\p{Armenian}]\p{M}*)+"  # an accent may be a mark of its own
CASED = regex.compile(rf"{_LETTERS}(?:[-'’]{_LETTERS})*")
SEVERAL = regex.compile(r"\p{Lu}{2,}s")
ROMAN = regex.compile(r"[IVXLCDM]+|([YMDHS])\1+.*")  # and date patterns: YYYYMMDD
_LINKS = frozenset(
    ["of", "y", "al", "el", "la", "le", "bin", "van", "von", "der", "den", "da", "di", "do", "du"]
) | frozenset(["de", "del", "della", "des"])
_MOST_WORDS = 5
# A name goes on behind these: Uniform Disposition of Unclaimed (Personal) Property, ISO/IEC, List Web site.
_GOES_ON = regex.compile(r"/| \(\p{Lu}\p{Ll}+\) \p{Lu}| and \p{Lu}\p{Ll}++(?! \p{Lu}| of\b)| site\b")
_JOINED = frozenset({" ", " & "})


def name_runs(sentence: str, words: Sequence[Word], language: str, *, rarity: Rarity) -> Iterator[tuple[int, int]]:
    """Offsets of two or more capitalised words in a row, small links between them allowed (Board of Governors)."""
    run: list[Word] = []
    for word in [*words, None]:
        if word and (not run or sentence[run[-1].end : word.start] in _JOINED) and _continues(word.text, run):
            run.append(word)
            continue
        opens = bool(run) and run[0] is words[0]
        name = _trimmed(run, language, rarity=rarity, opens=opens)
        if name and not _GOES_ON.match(sentence, name[-1].end):
            yield name[0].start, name[-1].end
        run = [word] if word and _is_capitalised(word.text) else []


def is_of_calendar(word: str, language: str) -> bool:
    """Whether it is a month or a day of the week, also of several of them (Sundays)."""
    bare = folded(word, language)
    return bare in _calendar(language) or bare.removesuffix("s") in _calendar(language)


@cache
def _calendar(language: str) -> frozenset[str]:
    """Months and days of the week, which are capitalised and name nothing of the corpus."""
    days = (day for locale in cldr.locales(language) for day in locale.days["format"]["wide"].values())
    return frozenset(folded(name, language) for name in (*cldr.month_names(language), *days))


def _continues(word: str, run: Sequence[Word]) -> bool:
    return _is_capitalised(word) or (bool(run) and word in _LINKS)


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and bool(CASED.match(word)) and not SEVERAL.fullmatch(word)


def _trimmed(run: list[Word], language: str, *, rarity: Rarity, opens: bool) -> list[Word]:
    """The name in a run: no links at its end, no first word that only opens the sentence; empty where it names none."""
    while run and run[-1].text in _LINKS:
        run.pop()
    if language_of(language) in NOUNS_ARE_CAPITALISED:
        run = _without_nouns(run, language, opens=opens, rarity=rarity)
    while run and (
        is_function_word(run[0].text, language) or (opens and _only_opens(run[0].text, language, rarity=rarity))
    ):
        run = run[1:]
    capitalised = [word.text for word in run if word.text not in _LINKS]
    fits = len(capitalised) >= 2 and len(run) <= _MOST_WORDS and _is_name(capitalised, language, rarity=rarity)
    return run if fits else []


def _only_opens(word: str, language: str, *, rarity: Rarity) -> bool:
    """Whether a sentence's first word has its capital from standing there."""
    use = rarity.vocabulary.use(word, language)
    return bool(use.small) or word in _LINKS or (not use.inner_capital and rarity.ordinary(folded(word, language)))


def _without_nouns(run: list[Word], language: str, *, opens: bool, rarity: Rarity) -> list[Word]:
    """Where nouns have capitals, a name stands side by side inside a sentence and begins with a special word."""
    if opens or any(word.text in _LINKS for word in run):
        return []
    return list(dropwhile(lambda word: not rarity.is_special(word.text, language), run))


def _is_name(words: Sequence[str], language: str, *, rarity: Rarity) -> bool:
    """Whether the run names something: no lone letter in it, and a word that the corpus never writes small."""
    if any(len(word) == 1 for word in words):
        return False
    numbered = any(ROMAN.fullmatch(word) for word in words)
    return any(
        not rarity.vocabulary.use(word, language).small
        and not is_of_calendar(word, language)
        and not (numbered and (ROMAN.fullmatch(word) or rarity.ordinary(folded(word, language))))
        for word in words
    )
