"""What the desk tells of a typed text beside what may stop it: nothing here stops a save."""

from __future__ import annotations

from dataclasses import dataclass

from curation.models import Corpus
from curation.retrieval.folding import fold
from curation.retrieval.locales import language_of
from curation.retrieval.mixed_words import MixedWord, mixed_words
from curation.retrieval.scripts import foreign_writing
from curation.retrieval.tokens import words

from .articles import Article
from .checks import Reading, Typed
from .language_hint import ENGLISH, other_language
from .likeness import Alike, closest_in
from .taken import Source, Taken, Wording, located

PASTED = 0.6  # of the words of a text, from which on it is the need or its document, and no wording
LEAST_PASTED = 3  # words


@dataclass(frozen=True, slots=True)
class Hints:
    """What informs a writer.

    `taken` is None where the need has no document; `foreign_writing` says what the text is written in where its locale
    is never written so, and then nothing is guessed of its language; `other_language` is the locale the text reads
    like, "" for its own; `pasted` tells that most of its words are those of the English need, or of the document in
    another language.
    """

    mixed: tuple[MixedWord, ...]
    taken: Taken | None
    closest: Alike
    foreign_writing: str
    other_language: str
    pasted: bool


def hints(corpus: Corpus, typed: Typed, *, reading: Reading, gold: Article | None) -> Hints:
    """The hints about a typed text whose need asks for `gold`."""
    locale = typed.locale
    sources = sources_of(gold)
    script, foreign = reading.place.script, foreign_writing(reading.text, locale)
    locales = list(corpus.locales.values_list("locale", flat=True))
    return Hints(
        mixed=mixed_words(reading.text),
        taken=Wording(reading.text, locale).taken_from(sources) if sources else None,
        closest=closest_in(corpus, reading.text, locale=locale),
        foreign_writing=foreign,
        other_language="" if foreign else other_language(reading.text, locale=locale, script=script, locales=locales),
        pasted=any(
            is_pasted(reading.text, source)
            for source in [*need_as_source(typed), *sources]
            if language_of(source.locale) != language_of(locale)
        ),
    )


def sources_of(gold: Article | None) -> list[Source]:
    """The texts a writer sees of the document, without their titles: a title names the topic, which is asked for."""
    sides = gold.sides if gold else ()
    return [Source(text.text, side.language) for side in sides for text in side.texts]


def need_as_source(typed: Typed) -> list[Source]:
    """The need, where it is in English."""
    return [Source(typed.need.text, ENGLISH)] if typed.need.is_english else []


def is_pasted(text: str, source: Source) -> bool:
    """Whether most words of `text` are those of `source`."""
    ours = [fold(word, source.locale) for word in words(text, source.locale)]
    theirs = {key for _, _, key in located(source)}
    return len(ours) >= LEAST_PASTED and sum(word in theirs for word in ours) >= PASTED * len(ours)
