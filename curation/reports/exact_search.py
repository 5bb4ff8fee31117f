"""Exact float32 search for stored queries, in the space that is current: pools, measurements and mining ask it.

Runs in jobs and commands only: it loads the encoder and the vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from curation.models import Corpus, EmbeddingSpace, Query, QueryVector
from curation.reports.embeddings import encoder_of, vectors_path
from curation.retrieval.encoders import EncoderAway, TextsRefused, names
from curation.retrieval.exact import top_k
from curation.retrieval.vectors import Matrix, VectorsRefused, open_vectors, transform

BATCH = 512


@dataclass(frozen=True, slots=True)
class Answer:
    """One query's documents, best first, each (external id, score); `cut_in_tie` more tie with the last."""

    query_pk: int
    hits: tuple[tuple[str, float], ...]
    cut_in_tie: int


def current_space(corpus: Corpus) -> EmbeddingSpace:
    """The space that searches of `corpus` use.

    Raises:
        VectorsRefused: the corpus has no vectors yet.
    """
    space = corpus.embedding_spaces.filter(current=True).first()
    if space is None:
        raise VectorsRefused(f"Corpus {corpus.slug} has no vectors yet: import them, or encode it with an encoder.")
    return space


def exact_answers(space: EmbeddingSpace, queries: Sequence[Query], *, k: int) -> Iterator[Answer]:
    """Each query's first `k` documents by exact search, in batches, in the order of `queries`."""
    indexed = open_vectors(vectors_path(space))
    for start in range(0, len(queries), BATCH):
        part = queries[start : start + BATCH]
        found = top_k(indexed.matrix, query_vectors(space, part), k)
        for query, rows, scores, cut in zip(part, found.rows, found.scores, found.cut_in_tie, strict=True):
            hits = tuple((indexed.ids[row], float(score)) for row, score in zip(rows, scores, strict=True))
            yield Answer(query.pk, hits, int(cut))


def placed_answers(space: EmbeddingSpace, queries: Sequence[Query], *, k: int) -> Iterator[Answer]:
    """As `exact_answers`, without the queries whose text the encoder cannot place: a run misses them, so they score 0.

    Raises:
        TextsRefused: the encoder does not run here, so that the missing vectors are somebody's to bring.
    """
    for start in range(0, len(queries), BATCH):
        part = queries[start : start + BATCH]
        try:
            answers = list(exact_answers(space, part, k=k))
        except TextsRefused as refusal:
            unplaced = {part[position].pk for position in refusal.positions}
            if not unplaced or space.encoder not in names():
                raise
            answers = list(exact_answers(space, [query for query in part if query.pk not in unplaced], k=k))
        yield from answers


def placed_vectors(space: EmbeddingSpace, queries: Sequence[Query]) -> dict[int, Matrix]:
    """The queries' vectors, each of shape (dims,), by primary key, without those whose text the encoder cannot place.

    Raises:
        TextsRefused: the encoder does not run here, so that the missing vectors are somebody's to bring.
    """
    if not queries:
        return {}
    try:
        rows = query_vectors(space, queries)
    except TextsRefused as refusal:
        unplaced = {queries[position].pk for position in refusal.positions}
        if not unplaced or space.encoder not in names():
            raise
        return placed_vectors(space, [query for query in queries if query.pk not in unplaced])
    return {query.pk: row for query, row in zip(queries, rows, strict=True)}


def query_vectors(space: EmbeddingSpace, queries: Sequence[Query]) -> Matrix:
    """The queries' vectors, shape (queries, dims): brought along where they were, else encoded here.

    Raises:
        TextsRefused: the space's encoder does not run here and a query brought no vector, or cannot place one.
    """
    brought = dict(QueryVector.objects.filter(space=space, query__in=queries).values_list("query_id", "vector"))
    missing = [query for query in queries if query.pk not in brought]
    try:
        made = encoded(space, [query.text for query in missing]) if missing else np.empty((0, space.dims), np.float32)
    except EncoderAway:
        raise  # it is about no text, so it has no positions
    except TextsRefused as fault:
        place = {query.pk: position for position, query in enumerate(queries)}
        raise TextsRefused(str(fault), [place[missing[position].pk] for position in fault.positions]) from fault
    rows = {query.pk: row for query, row in zip(missing, made, strict=True)}
    rows |= {pk: np.frombuffer(bytes(vector), dtype="<f4") for pk, vector in brought.items()}
    return np.stack([rows[query.pk] for query in queries]).astype(np.float32)


def encoded(space: EmbeddingSpace, texts: Sequence[str]) -> Matrix:
    """`texts` in `space`, through the one transform that documents went through too.

    Raises:
        TextsRefused: the space's encoder does not run here, or cannot place one of them.
    """
    return transform(encoder_of(space).encode(texts), dims=space.dims, order=space.transform_order)
