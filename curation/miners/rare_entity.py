"""Rare-entity terms: what few articles of a corpus name, with the chunk that holds it and a draft query.

The order is made so that the first screen is worth reading: what is likeliest worth a query first, and one term of
each article before the second of any.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from curation.miners.documents import Documents
from curation.miners.entities import Kind
from curation.miners.ordinary import pieces as pieces_of
from curation.miners.progress import Progress, silent
from curation.miners.rare_drafts import draft
from curation.miners.rarity import Rarity
from curation.miners.sightings import Place, Sighting, placed, sighted, vouched
from curation.miners.telling import Telling, telling
from curation.miners.vocabulary import count_words
from curation.miners.worth import BAR, worth

BELOW = 50
LEAST_BELOW, MOST_BELOW = 2, 10_000
MOST = 500
PARTS = 5  # words counted, terms sighted, weighed, placed and drafted; each advances by the number of chunks


@dataclass(frozen=True)
class RareTerm:
    """A term as its chunk writes it.

    `df` counts the articles (canonical ids) that hold it, translations once; `document` is the external id of the chunk
    the draft `query` was made from; `rank` starts at 1.
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
    topics = telling(documents, vocabulary)
    return RareEntities(
        below=below,
        terms=tuple(
            _term(found[key], first[key], documents=documents, rarity=rarity, topics=topics, rank=rank)
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
    topics: Telling,
    rank: int,
) -> RareTerm:
    language = place.language
    written_small = sighting.kind == "word" and rarity.vocabulary.use(sighting.key, language).small > 0
    term = sighting.key if written_small else place.term
    return RareTerm(
        term=term,
        kind=sighting.kind,
        language=language,
        df=len(sighting.articles),
        document=documents.external_ids[place.row],
        query=draft(term, sighting.kind, place, telling=topics),
        rank=rank,
    )
