"""A draft query for a rare term: the term once, and the few words beside it that say what is asked about it."""

from collections.abc import Iterable, Iterator, Sequence

import regex

from curation.miners.drafts import levels
from curation.miners.entities import Kind
from curation.miners.located import Word
from curation.miners.sightings import Place
from curation.miners.telling import Telling, is_unspaced
from curation.miners.vocabulary import folded
from curation.retrieval.locales import language_of

_FEWEST, _MOST = 2, 4  # words beside the term
_NEAR = 40  # characters between a term and a word of its sentence that still speaks of it
_SHORTEST_STEM = 4
_LONGEST_PREFIX = 3  # articles and conjunctions written onto a word: المعاملات
_PART = regex.compile(r"[^:;,.?!()—–、。,:;？！：，]+|.")
# What a sentence says right behind a code that it explains, and how people ask for it.
_MEANS = {
    "de": r" (?:bedeutet|heißt|steht für)\b", "en": r" (?:means|stands for)\b", "es": r" significa\b",
    "fr": r" signifie\b", "it": r" significa\b", "ja": r"とは", "ru": r" (?:означает|значит)\b",
    "th": r" ?(?:หมายถึง|หมายความว่า)", "tr": r"[^.]* (?:demektir|anlamına gelir)\b",
}  # fmt: skip
_ASKED = {
    "de": "was bedeutet {}", "en": "what does {} mean", "es": "qué significa {}", "fr": "que signifie {}",
    "it": "cosa significa {}", "ja": "{}とは", "ru": "что означает {}", "th": "{} หมายถึงอะไร", "tr": "{} ne demek",
}  # fmt: skip

Sided = tuple[Word, bool]  # a word, and whether it comes before the term


def draft(term: str, kind: Kind, place: Place, *, telling: Telling) -> str:
    """What a searcher would type for the term.

    A code that its sentence explains is asked for ("what does SAN-12 mean"). Else the term stands among two to four
    topic words: those of the title's heading around it, the one right beside it in its sentence, those of the headings
    above, the nearest of its sentence, and last those of the widest heading. Where nothing tells more, it stands alone.
    """
    own = language_of(place.language)
    if kind in ("code", "abbreviation") and own in _MEANS and regex.match(_MEANS[own], place.sentence[place.end :]):
        return _ASKED[own].format(term)
    query = _Query(term, place, telling)
    for words in _sources(place, telling):
        if query.size >= _FEWEST:
            break
        query.take(words)
    return query.text()


class _Query:
    """The words chosen so far, before and behind the term."""

    def __init__(self, term: str, place: Place, telling: Telling) -> None:
        self._term, self._place, self._telling = term, place, telling
        self._before: list[Word] = []
        self._after: list[Word] = []

    @property
    def size(self) -> int:
        """Words beside the term."""
        return len(self._before) + len(self._after)

    def take(self, words: Iterable[Sided]) -> None:
        """Take words of one text: two as they come, more that stand beside a taken one; none that says it again."""
        taken: list[Sided] = []
        for word, is_before in words:
            typed = word._replace(text=self._telling.typed(word.text, self._place.language))
            near = [each for each, _ in taken]
            room = self.size + len(taken) < _FEWEST or any(_touch(word, each) for each in near)
            chosen = [each.text for each in (*self._before, *self._after, *near)]
            if (
                room
                and len(chosen) < _MOST
                and not _says_again(typed.text, [self._term, *chosen], self._place.language)
            ):
                taken.append((typed, is_before))
        self._before = [*_in_order(taken, before=True), *self._before]
        self._after = [*self._after, *_in_order(taken, before=False)]

    def text(self) -> str:
        """The query, less a word where it would be the title or the sentence itself."""
        if self.size >= _FEWEST and self._is_copied():
            (self._after or self._before).pop(0)  # what is left ends in its head noun
        return self._written()

    def _written(self) -> str:
        return " ".join([*(word.text for word in self._before), self._term, *(word.text for word in self._after)])

    def _is_copied(self) -> bool:
        texts = (self._written(), self._place.title, self._place.sentence)
        written, *copied = ("".join(regex.findall(r"[\p{L}\p{M}\p{Nd}]+", text.casefold())) for text in texts)
        return written in copied


def _sources(place: Place, telling: Telling) -> Iterator[list[Sided]]:
    """Topic words to take, the most telling first."""
    path = [level for level in levels(place.title) if level]
    naming = [level for level in path[-1:] if _at(level, place) is not None]
    for level in naming:
        yield from _around(level, place, telling)
    said = telling.of_sentence(place.sentence, place.language)
    yield [(word, word.end <= place.start) for word in said if _is_beside(word, place)]
    others = path[: len(path) - len(naming)]
    for level in reversed(others[1:] or others):
        yield from _by_part(level, telling.of_title(level, place.language))
    yield _nearest([word for word in said if _distance(word, place.start, place.end) <= _NEAR], place.start, place.end)
    for level in others[:1]:
        yield from _by_part(level, telling.of_title(level, place.language))


def _around(level: str, place: Place, telling: Telling) -> Iterator[list[Sided]]:
    """The words of the part of a heading that names the term, nearest first; then of those behind it, and before it."""
    start, end = _at(level, place) or (0, 0)
    words = telling.of_title(level, place.language)
    own = next(part for part in _PART.finditer(level) if part.start() <= start < part.end())
    yield _nearest([word for word in words if own.start() <= word.start < own.end()], start, end)
    yield from _by_part(level, [word for word in words if word.start >= max(end, own.end())])
    yield _nearest([word for word in words if word.end <= own.start()], start, end)


def _by_part(level: str, words: Sequence[Word]) -> Iterator[list[Sided]]:
    for part in _PART.finditer(level):
        yield [(word, False) for word in words if part.start() <= word.start < part.end()]


def _at(level: str, place: Place) -> tuple[int, int] | None:
    """Where a heading names the term."""
    match = regex.search(rf"(?<![\p{{L}}\p{{Nd}}]){regex.escape(place.term)}", level, regex.IGNORECASE)
    return match.span() if match else None


def _nearest(words: Sequence[Word], start: int, end: int) -> list[Sided]:
    ordered = sorted(words, key=lambda word: (_distance(word, start, end), word.start))
    return [(word, word.end <= start) for word in ordered]


def _distance(word: Word, start: int, end: int) -> int:
    return max(start - word.end, word.start - end)


def _is_beside(word: Word, place: Place) -> bool:
    """Whether nothing but a space parts a word from the term."""
    return " " in (place.sentence[word.end : place.start], place.sentence[place.end : word.start])


def _says_again(word: str, said: Sequence[str], language: str) -> bool:
    """Whether a word, a form of it, or a part that a hyphen joins to it is said already."""
    held = [part for each in said for part in _parts(folded(each, language))]
    return any(_is_form(one, other) for one in _parts(folded(word, language)) for other in held)


def _parts(bare: str) -> list[str]:
    return [bare, *(part for part in regex.split(r"[\s-]", bare) if part and part != bare)]


def _is_form(one: str, other: str) -> bool:
    """Whether the longer folded word is the other with an ending or an article; unspaced scripts: holds it."""
    short, long = sorted((one, other), key=len)
    if is_unspaced(short):
        return short in long
    prefixed = long.endswith(short) and len(long) - len(short) <= _LONGEST_PREFIX
    return short == long or (len(short) >= _SHORTEST_STEM and (long.startswith(short) or prefixed))


def _touch(one: Word, other: Word) -> bool:
    return one.start - other.end in (0, 1) or other.start - one.end in (0, 1)


def _in_order(words: Sequence[Sided], *, before: bool) -> list[Word]:
    """The words of one side as the text has them; those that touch in a script without spaces are one."""
    found: list[Word] = []
    for word in sorted((word for word, is_before in words if is_before is before), key=lambda word: word.start):
        if found and found[-1].end == word.start and is_unspaced(word.text):
            found[-1] = Word(found[-1].text + word.text, found[-1].start, word.end)
        else:
            found.append(word)
    return found
