"""What in a sentence looks like an entity: names, abbreviations, codes, compounds, and words special to the corpus."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import regex

from curation.miners import cldr
from curation.miners.located import Word, located_words
from curation.miners.name_runs import CASED, ROMAN, SEVERAL, is_of_calendar, name_runs
from curation.miners.rarity import Rarity
from curation.miners.script_runs import compounds, foreign_runs, is_compounding, is_cut_from_run, is_inflected
from curation.miners.wordforms import NOUNS_ARE_CAPITALISED, is_describing
from curation.retrieval.locales import language_of, script_of
from curation.retrieval.query_types import is_code_like

Kind = Literal["name", "abbreviation", "code", "compound", "word"]

_ABBREVIATION = regex.compile(r"\p{Lu}[\p{Lu}&.-]*\p{Lu}")
_INITIALS = regex.compile(r"(?:\p{Lu}\.)+\p{Lu}")
_MIXED = regex.compile(r"(?=.*\p{Nd})(?=.*\p{Lu}.*[\p{Lu}\p{Nd}].*[\p{Lu}\p{Nd}])[\p{L}\p{Nd}_.-]{3,}")
_NUMBERED = regex.compile(r"\p{Nd}|_")
_HAN, _KANA = regex.compile(r"\p{Han}"), regex.compile(r"[\p{Katakana}\p{Hiragana}]")
_MEASURE = regex.compile(r"\p{Nd}[\p{Nd}.,]*(?:\p{L}{1,3}|-.*)")
_SHORTEST_WORD = 5
_SHORTEST_UNCASED = 4
_CASED_SCRIPTS = frozenset({"Latn", "Cyrl", "Grek", "Armn"})
_NAMED_BY_SYLLABLE = frozenset({"vi"})  # a name is several words here, and one of them says little
# A German adjective before its noun has its capital from opening the sentence: Abgestellte Auflieger.
_ATTRIBUTE = regex.compile(r"\p{L}+e[mnrs]? \p{Lu}")


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
    for start, end in name_runs(sentence, words, language, rarity=rarity):
        yield Candidate(sentence[start:end], "name", start, end)
    for word in words:
        kind = _kind(word.text, language, rarity=rarity)
        if kind and not _is_part_of_more(sentence, word, language):
            yield Candidate(word.text, kind, word.start, word.end)
    yield from _runs_of_script(sentence, language, rarity=rarity)


def _is_part_of_more(sentence: str, word: Word, language: str) -> bool:
    """Whether the word is cut from a longer run of its script, or is an adjective before its noun."""
    if language_of(language) in NOUNS_ARE_CAPITALISED:
        return not sentence[: word.start].strip() and bool(_ATTRIBUTE.match(sentence, word.start))
    return is_compounding(language) and is_cut_from_run(sentence, word)


def _is_shouted(sentence: str) -> bool:
    letters = [sign for sign in sentence if sign.isalpha()]
    return len(letters) > 20 and sum(sign.isupper() for sign in letters) > len(letters) * 0.6


def _kind(word: str, language: str, *, rarity: Rarity) -> Kind | None:
    if not rarity.is_rare(word, language) or SEVERAL.fullmatch(word):
        return None
    if "·" in word:
        return "name"
    if _NUMBERED.search(word):
        return "code" if _is_code(word) else None
    if _ABBREVIATION.fullmatch(word):
        return "abbreviation" if _is_abbreviation(word, language, rarity=rarity) else None
    if CASED.fullmatch(word):
        return _cased_kind(word, language, rarity=rarity) if script_of(language) in _CASED_SCRIPTS else None
    long_enough = len(word) >= (2 if _HAN.match(word) else _SHORTEST_UNCASED)
    spaced = not _KANA.match(word)
    return "word" if long_enough and spaced and _is_special_uncased(word, language, rarity=rarity) else None


def _is_abbreviation(word: str, language: str, *, rarity: Rarity) -> bool:
    """Whether capitals abbreviate: no number or date pattern, no word the corpus also writes small, no initials."""
    if ROMAN.fullmatch(word) or _INITIALS.fullmatch(word) or rarity.vocabulary.use(word, language).small:
        return False
    return not _is_known_everywhere(word, language)


def _is_known_everywhere(word: str, language: str) -> bool:
    """Whether an abbreviation is a currency or a country."""
    places = cldr.territories(language)
    return word in cldr.currencies(language) or word in places or f"{word}." in places


def _is_code(word: str) -> bool:
    return bool((is_code_like(word) or _MIXED.fullmatch(word)) and not _MEASURE.fullmatch(word))


def _cased_kind(word: str, language: str, *, rarity: Rarity) -> Kind | None:
    use = rarity.vocabulary.use(word, language)
    if use.is_capitalised and language_of(language) not in NOUNS_ARE_CAPITALISED:
        return "name" if _is_single_name(word, language, rarity=rarity) else None
    if language_of(language) in NOUNS_ARE_CAPITALISED and (use.small or is_of_calendar(word, language)):
        return None
    if len(word) < _SHORTEST_WORD or is_describing(word, language) or not rarity.is_special(word, language):
        return None
    return "word"


def _is_single_name(word: str, language: str, *, rarity: Rarity) -> bool:
    if not word[0].isupper() or len(word) < 3 or language_of(language) in _NAMED_BY_SYLLABLE:
        return False
    return not is_of_calendar(word, language) and rarity.is_special(word, language)


def _is_special_uncased(word: str, language: str, *, rarity: Rarity) -> bool:
    if not regex.fullmatch(r"[\p{L}\p{M}]+", word) or is_describing(word, language):
        return False
    return not (is_compounding(language) and is_inflected(word)) and rarity.is_special(word, language)


def _runs_of_script(sentence: str, language: str, *, rarity: Rarity) -> Iterator[Candidate]:
    if is_compounding(language):
        for start, end in compounds(sentence, language, rarity=rarity):
            yield Candidate(sentence[start:end], "compound", start, end)
    if script_of(language) not in _CASED_SCRIPTS:
        for start, end in foreign_runs(sentence):
            run = sentence[start:end]
            if not _is_code(run) and not _ABBREVIATION.fullmatch(run) and not rarity.ordinary(run.lower()):
                yield Candidate(run, "name", start, end)
