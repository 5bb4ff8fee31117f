"""Exact search and pair search beside faiss."""

from __future__ import annotations

import numpy as np

from curation.miners.pairs import near_pairs
from curation.retrieval.exact import row_scores, top_k

from . import Row, made_vectors, seconds

DIMS, ASKED, DEPTH, BAR = 384, 256, 50, 0.95
ROWS, PAIR_ROWS = 50_000, 20_000


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


def near_duplicate_pairs() -> list[Row]:
    """Every pair of 20,000 rows with cosine from 0.95, one thread."""
    import faiss
    from threadpoolctl import threadpool_limits

    vectors = made_vectors(PAIR_ROWS, DIMS, seed=3)
    rows = np.arange(len(vectors))
    faiss.omp_set_num_threads(1)
    peer = faiss.IndexFlatIP(DIMS)
    peer.add(vectors)
    with threadpool_limits(1):
        ours = seconds(lambda: near_pairs(vectors, rows, bar=BAR, folds=rows), rounds=1)
        theirs = seconds(lambda: peer.range_search(vectors, BAR), rounds=1)
    what = f"pairs of {PAIR_ROWS:,} x {DIMS} from cosine {BAR}"
    return [{"what": what, "ours_s": ours, "peer": "faiss range_search", "peer_s": theirs}]
