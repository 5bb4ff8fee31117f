"""Every index of a corpus as something that can be asked: the one place that knows how each kind is opened.

Runs in jobs and commands only: it loads vectors, and waits for servers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from django.conf import settings

from curation.indexes.base import AskedQuery, Index, IndexRefused, Ranked
from curation.indexes.bm25 import Bm25Index
from curation.indexes.elasticsearch import ElasticsearchIndex, SearchedFields
from curation.indexes.exact import ExactIndex
from curation.indexes.faiss_file import FaissFileIndex
from curation.indexes.faiss_file import check_location as check_file
from curation.indexes.pgvector import PgvectorIndex, table_of
from curation.indexes.qdrant import Collection, QdrantIndex
from curation.indexes.ranked_run import RankedRunIndex
from curation.models import EmbeddingSpace, Query, QueryScore, RankedRun, TargetIndex
from curation.reports.embeddings import vectors_path
from curation.reports.exact_search import current_space, placed_vectors
from curation.reports.index_kinds import needs_vectors
from curation.reports.made_indexes import as_made
from curation.reports.word_index import word_index

Kind = TargetIndex.Kind


def open_index(index: TargetIndex) -> Index:
    """What answers for `index`, asked as its manifest says it was made; it need not be stored.

    Raises:
        IndexRefused: it cannot be opened, does not answer, or queries cannot be made what its manifest says.
        VectorsRefused: exact search has no vectors, or a quantisation cannot be computed here.
    """
    opened = OPENERS[Kind(index.kind)](index)
    return as_made(index, opened, space=space_of(index)) if needs_vectors(index) else opened


def check_location(kind: Kind, location: str) -> None:
    """Refuse a location that is not of the form of its kind; nothing is opened.

    Raises:
        IndexRefused: it is not.
    """
    LOCATIONS.get(kind, _nowhere)(location)


def asked_queries(index: TargetIndex, queries: Sequence[Query]) -> list[AskedQuery]:
    """`queries` as `index` is asked them, in their order, without those whose text its encoder cannot place.

    Raises:
        TextsRefused: the encoder does not run here and a query brought no vector.
        VectorsRefused: the corpus has no vectors.
    """
    vectors = placed_vectors(space_of(index), queries) if needs_vectors(index) else {}
    return [
        AskedQuery(query.external_id, query.text, vectors.get(query.pk), query.stratum.query_language)
        for query in queries
        if not needs_vectors(index) or query.pk in vectors
    ]


def answers(index: TargetIndex, queries: Sequence[Query], k: int, *, opened: Index | None = None) -> list[list[Ranked]]:
    """The first k documents of each query by `index`, in their order; none for one that cannot be placed.

    `opened` spares opening it again.

    Raises:
        IndexRefused, TextsRefused, VectorsRefused: as `open_index` and `asked_queries`.
    """
    asked = asked_queries(index, queries)
    rankings = (opened or open_index(index)).search(asked, k)
    found = {query.external_id: ranking for query, ranking in zip(asked, rankings, strict=True)}
    return [found.get(query.external_id, []) for query in queries]


def space_of(index: TargetIndex) -> EmbeddingSpace:
    """The space whose encoder speaks to the index: its own, else the corpus's current one.

    Raises:
        VectorsRefused: there is neither.
    """
    return index.embedding_space or current_space(index.corpus)


def _exact(index: TargetIndex) -> Index:
    return ExactIndex(vectors_path(space_of(index)))


def _run(index: TargetIndex) -> Index:
    run = RankedRun.objects.filter(index=index).order_by("-measured_at", "-pk").first()
    if run is None:
        raise IndexRefused(f"The index {index.name} has no run yet; bring one with import_run.")
    hits = QueryScore.objects.filter(run=run).order_by("k").values_list("query__external_id", "hits")
    # a run keeps ranks and no scores, so these count down to 1
    return RankedRunIndex({name: dict(zip(found, range(len(found), 0, -1), strict=True)) for name, found in hits})


def _bm25(index: TargetIndex) -> Bm25Index:
    return word_index(index.corpus)


def _faiss_file(index: TargetIndex) -> Index:
    return FaissFileIndex(Path(settings.INDEX_FOLDER), index.location)


def _pgvector(index: TargetIndex) -> Index:
    return PgvectorIndex(table_of(index.location), os.environ)


def _qdrant(index: TargetIndex) -> Index:
    return QdrantIndex.connect(Collection.read(index.location), os.environ)


def _elasticsearch(index: TargetIndex) -> Index:
    return ElasticsearchIndex.connect(SearchedFields.read(index.location), os.environ)


def _nowhere(location: str) -> None:
    if location:
        raise IndexRefused("An index of this kind is made of the corpus's own documents and has no location.")


OPENERS: Mapping[Kind, Callable[[TargetIndex], Index]] = {
    Kind.EXACT: _exact,
    Kind.RUN: _run,
    Kind.BM25: _bm25,
    Kind.FAISS_FILE: _faiss_file,
    Kind.PGVECTOR: _pgvector,
    Kind.QDRANT: _qdrant,
    Kind.ELASTICSEARCH: _elasticsearch,
}
LOCATIONS: Mapping[Kind, Callable[[str], object]] = {
    Kind.FAISS_FILE: check_file,
    Kind.PGVECTOR: table_of,
    Kind.QDRANT: Collection.read,
    Kind.ELASTICSEARCH: SearchedFields.read,
}
