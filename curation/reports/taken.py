"""The words of a query that stand in the document it asks for: a person asking does not know them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from curation.miners.wordforms import is_function_word
from curation.retrieval.folding import fold
from curation.retrieval.locales import language_of
from curation.retrieval.tokens import words

Span = tuple[int, int]

HALF = 0.5  # from this share of a query's words on, the desk asks
STEM = 4  # letters that two forms of a word share at least
OF_THE_SHORTER, OF_THE_LONGER = 0.8, 0.5  # and this much of both: hırsızlık, hırsızlığından; not park, parola
LEAST_LETTERS = 3  # of a word that tells something, where words are spaced
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_TELLING = regex.compile(r"[\p{Han}\p{Katakana}]|[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]{3,}")
# The article and the prepositions that Arabic writes onto a word: والبضاعة, للبضاعة and بضاعة are one.
_ATTACHED = {"ar": regex.compile(r"^[وف]?(?:[بك]?ال|لل)(?=\p{L}{3})")}


@dataclass(frozen=True, slots=True)
class Taken:
    """The `of` words of a query, and those of them that its document holds, as they were typed."""

    words: tuple[str, ...]
    of: int

    @property
    def asks(self) -> bool:
        """Whether so many are taken over that the desk asks for other words."""
        return bool(self.words) and len(self.words) >= HALF * self.of


@dataclass(frozen=True, slots=True)
class Source:
    """A text that words can be taken from, in its canonical locale."""

    text: str
    locale: str


class Wording:
    """The telling words of a query, to be found in other texts in any of their forms."""

    def __init__(self, text: str, locale: str) -> None:
        self.locale = locale
        self._words = words(text, locale)
        self._keys = [(word, _key(word, locale)) for word in self._words if tells(word, locale)]

    def taken_from(self, sources: Iterable[Source]) -> Taken:
        """Which of its words any of `sources` holds."""
        held = [_Forms(key for _, _, key in located(each)) for each in sources]
        found = [word for word, key in self._keys if any(forms.hold(key) for forms in held)]
        return Taken(tuple(dict.fromkeys(found)), len(self._words))

    def spans_in(self, source: Source) -> list[Span]:
        """Where `source` holds one of its words, in order."""
        forms = _Forms(key for _, key in self._keys)
        return [(start, end) for start, end, key in located(source) if forms.hold(key)]


class _Forms:
    """Words to be met again in another form: by their first letters, so that each is compared with few."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._all = set(keys)
        self._by_stem: dict[str, list[str]] = {}
        for key in self._all:
            if len(key) >= STEM:
                self._by_stem.setdefault(key[:STEM], []).append(key)

    def hold(self, key: str) -> bool:
        if key in self._all:
            return True
        return any(are_forms(key, other) for other in self._by_stem.get(key[:STEM], ()))


def are_forms(one: str, other: str) -> bool:
    """Whether two folded words look like forms of one: they begin alike. Unspaced scripts have no endings to drop."""
    if _UNSPACED.search(one):
        return one == other
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    shorter, longer = sorted((len(one), len(other)))
    return shared >= STEM and shared >= OF_THE_SHORTER * shorter and shared >= OF_THE_LONGER * longer


def tells(word: str, locale: str) -> bool:
    """Whether a word carries a topic: no function word, no short one, in Japanese no word of hiragana alone."""
    if _UNSPACED.search(word):
        return bool(_TELLING.search(word))
    return len(word) >= LEAST_LETTERS and not is_function_word(fold(word, locale), locale)


@lru_cache(maxsize=64)
def located(source: Source) -> Sequence[tuple[int, int, str]]:
    """Every word of a text: where it starts and ends, and the form it is compared in."""
    found: list[tuple[int, int, str]] = []
    at = 0
    for word in words(source.text, source.locale):
        start = source.text.index(word, at)
        at = start + len(word)
        found.append((start, at, _key(word, source.locale)))
    return found


def _key(word: str, locale: str) -> str:
    folded = fold(word, locale)
    attached = _ATTACHED.get(language_of(locale))
    return attached.sub("", folded) if attached else folded
