"""Writing, opening and transforming vectors."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from curation.retrieval import rows as module
from curation.retrieval.exact import as_cosine, top_k
from curation.retrieval.vector_files import read_jsonl, read_npy
from curation.retrieval.vectors import (
    Matrix,
    Vectors,
    VectorsRefused,
    check_rows,
    ids_path,
    open_vectors,
    sha256_of,
    transform,
    write_vectors,
)

COSINE = ("truncate", "l2_normalise")


def some(ids: list[str], rows: list[list[float]]) -> Vectors:
    return Vectors(ids=tuple(ids), rows=np.array(rows, dtype=np.float32))


def test_rows_are_stored_in_code_point_order_of_their_ids(tmp_path: Path) -> None:
    given_order = some(["b", "a", "007", "7", "Z", "é", "ａ"], [[1], [2], [3], [4], [5], [6], [7]])
    write_vectors(tmp_path / "v.npy", given_order)
    stored = open_vectors(tmp_path / "v.npy")
    assert stored.ids == ("007", "7", "Z", "a", "b", "é", "ａ")
    assert stored.matrix[:, 0].tolist() == [3, 4, 5, 2, 1, 6, 7]


def test_any_order_of_the_same_vectors_gives_the_same_file(tmp_path: Path) -> None:
    one = write_vectors(tmp_path / "1.npy", some(["a", "b", "c"], [[1, 0], [0, 1], [1, 1]]))
    other = write_vectors(tmp_path / "2.npy", some(["c", "a", "b"], [[1, 1], [1, 0], [0, 1]]))
    assert one == other == sha256_of(tmp_path / "2.npy")
    assert one == hashlib.sha256((tmp_path / "1.npy").read_bytes()).hexdigest()


def test_a_stored_file_opens_read_only_and_mapped(tmp_path: Path) -> None:
    write_vectors(tmp_path / "v.npy", some(["a"], [[1, 2]]))
    rows = open_vectors(tmp_path / "v.npy").rows
    assert isinstance(rows, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        rows[0, 0] = 5


def test_a_refused_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    folder.mkdir()
    before = write_vectors(folder / "v.npy", some(["a", "b"], [[1, 0], [0, 1]]))
    with pytest.raises(VectorsRefused, match=r"1 vector \(d\) holds nothing but zeros"):
        write_vectors(folder / "v.npy", some(["c", "d"], [[1, 0], [0, 0]]))
    assert sha256_of(folder / "v.npy") == before
    assert open_vectors(folder / "v.npy").ids == ("a", "b")
    assert sorted(path.name for path in folder.iterdir()) == ["v.ids.json", "v.npy"]


def test_blocks_do_not_show_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(1).normal(size=(50, 6)).astype(np.float32)
    vectors = Vectors(ids=tuple(f"d{n}" for n in range(50)), rows=rows)
    whole = write_vectors(tmp_path / "1.npy", vectors, dims=4, order=COSINE)
    monkeypatch.setattr(module, "_BLOCK_NUMBERS", 7 * 6)
    assert write_vectors(tmp_path / "2.npy", vectors, dims=4, order=COSINE) == whole
    assert open_vectors(tmp_path / "2.npy").rows.shape == (50, 4)


def test_a_large_file_passes_through_memory_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK_NUMBERS", 2**14)
    rows = np.random.default_rng(1).normal(size=(2_000, 1_024))
    np.save(tmp_path / "brought.npy", rows)
    (tmp_path / "ids.txt").write_text("".join(f"{number}\n" for number in range(2_000)))
    tracemalloc.start()
    vectors = read_npy(tmp_path / "brought.npy", tmp_path / "ids.txt")
    write_vectors(tmp_path / "v.npy", vectors, dims=512, order=COSINE)
    top_k(open_vectors(tmp_path / "v.npy").matrix, np.ones((1, 512), dtype=np.float32), 50)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < (tmp_path / "v.npy").stat().st_size / 2 < rows.nbytes / 4


@pytest.mark.parametrize(
    ("vectors", "words"),
    [
        (some([], []), "There are no vectors to store"),
        (some(["a"], [[1], [2]]), "There are 2 vectors but 1 ids"),
        (some(["a", "a"], [[1], [2]]), "more than one vector"),
    ],
)
def test_rows_without_an_id_of_their_own_are_refused(tmp_path: Path, vectors: Vectors, words: str) -> None:
    with pytest.raises(VectorsRefused, match=words):
        write_vectors(tmp_path / "v.npy", vectors)
    assert not list(tmp_path.glob("v.*"))


def test_a_vectors_file_beside_the_ids_of_another_is_refused(tmp_path: Path) -> None:
    write_vectors(tmp_path / "v.npy", some(["a", "b"], [[1], [2]]))
    ids_path(tmp_path / "v.npy").write_text(json.dumps(["a"]))
    with pytest.raises(VectorsRefused, match="do not belong together"):
        open_vectors(tmp_path / "v.npy")


def test_bad_rows_are_counted_and_the_first_five_named() -> None:
    rows = np.zeros((9, 2), dtype=np.float32)
    with pytest.raises(VectorsRefused, match=r"9 vectors \(d0, d1, d2, d3, d4 and 4 more\) hold nothing but zeros"):
        check_rows(rows, ids=[f"d{n}" for n in range(9)])


def test_one_sentence_names_broken_and_zero_rows() -> None:
    rows = np.array([[1, 0], [np.nan, 1], [0, 0], [np.inf, 0]], dtype=np.float32)
    with pytest.raises(VectorsRefused) as refusal:
        check_rows(rows)
    assert str(refusal.value) == (
        "2 vectors (row 2, row 4) hold NaN, infinity or a number beyond float32 and 1 vector (row 3) holds nothing but"
        " zeros; such vectors cannot be ranked, so encode these texts again."
    )


def test_a_float64_number_that_float32_rounds_to_zero_counts_as_zero() -> None:
    with pytest.raises(VectorsRefused, match="nothing but zeros"):
        check_rows(np.array([[1e-60, -1e-60]]))


def test_steps_run_in_the_order_given() -> None:
    row = np.array([[3, 4, 12]], dtype=np.float32)
    assert transform(row, dims=2, order=COSINE).tolist() == [[np.float32(0.6), np.float32(0.8)]]
    assert transform(row, dims=2, order=("l2_normalise", "truncate")).tolist() == [
        [np.float32(3 / 13), np.float32(4 / 13)]
    ]
    assert transform(row, dims=3, order=()).tolist() == [[3, 4, 12]]


@pytest.mark.parametrize(
    ("dims", "order", "words"),
    [
        (4, COSINE, "have 3 dimensions and 4 are asked for"),
        (2, ("l2_normalise",), "have 3 dimensions and 2 are asked for"),
        (3, ("round",), "'round' is not known"),
        (1, COSINE, "nothing but zeros"),
    ],
)
def test_a_transform_that_leads_nowhere_is_refused(dims: int, order: tuple[str, ...], words: str) -> None:
    with pytest.raises(VectorsRefused, match=words):
        transform(np.array([[0, 3, 4]], dtype=np.float32), dims=dims, order=order)


floats = st.floats(-(2.0**90), 2.0**90, width=32).filter(lambda number: number == 0 or abs(number) > 2.0**-90)


@given(nps.arrays(np.float32, st.tuples(st.integers(1, 9), st.integers(1, 70)), elements=floats))
def test_a_row_comes_out_the_same_alone_and_in_any_batch(rows: Matrix) -> None:
    rows = rows[rows.any(axis=1)]
    dims = rows.shape[1]
    together = transform(rows, dims=dims, order=COSINE)
    for row, expected in zip(rows, together, strict=True):
        assert (transform(row[None], dims=dims, order=COSINE)[0] == expected).all()
    lengths = np.linalg.norm(together.astype(np.float64), axis=1)
    assert np.allclose(lengths, 1, atol=1e-6)


def test_c26_documents_and_queries_are_scaled_by_one_routine_and_zero_is_refused_by_id(cases: Path) -> None:
    with pytest.raises(VectorsRefused, match=r"1 vector \(zero\) holds nothing but zeros"):
        read_jsonl(cases / "c26-vectors.jsonl")
    lines = [json.loads(line) for line in (cases / "c26-vectors.jsonl").read_bytes().splitlines()]
    kept = {line["id"]: line["vector"] for line in lines if line["id"] != "zero"}
    queries = [json.loads(line)["vector"] for line in (cases / "c26-queries.jsonl").read_bytes().splitlines()]
    index = transform(np.array(list(kept.values()), dtype=np.float32), dims=2, order=COSINE)
    query = transform(np.array(queries[:1], dtype=np.float32), dims=2, order=COSINE)
    hits = top_k(index, query, 3)
    assert [list(kept)[row] for row in hits.rows[0]] == ["short", "long", "back"]
    assert hits.scores[0] == pytest.approx([1, 2**-0.5, -1 / 1.01**0.5], abs=1e-6)
    assert all(-1 <= as_cosine(score) <= 1 for score in hits.scores[0])
    with pytest.raises(VectorsRefused, match=r"1 vector \(q2\) holds nothing but zeros"):
        transform(np.array(queries[1:], dtype=np.float32), dims=2, order=COSINE, ids=["q2"])


@given(nps.arrays(np.float32, (1, 40), elements=floats).filter(lambda row: bool(row.any())))
def test_c26_shown_scores_stay_within_a_cosines_bounds(row: Matrix) -> None:
    unit = transform(row, dims=40, order=COSINE)
    for query, end in ((unit, 1), (-unit, -1)):
        score = float(top_k(unit, query, 1).scores[0, 0])
        assert score == pytest.approx(end, abs=1e-6)
        assert -1 <= as_cosine(score) <= 1


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda file: file.unlink(), "is gone"),
        (lambda file: file.with_suffix(".ids.json").unlink(), "is gone"),
        (lambda file: file.write_bytes(file.read_bytes()[:-40]), "damaged or cut off"),
        (lambda file: file.write_bytes(b""), "damaged or cut off"),
        (lambda file: file.with_suffix(".ids.json").write_text('["a", '), "damaged or cut off"),
    ],
    ids=["no file", "no ids", "cut off", "empty", "broken ids"],
)
def test_a_vectors_file_that_is_gone_or_damaged_is_told_in_one_sentence(
    harm: Callable[[Path], object], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "v.npy"
    write_vectors(file, Vectors(ids=tuple("abc"), rows=np.eye(3, 32, dtype=np.float32)))
    harm(file)
    with pytest.raises(VectorsRefused, match=said) as refused:
        open_vectors(file)
    assert "import or encode the vectors again." in str(refused.value)
