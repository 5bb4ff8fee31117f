"""Rare-entity terms: what few articles of a corpus name, with the chunk that holds it and a draft query.

The order is made so that the first screen is worth reading: names, abbreviations, codes and compounds before words,
terms of a title first, and one term of each article before the second of any.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from curation.miners.documents import Documents
from curation.miners.drafts import last_level
from curation.miners.entities import Kind
from curation.miners.excerpts import excerpt
from curation.miners.located import located_words
from curation.miners.ordinary import LANGUAGES, is_ordinary
from curation.miners.progress import Progress, silent
from curation.miners.rarity import Rarity
from curation.miners.sightings import Sighting, sighted, terms_of
from curation.miners.vocabulary import count_words, folded, light_words
from curation.retrieval.locales import language_of

BELOW = 50
_FEWEST_WORDS = 3
MOST = 500
_WEIGHTS: dict[Kind, float] = {"name": 2.7, "abbreviation": 2.7, "code": 2.6, "compound": 2.6, "word": 2.3}


@dataclass(frozen=True)
class RareTerm:
    """A term as its chunk writes it.

    `df` counts the articles (canonical ids) that hold it, translations once; `document` is the external id of the chunk
    the draft `query` was cut from; `rank` starts at 1.
    """

    term: str
    kind: Kind
    language: str
    df: int
    document: str
    query: str
    rank: int


@dataclass(frozen=True)
class RareEntities:
    """The first terms of the corpus by rank, and how many there are in all."""

    below: int
    terms: tuple[RareTerm, ...]
    found: int


def mine(
    documents: Documents,
    *,
    below: int = BELOW,
    most: int = MOST,
    ordinary: Callable[[str], bool] = is_ordinary,
    progress: Progress = silent,
) -> RareEntities:
    """Find terms that fewer than `below` articles hold, and rank those that look like entities.

    Args:
        documents: the corpus, a chunk a row.
        below: articles (canonical ids) a term stays under.
        most: terms returned.
        ordinary: tells words that people use about anything; they are no terms unless they are part of a name.
        progress: called with chunks read and chunks to read; each is read twice.
    """
    total = 2 * len(documents)
    vocabulary = count_words(documents, below=below, progress=lambda done, _all: progress(done, total))
    rarity = Rarity(vocabulary, ordinary)
    found = sighted(documents, rarity, progress=lambda done, _all: progress(len(documents) + done, total))
    best = {key: each.best_row(documents) for key, each in found.items()}
    scores = {key: _score(each, best[key], documents=documents, ordinary=ordinary) for key, each in found.items()}
    likeliest = sorted(found.values(), key=lambda each: (-scores[each.key], each.key))
    ranked = _one_article_each(likeliest, lambda each: documents.canonical_ids[best[each.key]])[:most]
    light = {language: light_words(vocabulary, language) for language in vocabulary.words}
    return RareEntities(
        below=below,
        terms=tuple(
            _term(each, best[each.key], documents=documents, rarity=rarity, light=light, rank=rank)
            for rank, each in enumerate(ranked, 1)
        ),
        found=len(found),
    )


def _score(sighting: Sighting, row: int, *, documents: Documents, ordinary: Callable[[str], bool]) -> float:
    """Higher is likelier to be worth a query: the kind, then a place in a title, repetition, more than one article."""
    articles, uses = len(sighting.articles), sum(sighting.uses.values())
    is_word = sighting.kind == "word"
    score = _WEIGHTS[sighting.kind] + 0.3 * sighting.is_titled(documents, row)
    score += 0.3 * min(uses / len(sighting.uses) - 1, 1) + 0.1 * min(articles - 1, 3)
    if all(ordinary(word) for word in sighting.written.split()):
        score -= 0.4
    if is_word and uses == 1:
        score -= 0.5
    if is_word and "-" in sighting.key and all(ordinary(part) for part in sighting.key.split("-")):
        score -= 0.3
    if sighting.kind == "abbreviation" and len(sighting.written) < 3:
        score -= 0.5
    # Nothing says there which words are ordinary, so more of them pass.
    if language_of(documents.languages[row]) not in LANGUAGES:
        score -= 0.6 if is_word else 0.2
    return score


def _one_article_each(sightings: Iterable[Sighting], article_of: Callable[[Sighting], str]) -> list[Sighting]:
    """The same terms in the same order, with the first of every article before the second of any."""
    taken: Counter[str] = Counter()
    rounds: list[tuple[int, int, Sighting]] = []
    for place, sighting in enumerate(sightings):
        article = article_of(sighting)
        rounds.append((taken[article], place, sighting))
        taken[article] += 1
    return [sighting for _, _, sighting in sorted(rounds, key=lambda each: each[:2])]


def _term(
    sighting: Sighting,
    row: int,
    *,
    documents: Documents,
    rarity: Rarity,
    light: Mapping[str, frozenset[str]],
    rank: int,
) -> RareTerm:
    language = documents.languages[row]
    sentence, seen = next(
        (sentence, candidate)
        for sentence, candidate in terms_of(documents.body(row), language, rarity=rarity)
        if folded(candidate.term, language) == sighting.key
    )
    written_small = sighting.kind == "word" and rarity.vocabulary.use(sighting.key, language).small > 0
    return RareTerm(
        term=sighting.key if written_small else seen.term,
        kind=sighting.kind,
        language=language,
        df=len(sighting.articles),
        document=documents.external_ids[row],
        query=_spoken(
            excerpt(sentence, (seen.start, seen.end), locale=language, light=light[language]), documents, row
        ),
        rank=rank,
    )


def _spoken(draft: str, documents: Documents, row: int) -> str:
    """The draft, with the end of the chunk's title where the sentence gave next to nothing."""
    if len(located_words(draft, documents.languages[row])) >= _FEWEST_WORDS:
        return draft
    return f"{draft} {last_level(documents.titles[row])}".strip()
