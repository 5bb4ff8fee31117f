"""From a ranking of documents to the candidates of a pool: as deep as it takes, translations folded. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

Hit = tuple[str, float]
"""(external id, score), best first."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """A document that stands in the corpus, by its primary key."""

    pk: int
    canonical_id: str
    language: str


@dataclass(frozen=True, slots=True)
class Place:
    """A candidate to be. `rank` counts documents of exact search from 1; `folded` are keys of other renderings."""

    shown: Rendering
    rank: int
    score: float
    folded: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """The candidates of one query; `cut_in_tie` further documents tie with the last one looked at."""

    places: tuple[Place, ...]
    cut_in_tie: int


def reach(hits: Sequence[Hit], known: Mapping[str, Rendering], *, depth: int) -> int | None:
    """How many of `hits` hold `depth` canonical ids; None where all of them hold fewer."""
    seen: set[str] = set()
    for count, (external_id, _) in enumerate(hits, 1):
        if external_id in known:
            seen.add(known[external_id].canonical_id)
        if len(seen) == depth:
            return count
    return None


def draw(hits: Sequence[Hit], known: Mapping[str, Rendering], *, depth: int, cut_in_tie: int) -> Draw:
    """The candidates among `hits`, drawn on until they hold `depth` canonical ids or the hits end.

    The best-ranked rendering of a canonical id is shown. Further documents of its language are candidates of their
    own (chunks of one article); those in other languages are folded into it, ranked or not, because its grade counts
    for them. `known` names the documents by external id, with every rendering of the articles that are ranked;
    `cut_in_tie` is how many documents beyond `hits` tie with the last of them.
    """
    end = reach(hits, known, depth=depth) or len(hits)
    languages: dict[str, str] = {}
    kept: list[tuple[Rendering, int, float]] = []
    for rank, (external_id, score) in enumerate(islice(hits, end), 1):
        rendering = known.get(external_id)
        if rendering and languages.setdefault(rendering.canonical_id, rendering.language) == rendering.language:
            kept.append((rendering, rank, score))
    folded = _folded(known, languages)
    places = [Place(shown, rank, score, tuple(folded.pop(shown.canonical_id, ()))) for shown, rank, score in kept]
    return Draw(tuple(places), _ties(hits, end, cut_in_tie))


def _folded(known: Mapping[str, Rendering], languages: Mapping[str, str]) -> dict[str, list[int]]:
    others: dict[str, list[int]] = {}
    for _, rendering in sorted(known.items()):
        if languages.get(rendering.canonical_id, rendering.language) != rendering.language:
            others.setdefault(rendering.canonical_id, []).append(rendering.pk)
    return others


def _ties(hits: Sequence[Hit], end: int, beyond: int) -> int:
    if not hits:
        return 0
    last = hits[end - 1][1]
    return sum(score == last for _, score in hits[end:]) + (beyond if hits[-1][1] == last else 0)
