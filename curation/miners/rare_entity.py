"""Rare-entity terms: what few articles of a corpus name, with the chunk that holds it and a draft query.

The order is made so that the first screen is worth reading: what is likeliest worth a query first, and one term of
each article before the second of any.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from curation.miners.documents import Documents
from curation.miners.drafts import last_level
from curation.miners.entities import Kind
from curation.miners.excerpts import excerpt
from curation.miners.located import located_words
from curation.miners.ordinary import pieces as pieces_of
from curation.miners.progress import Progress, silent
from curation.miners.rarity import Rarity
from curation.miners.sightings import Place, Sighting, placed, sighted, vouched
from curation.miners.vocabulary import count_words, light_words
from curation.miners.worth import BAR, worth

BELOW = 50
LEAST_BELOW, MOST_BELOW = 2, 10_000
MOST = 500
PARTS = 5  # words counted, terms sighted, weighed, placed and drafted; each advances by the number of chunks
_FEWEST_WORDS = 3


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
    """The first terms of the corpus by rank, and how many are worth proposing in all."""

    below: int
    terms: tuple[RareTerm, ...]
    found: int


def mine(
    documents: Documents,
    *,
    below: int = BELOW,
    most: int = MOST,
    pieces: Callable[[str], int] = pieces_of,
    progress: Progress = silent,
) -> RareEntities:
    """Find terms that fewer than `below` articles hold, and rank those that look like entities.

    Args:
        documents: the corpus, a chunk a row.
        below: articles (canonical ids) a term stays under.
        most: terms returned.
        pieces: into how many pieces of everyday vocabulary a term falls. A word of one is ordinary: people use it about
            anything, and it is no term unless it is part of a name.
        progress: called with steps done and steps to do, as many in each of the five parts as there are chunks.
    """
    parts = iter([_part(number, len(documents), progress) for number in range(PARTS)])
    vocabulary = count_words(documents, below=below, progress=next(parts))
    rarity = Rarity(vocabulary, lambda word: pieces(word) == 1)
    found = sighted(documents, rarity, progress=next(parts))
    rows = vouched(found, documents, ordinary=rarity.ordinary, progress=next(parts))
    scores = {
        key: worth(found[key], place, pieces=pieces(place.term))
        for key, place in placed(documents, rows, rarity, progress=next(parts))
    }
    likeliest = sorted((key for key in rows if scores[key] >= BAR), key=lambda key: (-scores[key], key))
    ranked = _one_article_each(likeliest, lambda key: documents.canonical_ids[rows[key]])[:most]
    first = dict(placed(documents, {key: rows[key] for key in ranked}, rarity, progress=next(parts)))
    progress(PARTS * len(documents), PARTS * len(documents))
    light = {language: light_words(vocabulary, language) for language in vocabulary.words}
    return RareEntities(
        below=below,
        terms=tuple(
            _term(found[key], first[key], documents=documents, rarity=rarity, light=light, rank=rank)
            for rank, key in enumerate(ranked, 1)
        ),
        found=len(likeliest),
    )


def _part(number: int, size: int, progress: Progress) -> Progress:
    """Progress of one part of the work, in steps of the whole."""
    return lambda done, to_do: progress(number * size + done * size // to_do, PARTS * size)


def _one_article_each(keys: Iterable[str], article_of: Callable[[str], str]) -> list[str]:
    """The same terms in the same order, with the first of every article before the second of any."""
    taken: Counter[str] = Counter()
    rounds: list[tuple[int, int, str]] = []
    for place, key in enumerate(keys):
        article = article_of(key)
        rounds.append((taken[article], place, key))
        taken[article] += 1
    return [key for _, _, key in sorted(rounds)]


def _term(
    sighting: Sighting,
    place: Place,
    *,
    documents: Documents,
    rarity: Rarity,
    light: Mapping[str, frozenset[str]],
    rank: int,
) -> RareTerm:
    language = place.language
    written_small = sighting.kind == "word" and rarity.vocabulary.use(sighting.key, language).small > 0
    draft = excerpt(place.sentence, (place.start, place.end), locale=language, light=light[language])
    return RareTerm(
        term=sighting.key if written_small else place.term,
        kind=sighting.kind,
        language=language,
        df=len(sighting.articles),
        document=documents.external_ids[place.row],
        query=_spoken(draft, place),
        rank=rank,
    )


def _spoken(draft: str, place: Place) -> str:
    """The draft, with the end of the chunk's title where the sentence gave next to nothing."""
    if len(located_words(draft, place.language)) >= _FEWEST_WORDS:
        return draft
    return f"{draft} {last_level(place.title)}".strip()
