"""Exact search beside faiss."""

from __future__ import annotations

import numpy as np

from curation.retrieval.exact import row_scores, top_k

from . import Row, made_vectors, seconds

DIMS, ASKED, DEPTH, ROWS = 384, 256, 50, 50_000


def exact_search() -> list[Row]:
    """Top 50 of 50,000 rows: one query, and 256 at once, one thread each."""
    import faiss
    from threadpoolctl import threadpool_limits

    vectors, queries = made_vectors(ROWS, DIMS, seed=1), made_vectors(ASKED, DIMS, seed=2)
    faiss.omp_set_num_threads(1)
    faiss.cvar.distance_compute_blas_threshold = 1
    peer = faiss.IndexFlatIP(DIMS)
    peer.add(vectors)
    rows = []
    with threadpool_limits(1):
        for part in (queries[:1], queries):
            ours = seconds(lambda part=part: top_k(vectors, part, DEPTH, threads=1))  # type: ignore[misc]
            theirs = seconds(lambda part=part: peer.search(part, DEPTH))  # type: ignore[misc]
            what = f"top {DEPTH} of {ROWS:,} x {DIMS}, {len(part)} at once"
            rows.append({"what": what, "ours_s": ours, "peer": "faiss IndexFlatIP", "peer_s": theirs})
    found = top_k(vectors, queries[:20], DEPTH, threads=1)
    for query, hits in zip(queries[:20], found.rows, strict=True):
        scores = row_scores(vectors, query)
        if not np.array_equal(hits, np.lexsort((np.arange(len(scores)), -scores))[:DEPTH]):
            raise AssertionError("exact search differs from float64 brute force: no speed counts")
    return rows
