"""Hard negatives: documents an index ranks high for a query although they are not relevant to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
    of one of them. A document judged not relevant stays, with its grade.

    Args:
        queries: those with a settled relevant document are mined, in their order; the others are listed as skipped.
        search: asks the index; called with up to 256 query ids at a time.
        shelf: the corpus.
        depth: documents asked for.
        wanted: negatives kept for each query.
        progress: called with queries done and queries in all.
    """
    ready = [query for query in queries if query.relevant]
    by_canonical = _by_canonical(shelf)
    mined: list[QueryNegatives] = []
    for start in range(0, len(ready), _ASKED_AT_ONCE):
        batch = ready[start : start + _ASKED_AT_ONCE]
        answers = search([query.query_id for query in batch], depth)
        for query, answer in zip(batch, answers, strict=True):
            mined.append(_negatives(query, answer[:depth], shelf=shelf, by_canonical=by_canonical, wanted=wanted))
        progress(len(mined), len(ready))
    skipped = tuple(query.query_id for query in queries if not query.relevant)
    return HardNegatives(depth, tuple(mined), skipped)


def _by_canonical(shelf: Shelf) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for external_id in sorted(shelf.canonical_ids):
        found.setdefault(shelf.canonical_ids[external_id], []).append(external_id)
    return found


def _negatives(
    query: JudgedQuery,
    answer: Sequence[tuple[str, float]],
    *,
    shelf: Shelf,
    by_canonical: Mapping[str, Sequence[str]],
    wanted: int,
) -> QueryNegatives:
    out = query.relevant | query.cannot_tell
    texts = {shelf.fingerprints[name] for canonical in out for name in by_canonical.get(canonical, ())}
    candidates = (
        HardNegative(name, shelf.canonical_ids[name], rank, score, query.grades.get(shelf.canonical_ids[name]))
        for rank, (name, score) in enumerate(answer, 1)
        if name in shelf.canonical_ids
        and shelf.canonical_ids[name] not in out
        and shelf.fingerprints[name] not in texts
    )
    kept = tuple(islice(candidates, wanted))
    return QueryNegatives(
        query_id=query.query_id,
        positives=tuple(sorted(name for canonical in query.relevant for name in by_canonical.get(canonical, ()))),
        negatives=kept,
        missing=wanted - len(kept),
        unknown=tuple(name for name, _ in answer if name not in shelf.canonical_ids),
    )
