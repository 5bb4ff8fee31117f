"""Measuring overlap@10 of an index on live queries; runs in jobs and commands only, for it loads vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

import numpy as np

from curation.formats.live_queries import LiveText
from curation.indexes.base import AskedQuery, Index, IndexRefused
from curation.indexes.ties import MOST
from curation.measures.overlap import DEPTH, first_ten, overlap_at_10
from curation.miners.progress import Progress, silent
from curation.models import TargetIndex
from curation.reports.embeddings import vectors_path
from curation.reports.indexes import open_index, space_of
from curation.reports.live_vectors import text_vectors
from curation.retrieval.exact import top_k
from curation.retrieval.vectors import Matrix, open_vectors

TOGETHER = 50  # queries between two reports of progress
MOST_DOCUMENTS = 50_000  # of a larger corpus, a sample of so many
DEEPER = 4


@dataclass(frozen=True, slots=True)
class Measured:
    """Overlap@10 of some queries: the mean, over how many, and the share of the corpus that exact search ran over.

    `unplaced` queries have no vector, or no exact answer, and are in no mean; `told` came with what was served.
    """

    overlap: float
    sampled: int
    unplaced: int
    told: int
    share: float


class NothingMeasured(ValueError):
    """No query could be measured; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What exact search runs over: rows and their ids; `within` are the ids of a sample, None where it is all."""

    rows: Matrix
    ids: Sequence[str]
    within: frozenset[str] | None
    share: float

    def first_ten(self, vectors: Matrix) -> list[list[str]]:
        """The ids of the ten nearest documents to each vector, shape (queries, d)."""
        hits = top_k(self.rows, vectors, DEPTH)
        return [[self.ids[row] for row in rows] for rows in hits.rows]


def drawn(queries: Sequence[LiveText], *, count: int, seed: str) -> list[LiveText]:
    """At most `count` of the queries, drawn by `seed`: the same every time."""
    ordered = sorted(queries, key=lambda query: query.token)
    return Random(seed).sample(ordered, min(count, len(ordered)))  # noqa: S311  (a draw, not a secret)


def measure_overlap(
    index: TargetIndex,
    queries: Sequence[LiveText],
    *,
    progress: Progress = silent,
    most_documents: int = MOST_DOCUMENTS,
) -> Measured:
    """How near what `index` serves is to exact float32 search in its space.

    What a query was served counts where it says so and, under a corpus sample, names ten documents of it; the index
    is asked for all others, deep enough to hold ten of the sample.

    Raises:
        IndexRefused, TextsRefused, VectorsRefused: the index cannot be asked, or no query has a vector.
        NothingMeasured: there is no query, or no text could be placed.
    """
    if not queries:
        raise NothingMeasured(
            f"There is no live query of {index.name} to measure; a search service tells them under the name of the"
            " index in production."
        )
    space = space_of(index)
    vectors = text_vectors(space, [query.text for query in queries])
    placed = [query for query in queries if query.text in vectors]
    reference = _reference(index, most_documents)
    serving = Serving(index, reference)
    overlaps: list[float] = []
    for first in range(0, len(placed), TOGETHER):
        part = placed[first : first + TOGETHER]
        exact = reference.first_ten(np.stack([vectors[query.text] for query in part]))
        served = serving.rankings(part, vectors)
        pairs = zip(served, exact, strict=True)
        found = [overlap_at_10(ranking, ten, within=reference.within) for ranking, ten in pairs]
        overlaps += [overlap for overlap in found if overlap is not None]
        progress(first + len(part), len(placed))
    if not overlaps:
        raise NothingMeasured(f"The encoder of {index.name} could place no live query, so there is nothing to compare.")
    return Measured(fmean(overlaps), len(overlaps), len(queries) - len(overlaps), serving.told, reference.share)


class Serving:
    """What an index serves: as the queries tell it, else asked."""

    def __init__(self, index: TargetIndex, reference: Reference) -> None:
        self._index = index
        self._reference = reference
        self._opened: Index | None = None
        self.told = 0

    def rankings(self, queries: Sequence[LiveText], vectors: dict[str, Matrix]) -> list[list[str]]:
        """The ids served for each query, deep enough where that is possible."""
        answers = {place: list(query.served or ()) for place, query in enumerate(queries) if self._is_told(query)}
        self.told += len(answers)
        waiting = [place for place in range(len(queries)) if place not in answers]
        asked = {
            place: AskedQuery(str(place), queries[place].text, vectors[queries[place].text], queries[place].locale)
            for place in waiting
        }
        depth = min(MOST, math.ceil(DEPTH / self._reference.share))
        while waiting:
            found = self._ask([asked[place] for place in waiting], depth)
            answers |= dict(zip(waiting, found, strict=True))
            waiting = [place for place in waiting if len(answers[place]) >= depth and self._is_short(answers[place])]
            waiting, depth = (waiting if depth < MOST else []), min(MOST, depth * DEEPER)
        return [answers[place] for place in range(len(queries))]

    def _is_told(self, query: LiveText) -> bool:
        """Whether what was served can be compared: all of it, or ten documents of the sample."""
        if query.served is None:
            return False
        return self._reference.within is None or not self._is_short(query.served)

    def _is_short(self, ranking: Sequence[str]) -> bool:
        within = self._reference.within
        return within is not None and len(first_ten(ranking, within=within)) < min(DEPTH, len(within))

    def _ask(self, queries: Sequence[AskedQuery], depth: int) -> list[list[str]]:
        if self._index.kind == TargetIndex.Kind.RUN:
            raise IndexRefused(f"{self._index.name} is an imported run and answers no other query; name an index.")
        self._opened = self._opened or open_index(self._index)
        return [[place.external_id for place in ranking] for ranking in self._opened.search(queries, depth)]


def _reference(index: TargetIndex, most_documents: int) -> Reference:
    """All documents of the index's space, or the same sample of them every day."""
    held = open_vectors(vectors_path(space_of(index)))
    if len(held.ids) <= most_documents:
        return Reference(held.matrix, held.ids, None, 1.0)
    rows = sorted(Random(0).sample(range(len(held.ids)), most_documents))  # noqa: S311  (a draw, not a secret)
    ids = [held.ids[row] for row in rows]
    return Reference(held.matrix[rows], ids, frozenset(ids), most_documents / len(held.ids))
