"""Exact search against a float64 brute force, row by row."""

from __future__ import annotations

import json
import multiprocessing
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from curation.retrieval import exact
from curation.retrieval.exact import Hits, row_scores, top_k
from curation.retrieval.vector_files import read_jsonl
from curation.retrieval.vectors import Matrix, Vectors, VectorsRefused, open_vectors, transform, write_vectors


def oracle(vectors: Matrix, queries: Matrix, k: int) -> list[tuple[list[int], list[float], int]]:
    """Brute force: one row at a time in float64, then a plain sort."""
    answers = []
    for query in queries.astype(np.float64):
        scores = [float((row.astype(np.float64) * query).sum()) for row in vectors]
        ranked = sorted(range(len(vectors)), key=lambda row: (-scores[row], row))
        kept = ranked[:k]
        ties = sum(scores[row] == scores[kept[-1]] for row in ranked[k:])
        answers.append((kept, [scores[row] for row in kept], ties))
    return answers


def listed(hits: Hits) -> list[tuple[list[int], list[float], int]]:
    return list(zip(hits.rows.tolist(), hits.scores.tolist(), hits.cut_in_tie.tolist(), strict=True))


def unit(rows: int, dims: int, seed: int) -> Matrix:
    drawn = np.random.default_rng(seed).normal(size=(rows, dims)).astype(np.float32)
    return transform(drawn, dims=dims, order=("l2_normalise",))


numbers = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.5]),
    st.floats(-10, 10, width=32),
    st.floats(width=32, allow_nan=False, allow_infinity=False),
)


@st.composite
def searches(draw: st.DrawFn) -> tuple[Matrix, Matrix, int]:
    dims = draw(st.integers(1, 40))
    rows = draw(nps.arrays(np.float32, (draw(st.integers(1, 30)), dims), elements=numbers))
    copies = draw(st.lists(st.integers(0, len(rows) - 1), max_size=20))
    with np.errstate(over="ignore"):  # the step from 0 is a number too small for a normal float
        near = np.nextafter(rows[copies], np.float32(np.inf), where=draw(st.booleans()), out=rows[copies].copy())
    vectors = np.concatenate([rows, rows[copies], near])
    queries = draw(nps.arrays(np.float32, (draw(st.integers(1, 4)), dims), elements=numbers))
    queries = queries[queries.any(axis=1)]
    return vectors[np.isfinite(vectors).all(axis=1)], queries, draw(st.integers(1, 80))


@settings(max_examples=300, deadline=None)
@given(searches(), st.integers(1, 40))
def test_answers_equal_float64_brute_force(search: tuple[Matrix, Matrix, int], block: int) -> None:
    vectors, queries, k = search
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "_BLOCK_ROWS", block)
        patch.setattr(exact, "_BLOCK_QUERIES", 2)
        patch.setattr(exact, "_RESCORED_ROWS", 3)
        hits = top_k(vectors, queries, k)
    assert listed(hits) == oracle(vectors, queries, k)


@pytest.mark.parametrize("noise", [0, 1e-8, 1e-7, 1e-6])
def test_hundreds_of_near_ties_are_told_apart(noise: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_BLOCK_ROWS", 400)
    rng = np.random.default_rng(5)
    centres = unit(6, 96, seed=3)
    vectors = (centres[rng.integers(0, 6, 1_500)] + noise * rng.normal(size=(1_500, 96))).astype(np.float32)
    queries = (centres + 1e-3 * rng.normal(size=(6, 96))).astype(np.float32)
    assert listed(top_k(vectors, queries, 50)) == oracle(vectors, queries, 50)


@pytest.mark.parametrize(
    ("vectors", "query"),
    [
        ([[3e38, 3e38], [3e38, 2e38], [1, 0], [-3e38, 3e38]], [2, -2]),
        ([[1e19, 1e19], [1e19, 9e18], [1, 0], [-1e19, 1e19]], [1e20, -1e20]),
        ([[1e-14, *[0] * 99], [5.6e-16] * 100, [1e-15] * 100], [1e-30] * 100),
    ],
)
def test_scores_beyond_float32_are_ranked_all_the_same(vectors: list[list[float]], query: list[float]) -> None:
    rows, queries = np.array(vectors, dtype=np.float32), np.array([query], dtype=np.float32)
    for k in (1, 2, 3):
        assert listed(top_k(rows, queries, k)) == oracle(rows, queries, k)


def test_float32_order_alone_would_have_been_wrong() -> None:
    """Guards the test above: here matrix products do rank differently from the score."""
    rng = np.random.default_rng(5)
    vectors = (unit(1, 96, seed=3) + 1e-8 * rng.normal(size=(500, 96))).astype(np.float32)
    queries = unit(8, 96, seed=4)
    by_product = np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, :50]
    assert (by_product != top_k(vectors, queries, 50).rows).any()


def test_threads_batches_and_k_change_nothing() -> None:
    vectors, queries = unit(3_000, 64, seed=1), unit(40, 64, seed=2)
    vectors[1_000:1_200] = vectors[:200]
    whole = listed(top_k(vectors, queries, 50))
    for threads in (1, 2):
        assert listed(top_k(vectors, queries, 50, threads=threads)) == whole
        assert [listed(top_k(vectors, query[None], 50, threads=threads))[0] for query in queries] == whole
    shorter = top_k(vectors, queries, 10)
    assert [(rows, scores) for rows, scores, _ in listed(shorter)] == [(r[:10], s[:10]) for r, s, _ in whole]


def test_a_score_does_not_depend_on_the_rows_beside_it() -> None:
    vectors, query = unit(500, 77, seed=8), unit(1, 77, seed=9)[0]
    together = row_scores(vectors, query)
    assert [float(row_scores(row[None], query)[0]) for row in vectors] == together.tolist()
    assert (row_scores(np.asfortranarray(vectors), query) == together).all()


def test_c24_lists_are_prefixes_and_the_cut_inside_a_tie_is_counted(cases: Path, tmp_path: Path) -> None:
    given_vectors = read_jsonl(cases / "c24-vectors.jsonl")
    query = np.array([json.loads((cases / "c24-query.json").read_bytes())["vector"]], dtype=np.float32)
    backwards = Vectors(ids=given_vectors.ids[::-1], rows=given_vectors.rows[::-1])
    lists: dict[int, list[list[str]]] = {10: [], 50: [], 64: []}
    for number, vectors in enumerate((given_vectors, backwards)):
        write_vectors(tmp_path / f"{number}.npy", vectors, dims=2, order=("truncate", "l2_normalise"))
        stored = open_vectors(tmp_path / f"{number}.npy")
        for k, found in lists.items():
            for threads in (1, 2):
                for batch in (query, np.repeat(query, 7, axis=0)):
                    hits = top_k(stored.matrix, batch, k, threads=threads)
                    found += [[stored.ids[row] for row in rows] for rows in hits.rows]
                    assert set(hits.cut_in_tie.tolist()) == {{10: 50, 50: 10, 64: 0}[k]}
    for k, found in lists.items():
        assert all(one == lists[64][0][:k] for one in found)
    assert lists[64][0][:60] == [f"d{number:02}" for number in range(60)]


def test_c23_three_documents_give_three_candidates_and_never_minus_one() -> None:
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8]], dtype=np.float32)
    hits = top_k(vectors, np.array([[1, 0]], dtype=np.float32), 50)
    assert hits.rows.tolist() == [[0, 2, 1]]
    assert hits.scores.tolist() == [[1, float(np.float32(0.6)), 0]]


def test_c23_a_nan_query_gives_an_error_not_a_list() -> None:
    queries = np.array([[1, 0], [np.nan, 1]], dtype=np.float32)
    with pytest.raises(VectorsRefused, match=r"1 vector \(query 2\) holds NaN"):
        top_k(np.eye(2, dtype=np.float32), queries, 1)


@pytest.mark.parametrize(
    ("vectors", "query", "words"),
    [
        ([[1, 0]], [0, 0], r"query 1\) holds nothing but zeros"),
        ([[1, 0]], [1, 0, 0], "index has 2 dimensions and the query 3"),
        ([[1, 0], [np.nan, 1]], [1, 0], "vectors of the index hold NaN"),
        ([[1, 0], [np.inf, 1]], [1, 0], "vectors of the index hold NaN or infinity"),
    ],
)
def test_what_cannot_be_ranked_is_refused(vectors: list[list[float]], query: list[float], words: str) -> None:
    with pytest.raises(VectorsRefused, match=words):
        top_k(np.array(vectors, dtype=np.float32), np.array([query], dtype=np.float32), 1)


def test_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1, not 0"):
        top_k(np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32), 0)


def test_nothing_to_search_gives_empty_answers() -> None:
    nothing = np.empty((0, 2), dtype=np.float32)
    assert top_k(nothing, np.eye(2, dtype=np.float32), 5).rows.shape == (2, 0)
    assert top_k(np.eye(2, dtype=np.float32), nothing, 5).rows.shape == (0, 2)


def _search_in_child(vectors: Matrix, query: Matrix, answer: multiprocessing.Queue[list[int]]) -> None:
    answer.put(top_k(vectors, query, 50).rows[0].tolist())


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # forking after a search is the very case
@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_c29_a_forked_child_searches_after_its_parent_did(cases: Path) -> None:
    limit = json.loads((cases / "c29-scenario.json").read_bytes())["expect"]["child_done_within_s"]
    vectors, query = unit(20_000, 128, seed=1), unit(1, 128, seed=2)
    expected = top_k(vectors, query, 50, threads=2).rows[0].tolist()
    context = multiprocessing.get_context("fork")
    answer: multiprocessing.Queue[list[int]] = context.Queue()
    child = context.Process(target=_search_in_child, args=(vectors, query, answer))
    child.start()
    try:
        assert answer.get(timeout=limit) == expected
    finally:
        child.kill()
        child.join()


def test_searching_loads_no_vector_library() -> None:
    import subprocess

    script = (
        "import sys, numpy as np; from curation.retrieval.exact import top_k;"
        "top_k(np.eye(3, dtype='f4'), np.eye(3, dtype='f4'), 2, threads=1);"
        "print([name for name in ('faiss', 'sklearn', 'numba', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
