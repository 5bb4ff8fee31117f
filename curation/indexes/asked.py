"""The vectors of the queries an index is asked with: one for each, of the width it holds, fit to be ranked by."""

from collections.abc import Sequence

import numpy as np

from curation.indexes.base import AskedQuery, IndexRefused
from curation.retrieval.vectors import Matrix, check_rows


def stacked(queries: Sequence[AskedQuery]) -> Matrix:
    """The queries' vectors, shape (queries, d), of at least one query.

    Raises:
        IndexRefused: a query has none.
    """
    vectors = [query.vector for query in queries if query.vector is not None]
    if len(vectors) < len(queries):
        bare = next(query for query in queries if query.vector is None)
        raise IndexRefused(f"This index needs a vector for query {bare.external_id}; encode the queries first.")
    return np.stack(vectors)


def vectors_of(queries: Sequence[AskedQuery], *, dims: int, index: str) -> Matrix:
    """As `stacked`, for an index of vectors that calls itself `index` and holds `dims` numbers a vector.

    Raises:
        IndexRefused: a query has no vector, or the vectors are of another width.
        VectorsRefused: a vector holds NaN, an infinity or nothing but zeros.
    """
    vectors = stacked(queries)
    if vectors.shape[1] != dims:
        raise IndexRefused(
            f"The index {index} holds vectors of {dims:,} dimensions and the queries have {vectors.shape[1]:,};"
            " write its manifest with manage.py manifest write, so that queries are cut alike, or encode the corpus"
            " with the encoder that filled it."
        )
    check_rows(vectors, ids=[query.external_id for query in queries])
    return vectors
