"""From the rankings of several retrievers to the candidates of a pool, translations folded. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from judging.models import Retriever
from judging.models.pools import LAST, best_place

EXACT = Retriever.EXACT

Hit = tuple[str, float]
"""(external id, score), best first."""
Rankings = Mapping[str, Sequence[Hit]]
"""The hits of each retriever by its name."""
Ranks = dict[str, int]
"""The rank that each retriever gives a document, counted from 1."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """A document that stands in the corpus, by its primary key; `is_source` where the article was written in it."""

    pk: int
    canonical_id: str
    language: str
    is_source: bool = False


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents that stand, by external id, with every rendering of their articles; and by canonical id, in order."""

    known: Mapping[str, Rendering]
    articles: Mapping[str, Sequence[Rendering]]


def shelf_of(known: Mapping[str, Rendering]) -> Shelf:
    """The shelf of documents known by external id."""
    articles: dict[str, list[Rendering]] = {}
    for _, rendering in sorted(known.items()):
        articles.setdefault(rendering.canonical_id, []).append(rendering)
    return Shelf(known, articles)


@dataclass(frozen=True, slots=True)
class Place:
    """A candidate to be. `origins` holds the rank that each retriever gives it; `folded` keys of other renderings.

    `score` is that of exact search, None where exact search did not find it.
    """

    shown: Rendering
    origins: Ranks
    score: float | None
    folded: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """The candidates of one query, best first.

    `cut_in_tie` further documents tie with the last one looked at by exact search.
    """

    places: tuple[Place, ...]
    cut_in_tie: int


@dataclass(frozen=True, slots=True)
class Found:
    """A document that a retriever ranks: its rendering and its rank with each."""

    rendering: Rendering
    ranks: Ranks


def reach(hits: Sequence[Hit], known: Mapping[str, Rendering], *, depth: int) -> int | None:
    """How many of `hits` hold `depth` canonical ids; None where all of them hold fewer."""
    seen: set[str] = set()
    for count, (external_id, _) in enumerate(hits, 1):
        if external_id in known:
            seen.add(known[external_id].canonical_id)
        if len(seen) == depth:
            return count
    return None


def draw(rankings: Rankings, shelf: Shelf, *, depths: Mapping[str, int], language: str, cut_in_tie: int = 0) -> Draw:
    """The candidates among the hits of every retriever, each drawn on until it holds so many canonical ids or ends.

    One language of an article is shown: that of the query, else the one it was written in, else that of its
    best-ranked rendering. Its documents that are ranked are candidates each (chunks of one article); where none is
    ranked, its only document is one, and a language of several is passed over, because nothing tells which to show.
    Renderings in other languages are folded into the first candidate of their article, ranked or not: its grade counts
    for them, and it has the best rank that any of them has.

    `shelf` holds every rendering of the articles that are ranked; `language` is the query's; `cut_in_tie` is how many
    documents beyond the hits of exact search tie with the last of them.
    """
    ends = {name: reach(hits, shelf.known, depth=depths[name]) or len(hits) for name, hits in rankings.items()}
    exact = rankings.get(EXACT, ())
    places = [
        place
        for canonical_id, found in _found(rankings, shelf.known, ends).items()
        for place in _places(found, shelf.articles[canonical_id], language, exact=exact)
    ]
    places.sort(key=lambda place: (best_place(place.origins), place.shown.pk))
    return Draw(tuple(places), _ties(exact, ends.get(EXACT, 0), cut_in_tie))


def _found(rankings: Rankings, known: Mapping[str, Rendering], ends: Mapping[str, int]) -> dict[str, list[Found]]:
    """What is ranked of each article, the best-ranked document first."""
    ranks: dict[str, Ranks] = {}
    for name, hits in rankings.items():
        for rank, (external_id, _) in enumerate(islice(hits, ends[name]), 1):
            if external_id in known:
                ranks.setdefault(external_id, {}).setdefault(name, rank)
    articles: dict[str, list[Found]] = {}
    for external_id, own in sorted(ranks.items(), key=lambda pair: (pair[1].get(EXACT, LAST), best_place(pair[1]))):
        rendering = known[external_id]
        articles.setdefault(rendering.canonical_id, []).append(Found(rendering, own))
    return articles


def _places(
    found: Sequence[Found], renderings: Sequence[Rendering], wanted: str, *, exact: Sequence[Hit]
) -> Iterator[Place]:
    language = _language(found, renderings, wanted)
    shown = [each for each in found if each.rendering.language == language]
    others = [each for each in found if each.rendering.language != language]
    if not shown:
        shown = [Found(next(each for each in renderings if each.language == language), {})]
    folded = tuple(each.pk for each in renderings if each.language != language)
    for number, each in enumerate(shown):
        ranks = each.ranks if number else _best_ranks([each, *others])
        score = exact[ranks[EXACT] - 1][1] if EXACT in ranks else None
        yield Place(each.rendering, ranks, score, () if number else folded)


def _language(found: Sequence[Found], renderings: Sequence[Rendering], wanted: str) -> str:
    ranked = {each.rendering.language for each in found}
    documents = Counter(each.language for each in renderings)
    preferred = (wanted, *(each.language for each in renderings if each.is_source))
    fit = (language for language in preferred if language in ranked or documents[language] == 1)
    return next(fit, found[0].rendering.language)


def _best_ranks(found: Sequence[Found]) -> Ranks:
    best: Ranks = {}
    for each in found:
        for name, rank in each.ranks.items():
            best[name] = min(rank, best.get(name, LAST))
    return best


def _ties(hits: Sequence[Hit], end: int, beyond: int) -> int:
    if not hits:
        return 0
    last = hits[end - 1][1]
    return sum(score == last for _, score in hits[end:]) + (beyond if hits[-1][1] == last else 0)
