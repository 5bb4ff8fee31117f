"""Exact search over a vectors file: the baseline that every other index is measured against."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from curation.indexes.asked import stacked
from curation.indexes.base import AskedQuery, Ranked
from curation.retrieval.exact import top_k
from curation.retrieval.vectors import ids_path, open_vectors, sha256_of


class ExactIndex:
    """A vectors file and its ids, searched by `retrieval.exact.top_k`."""

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        self._path = path
        self._threads = threads
        self._vectors = open_vectors(path)

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """The k documents with the highest scores for each query's vector; all of them where there are fewer.

        Raises:
            IndexRefused: a query has no vector.
            VectorsRefused: a vector that no search can rank, or of another width.
        """
        if not queries:
            return []
        hits = top_k(self._vectors.matrix, stacked(queries), k, threads=self._threads)
        ids = self._vectors.ids
        return [
            [Ranked(ids[row], float(score)) for row, score in zip(rows, scores, strict=True)]
            for rows, scores in zip(hits.rows, hits.scores, strict=True)
        ]

    def ids(self) -> Sequence[str]:
        """The external ids of the file, ascending by code point."""
        return self._vectors.ids

    def fingerprint(self) -> str:
        """Hash over the vectors and the ids they belong to."""
        parts = (sha256_of(self._path), sha256_of(ids_path(self._path)))
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()
