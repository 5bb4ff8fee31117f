"""Where a corpus names a term: the articles that hold it and how often each chunk does."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import regex

from curation.miners import cldr
from curation.miners.documents import Documents
from curation.miners.entities import Candidate, Kind, candidates
from curation.miners.located import sentences
from curation.miners.ordinary import LANGUAGES
from curation.miners.progress import Progress
from curation.miners.rarity import Rarity
from curation.miners.vocabulary import folded
from curation.miners.wordforms import is_verb_there
from curation.retrieval.locales import language_of

_SHORTEST_ABBREVIATION = 3
# The witness keeps whole words of spaced languages that inflect by short endings. It cuts Chinese, Japanese and Thai
# as it likes, and of a word that takes many forms (Arabic, Korean, Polish, Russian, Turkish) it knows one or two.
_WELL_WITNESSED = LANGUAGES - {"ar", "ja", "ko", "pl", "ru", "th", "tr", "zh"}
_REPORTED_EVERY = 1000


@dataclass
class Sighting:
    """One term, folded. `articles` are canonical ids, `uses` counts by row, `as_verb` those of a verb's place."""

    key: str
    kind: Kind
    written: str
    articles: set[str] = field(default_factory=set)
    uses: Counter[int] = field(default_factory=Counter)
    as_verb: int = 0

    def best_row(self, documents: Documents) -> int:
        """The chunk to ask about.

        One with the term in its title; a source rendering; of the language that uses the term most; with most uses;
        the first.
        """
        languages: Counter[str] = Counter()
        for row, uses in self.uses.items():
            languages[documents.languages[row]] += uses

        def order(row: int) -> tuple[bool, bool, int, str, int, int]:
            language = documents.languages[row]
            plain = not documents.sources[row]
            return not self.is_titled(documents, row), plain, -languages[language], language, -self.uses[row], row

        return min(self.uses, key=order)

    def is_titled(self, documents: Documents, row: int) -> bool:
        """Whether the chunk's title holds the term."""
        return is_named_in(documents.titles[row], self.key, documents.languages[row])


class Place(NamedTuple):
    """Where a chunk first names a term: its sentence there, which begins `at` in the body, and offsets in it."""

    row: int
    language: str
    title: str
    body: str
    at: int
    sentence: str
    term: str
    start: int
    end: int


def is_named_in(title: str, key: str, language: str) -> bool:
    """Whether a title names a folded term, from the beginning of a word where words are spaced; short terms whole."""
    written = folded(title, language)
    if key not in written:  # building a pattern costs a hundred times as much, and most titles do not name the term
        return False
    edge = r"(?<![\p{Latin}\p{Cyrillic}\p{Greek}\p{Nd}])"
    end = "" if len(key) > _SHORTEST_ABBREVIATION else r"(?!\p{L})"
    return bool(regex.search(edge + regex.escape(key) + end, written))


def sighted(documents: Documents, rarity: Rarity, *, progress: Progress) -> dict[str, Sighting]:
    """Every term fewer articles hold than the limit, by its folded form.

    A name inside a longer name is held by the articles of the longer one too; it is dropped where no other article
    holds it.
    """
    found: dict[str, Sighting] = {}
    for row, language in enumerate(documents.languages):
        for sentence, seen in _terms_of(documents.body(row), language, rarity=rarity):
            key = folded(seen.term, language)
            sighting = found.setdefault(key, Sighting(key, seen.kind, seen.term))
            sighting.articles.add(documents.canonical_ids[row])
            sighting.uses[row] += 1
            sighting.as_verb += is_verb_there(sentence, (seen.start, seen.end), language)
        progress(row + 1, len(documents))
    inner = _count_in_longer(found)
    return {
        key: each for key, each in found.items() if key not in inner and len(each.articles) < rarity.vocabulary.below
    }


def vouched(
    found: Mapping[str, Sighting], documents: Documents, *, ordinary: Callable[[str], bool], progress: Progress
) -> dict[str, int]:
    """The terms for which more speaks than that they are rare, each with the row to ask about.

    Args:
        found: terms by folded form.
        documents: the corpus.
        ordinary: tells words that people use about anything.
        progress: called with terms weighed and terms to weigh.
    """
    rows: dict[str, int] = {}
    for done, (key, sighting) in enumerate(found.items(), 1):
        row = sighting.best_row(documents)
        if _is_vouched_for(sighting, documents, row, ordinary=ordinary):
            rows[key] = row
        if done % _REPORTED_EVERY == 0 or done == len(found):
            progress(done, len(found))
    return rows


def _is_vouched_for(sighting: Sighting, documents: Documents, row: int, *, ordinary: Callable[[str], bool]) -> bool:
    """Whether something besides its rarity says that this is a term.

    A verb is none. What is known everywhere, and a word where the witness of ordinary words knows few of its language,
    is one if the title of a chunk names it.
    """
    language, titled = documents.languages[row], sighting.is_titled(documents, row)
    if sighting.kind in ("name", "abbreviation"):
        return titled or not _is_worldly(sighting.written, language, ordinary=ordinary)
    if sighting.kind != "word":
        return True
    known = language_of(language) in _WELL_WITNESSED or not documents.titles[row]
    return (known or titled) and 2 * sighting.as_verb < sighting.uses.total()


def placed(
    documents: Documents, rows: Mapping[str, int], rarity: Rarity, *, progress: Progress
) -> Iterator[tuple[str, Place]]:
    """The first place of each folded term in its row, row by row.

    Args:
        documents: the corpus.
        rows: the row of each folded term.
        rarity: what is rare in the corpus.
        progress: called with rows read and rows to read.
    """
    wanted: dict[int, set[str]] = {}
    for key, row in rows.items():
        wanted.setdefault(row, set()).add(key)
    for done, row in enumerate(sorted(wanted), 1):
        language, body = documents.languages[row], documents.body(row)
        for sentence in sentences(body, language):
            for seen in candidates(sentence.text, language, rarity=rarity):
                key = folded(seen.term, language)
                if key in wanted[row]:
                    wanted[row].remove(key)
                    where = (row, language, documents.titles[row], body, sentence.start, sentence.text)
                    yield key, Place(*where, seen.term, seen.start, seen.end)
        progress(done, len(wanted))


def _is_worldly(written: str, language: str, *, ordinary: Callable[[str], bool]) -> bool:
    """Whether any text may mention it: a country, a language, a famous place or people (Texas), two capitals (NW)."""
    known = " " not in written and ordinary(written)
    return known or len(written) < _SHORTEST_ABBREVIATION or written in cldr.world_names(language)


def _terms_of(text: str, language: str, *, rarity: Rarity) -> Iterator[tuple[str, Candidate]]:
    """The candidates of a text, each with its sentence."""
    for sentence in sentences(text, language):
        for candidate in candidates(sentence.text, language, rarity=rarity):
            yield sentence.text, candidate


def _count_in_longer(found: Mapping[str, Sighting]) -> set[str]:
    """Give inner names the articles of longer ones; return those that only stand inside a longer one."""
    only_inside: set[str] = set()
    for key in sorted(found, key=lambda each: -each.count(" ")):  # the longest first, so that theirs are complete
        sighting, words = found[key], key.split()
        for size in range(1, len(words)):
            for start in range(len(words) - size + 1):
                part = found.get(" ".join(words[start : start + size]))
                if part:
                    part.articles |= sighting.articles
                    if part.articles == sighting.articles:
                        only_inside.add(part.key)
    return only_inside
