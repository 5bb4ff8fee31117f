"""Hard negatives: documents an index ranks high for a query although they are not relevant to it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from curation.miners.progress import Progress, silent

DEPTH = 20
WANTED = 8
_ASKED_AT_ONCE = 256

# Query ids and a depth in; for each query its documents and scores, best first.
Search = Callable[[Sequence[str], int], Sequence[Sequence[tuple[str, float]]]]


@dataclass(frozen=True)
class JudgedQuery:
    """What is settled about a query, by canonical id.

    `relevant` and `grades` come from qrels (`grades` may hold those of relevant documents too); `cannot_tell` lists
    canonical ids that a judge looked at and could not judge.
    """

    query_id: str
    relevant: frozenset[str]
    grades: Mapping[str, int]
    cannot_tell: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Shelf:
    """The corpus by external id: canonical id, and text fingerprint (equal for text twins)."""

    canonical_ids: Mapping[str, str]
    fingerprints: Mapping[str, str]

    @cached_property
    def documents(self) -> Mapping[str, Sequence[str]]:
        """The external ids of each canonical id, in code point order: renderings, and chunks where there are any."""
        found: dict[str, list[str]] = {}
        for external_id in sorted(self.canonical_ids):
            found.setdefault(self.canonical_ids[external_id], []).append(external_id)
        return found

    def documents_of(self, canonical_ids: Iterable[str]) -> list[str]:
        """The external ids of these canonical ids, in code point order."""
        return sorted(name for canonical in canonical_ids for name in self.documents.get(canonical, ()))

    def texts_of(self, canonical_ids: Iterable[str]) -> set[str]:
        """The text fingerprints of every document of these canonical ids."""
        return {self.fingerprints[name] for name in self.documents_of(canonical_ids)}


@dataclass(frozen=True)
class HardNegative:
    """A document at its place (from 1) in the index's answer; `grade` is None where nobody has judged it.

    An unjudged one may be relevant after all: it is to be judged before it is used or exported as a negative.
    """

    external_id: str
    canonical_id: str
    rank: int
    score: float
    grade: int | None

    @property
    def judged(self) -> bool:
        """Whether a settled grade says that it is not relevant."""
        return self.grade is not None


@dataclass(frozen=True)
class QueryNegatives:
    """The hard negatives of one query, by rank; `positives` are the documents of its relevant canonical ids.

    `missing` says how many short of the wanted number it is; `unknown` lists answers that are not in the corpus.
    """

    query_id: str
    positives: tuple[str, ...]
    negatives: tuple[HardNegative, ...]
    missing: int
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class HardNegatives:
    """Negatives of every query that has a settled relevant document, and the ids of those that have none."""

    depth: int
    queries: tuple[QueryNegatives, ...]
    skipped: tuple[str, ...]

    @property
    def short(self) -> tuple[QueryNegatives, ...]:
        """Queries with fewer negatives than wanted."""
        return tuple(query for query in self.queries if query.missing)


def mine(
    queries: Sequence[JudgedQuery],
    search: Search,
    *,
    shelf: Shelf,
    depth: int = DEPTH,
    wanted: int = WANTED,
    progress: Progress = silent,
) -> HardNegatives:
    """Take the index's first `depth` documents of each query, leave out what is or may be relevant, keep `wanted`.

    Left out are the relevant canonical ids and those no judge could tell about, and every document with the very text
    of one of them. A document judged not relevant stays, with its grade. Each canonical id is kept once, as its
    rendering or chunk that ranks best, and so is each text: the second of two text twins would teach nothing new.

    Args:
        queries: those with a settled relevant document are mined, in their order; the others are listed as skipped.
        search: asks the index; called with up to 256 query ids at a time.
        shelf: the corpus.
        depth: documents asked for.
        wanted: negatives kept for each query.
        progress: called with queries done and queries in all.
    """
    ready = [query for query in queries if query.relevant]
    mined: list[QueryNegatives] = []
    for start in range(0, len(ready), _ASKED_AT_ONCE):
        batch = ready[start : start + _ASKED_AT_ONCE]
        answers = search([query.query_id for query in batch], depth)
        for query, answer in zip(batch, answers, strict=True):
            mined.append(_negatives(query, answer[:depth], shelf=shelf, wanted=wanted))
        progress(len(mined), len(ready))
    skipped = tuple(query.query_id for query in queries if not query.relevant)
    return HardNegatives(depth, tuple(mined), skipped)


def _negatives(query: JudgedQuery, answer: Sequence[tuple[str, float]], *, shelf: Shelf, wanted: int) -> QueryNegatives:
    kept = tuple(islice(_candidates(query, answer, shelf), wanted))
    return QueryNegatives(
        query_id=query.query_id,
        positives=tuple(shelf.documents_of(query.relevant)),
        negatives=kept,
        missing=wanted - len(kept),
        unknown=tuple(name for name, _ in answer if name not in shelf.canonical_ids),
    )


def _candidates(query: JudgedQuery, answer: Sequence[tuple[str, float]], shelf: Shelf) -> Iterator[HardNegative]:
    articles = set(query.relevant | query.cannot_tell)
    texts = shelf.texts_of(articles)
    for rank, (name, score) in enumerate(answer, 1):
        canonical = shelf.canonical_ids.get(name)
        if canonical is None or canonical in articles or shelf.fingerprints[name] in texts:
            continue
        articles.add(canonical)
        texts |= shelf.texts_of([canonical])
        yield HardNegative(name, canonical, rank, score, query.grades.get(canonical))
