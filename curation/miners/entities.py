"""What in a sentence looks like an entity: names, abbreviations, codes, compounds, and words special to the corpus."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import dropwhile
from typing import Literal, NamedTuple

import regex

from curation.miners import cldr
from curation.miners.located import Word, located_words
from curation.miners.rarity import Rarity
from curation.miners.vocabulary import folded
from curation.miners.wordforms import is_describing
from curation.retrieval.locales import language_of, script_of
from curation.retrieval.query_types import is_code_like

Kind = Literal["name", "abbreviation", "code", "compound", "word"]

_ABBREVIATION = regex.compile(r"\p{Lu}[\p{Lu}&.-]*\p{Lu}")
_SEVERAL = regex.compile(r"\p{Lu}{2,}s")
_ROMAN = regex.compile(r"[IVXLCDM]+|([YMDHS])\1+.*")  # and date patterns: YYYYMMDD
_MIXED = regex.compile(r"(?=.*\p{Nd})(?=.*\p{Lu}.*[\p{Lu}\p{Nd}].*[\p{Lu}\p{Nd}])[\p{L}\p{Nd}_.-]{3,}")
_MEASURE = regex.compile(r"\p{Nd}[\p{Nd}.,]*(?:\p{L}{1,3}|-.*)")
_LINKS = frozenset(
    (
        "of",
        "de",
        "del",
        "della",
        "da",
        "di",
        "do",
        "du",
        "des",
        "la",
        "le",
        "van",
        "von",
        "der",
        "den",
        "al",
        "el",
        "bin",
        "y",
    )
)
_MOST_WORDS = 5
_SHORTEST_WORD = 5
_SHORTEST_UNCASED = 4
_CASED = regex.compile(
    r"[\p{Latin}\p{Cyrillic}\p{Greek}\p{Armenian}]+(?:[-'’][\p{Latin}\p{Cyrillic}\p{Greek}\p{Armenian}]+)*"
)
_CASED_SCRIPTS = frozenset({"Latn", "Cyrl", "Grek", "Armn"})
# Runs of Latin inside another script, and compounds where words are not spaced.
_FOREIGN = regex.compile(
    r"\p{Lu}[A-Za-z0-9&+._-]+(?: (?:(?:of|the|and|de|for) )*[A-Z][A-Za-z0-9&+._-]*){0,4}(?<![._-])"
)
_COMPOUNDS = {"ja": regex.compile(r"[\p{Katakana}ー]{3,}(?:[・＝][\p{Katakana}ー]+)*|\p{Han}{3,8}")}
_RUN = regex.compile(r"\p{Han}+")
_INFLECTED = regex.compile(r"\p{Hiragana}")  # a Japanese word with an ending: a verb, an adjective or an everyday noun
_NOUNS_ARE_CAPITALISED = frozenset({"de", "lb"})
_NAMED_BY_SYLLABLE = frozenset({"vi"})  # a name is several words here, and one of them says little


class Candidate(NamedTuple):
    """A term as a sentence writes it, with its offsets there."""

    term: str
    kind: Kind
    start: int
    end: int


def candidates(sentence: str, language: str, *, rarity: Rarity) -> Iterator[Candidate]:
    """The terms of one sentence that may be worth a query, in no order; spans may overlap.

    A sentence in capitals gives none: nothing in it stands out.
    """
    if _is_shouted(sentence):
        return
    words = located_words(sentence, language)
    for run in _name_runs(sentence, words, language, rarity=rarity):
        yield _spanned(sentence, run, "name")
    for word in words:
        kind = _kind(word.text, language, rarity=rarity)
        if kind and not _is_cut_from_run(sentence, word, language):
            yield Candidate(word.text, kind, word.start, word.end)
    yield from _runs_of_script(sentence, language, rarity=rarity)


def _is_cut_from_run(sentence: str, word: Word, language: str) -> bool:
    """Whether a Japanese word has more of its own script right beside it: the whole run is the term then."""
    if language_of(language) not in _COMPOUNDS or not _RUN.fullmatch(word.text):
        return False
    return bool(_RUN.match(sentence[word.start - 1 : word.start]) or _RUN.match(sentence[word.end : word.end + 1]))


def _is_shouted(sentence: str) -> bool:
    letters = [sign for sign in sentence if sign.isalpha()]
    return len(letters) > 20 and sum(sign.isupper() for sign in letters) > len(letters) * 0.6


def _kind(word: str, language: str, *, rarity: Rarity) -> Kind | None:
    if not rarity.is_rare(word, language) or _SEVERAL.fullmatch(word):
        return None
    if "·" in word:
        return "name"
    if regex.search(r"\p{Nd}|_", word):
        return "code" if _is_code(word) else None
    if _ABBREVIATION.fullmatch(word):
        return None if _ROMAN.fullmatch(word) or _is_known_everywhere(word, language) else "abbreviation"
    if _CASED.fullmatch(word):
        return _cased_kind(word, language, rarity=rarity) if script_of(language) in _CASED_SCRIPTS else None
    long_enough = len(word) >= (2 if regex.match(r"\p{Han}", word) else _SHORTEST_UNCASED)
    spaced = not regex.match(r"[\p{Katakana}\p{Hiragana}]", word)
    return "word" if long_enough and spaced and _is_special_uncased(word, language, rarity=rarity) else None


def _is_known_everywhere(word: str, language: str) -> bool:
    """Whether an abbreviation is a currency or a country."""
    places = cldr.territories(language)
    return word in cldr.currencies(language) or word in places or f"{word}." in places


def _is_code(word: str) -> bool:
    return bool((is_code_like(word) or _MIXED.fullmatch(word)) and not _MEASURE.fullmatch(word))


def _cased_kind(word: str, language: str, *, rarity: Rarity) -> Kind | None:
    use = rarity.vocabulary.use(word, language)
    if use.is_capitalised and language_of(language) not in _NOUNS_ARE_CAPITALISED:
        return "name" if _is_single_name(word, language, rarity=rarity) else None
    if use.small and language_of(language) in _NOUNS_ARE_CAPITALISED:
        return None
    if len(word) < _SHORTEST_WORD or is_describing(word, language) or not rarity.is_special(word, language):
        return None
    return "word"


def _is_single_name(word: str, language: str, *, rarity: Rarity) -> bool:
    if not word[0].isupper() or len(word) < 3 or language_of(language) in _NAMED_BY_SYLLABLE:
        return False
    return not _is_of_calendar(word, language) and rarity.is_special(word, language)


def _is_of_calendar(word: str, language: str) -> bool:
    """Whether it is a month or a day of the week, also of several of them (Sundays)."""
    bare = folded(word, language)
    return bare in _calendar(language) or bare.removesuffix("s") in _calendar(language)


def _is_special_uncased(word: str, language: str, *, rarity: Rarity) -> bool:
    if not regex.fullmatch(r"[\p{L}\p{M}]+", word) or is_describing(word, language):
        return False
    inflected = language_of(language) in _COMPOUNDS and _INFLECTED.search(word)
    return not inflected and rarity.is_special(word, language)


@cache
def _calendar(language: str) -> frozenset[str]:
    """Months and days of the week, which are capitalised and name nothing of the corpus."""
    days = (day for locale in cldr.locales(language) for day in locale.days["format"]["wide"].values())
    return frozenset(folded(name, language) for name in (*cldr.month_names(language), *days))


def _name_runs(sentence: str, words: Sequence[Word], language: str, *, rarity: Rarity) -> Iterator[Sequence[Word]]:
    """Two or more capitalised words in a row, small links between them allowed (Board of Governors)."""
    run: list[Word] = []
    for word in [*words, None]:
        if word and (not run or sentence[run[-1].end : word.start] == " ") and _continues(word.text, run):
            run.append(word)
            continue
        yield from _trimmed(run, language, rarity=rarity, opens=bool(run) and run[0] is words[0])
        run = [word] if word and _is_capitalised(word.text) else []


def _continues(word: str, run: Sequence[Word]) -> bool:
    return _is_capitalised(word) or (bool(run) and word in _LINKS)


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and bool(_CASED.match(word)) and not _SEVERAL.fullmatch(word)


def _trimmed(run: list[Word], language: str, *, rarity: Rarity, opens: bool) -> Iterator[Sequence[Word]]:
    """The run without links at its end, and without a first word that only opens the sentence."""
    while run and run[-1].text in _LINKS:
        run.pop()
    if language_of(language) in _NOUNS_ARE_CAPITALISED:
        run = _without_nouns(run, language, opens=opens, rarity=rarity)
    while opens and run and _only_opens(run[0].text, language, rarity=rarity):
        run = run[1:]
    capitalised = [word.text for word in run if word.text not in _LINKS]
    if len(capitalised) >= 2 and len(run) <= _MOST_WORDS and _is_name(capitalised, language, rarity=rarity):
        yield run


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
    numbered = any(_ROMAN.fullmatch(word) for word in words)
    return any(
        not rarity.vocabulary.use(word, language).small
        and not _is_of_calendar(word, language)
        and not (numbered and (_ROMAN.fullmatch(word) or rarity.ordinary(folded(word, language))))
        for word in words
    )


def _spanned(sentence: str, run: Sequence[Word], kind: Kind) -> Candidate:
    start, end = run[0].start, run[-1].end
    return Candidate(sentence[start:end], kind, start, end)


def _runs_of_script(sentence: str, language: str, *, rarity: Rarity) -> Iterator[Candidate]:
    own = language_of(language)
    if own in _COMPOUNDS:
        for match in _COMPOUNDS[own].finditer(sentence):
            if not rarity.ordinary(match[0]):
                yield Candidate(match[0], "compound", *match.span())
    if script_of(language) not in _CASED_SCRIPTS:
        for match in _FOREIGN.finditer(sentence):
            if (
                not _is_code(match[0])
                and not _ABBREVIATION.fullmatch(match[0])
                and not rarity.ordinary(match[0].lower())
            ):
                yield Candidate(match[0], "name", *match.span())
