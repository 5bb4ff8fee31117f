"""Words and sentences of a text with their places, by Unicode segmentation."""

from typing import NamedTuple

import regex
from icu4py.breakers import SentenceBreaker

from curation.retrieval.tokens import words

_JOINERS = frozenset({"-", "·"})
_HUNG_ON = regex.compile(r"(\p{L}[\p{L}-]*)['’]s|(?=\p{Lu})(\p{L}{3,})['’](?![lt]\Z)\p{Ll}{1,8}")


class Word(NamedTuple):
    """A word and its character offsets in the text."""

    text: str
    start: int
    end: int


def located_words(text: str, locale: str) -> list[Word]:
    """The words of a text in order; parts that a lone hyphen or dot joins are one (loan-to-value, 马丁·路德)."""
    found: list[Word] = []
    at = 0
    for word in words(text, locale):
        start = text.index(word, at)
        at = start + len(word)
        if found and text[found[-1].end : start] in _JOINERS:
            start = found.pop().start
        found.append(Word(text[start:at], start, at))
    return [_bare(word) for word in found]


def _bare(word: Word) -> Word:
    """The word without what an apostrophe hangs on a name: Adana'daki, the insured's. Elisions (l'eau, Int'l) stay."""
    match = _HUNG_ON.fullmatch(word.text)
    if not match:
        return word
    stem = match[1] or match[2]
    return Word(stem, word.start, word.start + len(stem))


def sentences(text: str, locale: str) -> list[Word]:
    """The sentences of a text in order, with their places; line ends end sentences too."""
    found: list[Word] = []
    at = 0
    for line in text.splitlines(keepends=True):
        for sentence in SentenceBreaker(line, locale):
            found.append(Word(sentence, at, at + len(sentence)))
            at += len(sentence)
    return found
