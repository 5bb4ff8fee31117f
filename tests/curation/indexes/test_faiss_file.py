"""FAISS files, written by FAISS itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import faiss
import numpy as np
import pytest

from curation.indexes.base import IndexRefused, Ranked
from curation.indexes.faiss_file import FaissFileIndex
from curation.retrieval.vector_files import read_jsonl
from curation.retrieval.vectors import Matrix, VectorsRefused

from .asking import DIMS, NAMES, asked, exact_rankings, names_in, some_queries, some_vectors


def placed(folder: Path, rows: Matrix, ids: Sequence[str], kind: str = "Flat", *, l2: bool = False) -> FaissFileIndex:
    index = faiss.index_factory(rows.shape[1], kind, faiss.METRIC_L2 if l2 else faiss.METRIC_INNER_PRODUCT)
    if not index.is_trained:
        index.train(rows)
    index.add(rows)
    faiss.write_index(index, str(folder / "laws.faiss"))
    (folder / "laws.faiss.ids").write_text("".join(f"{name}\n" for name in ids), encoding="utf-8")
    return FaissFileIndex(folder, "laws.faiss")


def test_a_flat_file_answers_as_exact_search(tmp_path: Path) -> None:
    rows, queries = some_vectors(200, seed=1), some_queries()
    found, exact = placed(tmp_path, rows, NAMES).search(queries, 20), exact_rankings(tmp_path, rows, queries, 20)
    assert names_in(found) == names_in(exact)
    assert found[0][0].score == pytest.approx(exact[0][0].score, abs=1e-6)


def test_an_l2_file_ranks_by_distance(tmp_path: Path) -> None:
    rows, queries = some_vectors(200, seed=1), some_queries()
    [nearest, *_] = placed(tmp_path, rows, NAMES, l2=True).search(queries, 20)
    exact = exact_rankings(tmp_path, rows, queries, 20)[0]
    assert names_in([nearest]) == names_in([exact])
    assert nearest[0].score == pytest.approx(2 * exact[0].score - 2, abs=1e-5)  # |a - b|² = 2 - 2ab


def test_an_approximate_file_answers_what_it_finds_and_no_more(tmp_path: Path) -> None:
    """Ten lists of which FAISS visits one: it fills up with -1, which is no document (C23)."""
    index = placed(tmp_path, some_vectors(200, seed=1), NAMES, "IVF10,Flat")
    answers = index.search(some_queries(), 200)
    assert all(0 < len(ranking) < 200 for ranking in answers)
    assert {place.external_id for ranking in answers for place in ranking} <= set(NAMES)


def test_c23_fifty_of_three_documents_are_three(tmp_path: Path) -> None:
    index = placed(tmp_path, np.eye(3, dtype=np.float32), ("d1", "d2", "d3"))
    assert names_in(index.search([asked("q", 0, 1, 0.5)], 50)) == [["d2", "d3", "d1"]]


def test_c23_a_query_of_nan_is_an_error_and_no_list(tmp_path: Path) -> None:
    index = placed(tmp_path, np.eye(3, dtype=np.float32), ("d1", "d2", "d3"))
    with pytest.raises(VectorsRefused, match=r"q2.*NaN"):
        index.search([asked("q1", 1, 0, 0), asked("q2", np.nan, 0, 0)], 2)


def test_a_document_of_nan_is_never_an_answer(tmp_path: Path) -> None:
    index = placed(tmp_path, np.array([[np.nan, 0], [1, 0], [0, 1]], dtype=np.float32), ("d1", "d2", "d3"))
    assert names_in(index.search([asked("q", 1, 0)], 3)) == [["d2", "d3"]]


def test_c24_the_list_for_k_is_the_head_of_the_list_for_a_larger_k(cases: Path, tmp_path: Path) -> None:
    vectors = read_jsonl(cases / "c24-vectors.jsonl")
    backwards = placed(tmp_path, np.ascontiguousarray(vectors.matrix[::-1]), vectors.ids[::-1])
    query = asked("q1", *json.loads((cases / "c24-query.json").read_bytes())["vector"])
    whole = names_in(backwards.search([query], 60))[0]
    assert whole[:50] == [f"d{number:02}" for number in range(50)]
    assert all(names_in(backwards.search([query], k))[0] == whole[:k] for k in (1, 7, 20, 50, 59))


def test_c27_another_width_is_refused_with_both_numbers(tmp_path: Path) -> None:
    index = placed(tmp_path, some_vectors(200, seed=1), NAMES)
    with pytest.raises(IndexRefused, match=f"laws.faiss holds vectors of {DIMS} dimensions and the queries have 2;"):
        index.search([asked("q", 1, 0)], 5)


def test_an_empty_file_answers_nothing(tmp_path: Path) -> None:
    index = placed(tmp_path, np.empty((0, 2), np.float32), ())
    assert (index.search([asked("q", 1, 0)], 5), list(index.ids()), index.search([], 5)) == ([[]], [], [])


def test_ids_are_those_of_the_file_in_code_point_order(tmp_path: Path) -> None:
    index = placed(tmp_path, np.eye(3, dtype=np.float32), ("ä", "b", "B"))
    assert list(index.ids()) == ["B", "b", "ä"]
    assert index.search([asked("q", 1, 0, 0)], 1) == [[Ranked("ä", 1.0)]]


def test_a_document_of_several_vectors_stands_where_its_nearest_does(tmp_path: Path) -> None:
    rows = np.array([[1, 0], [0.9, 0.1], [0.5, 0.5], [0, 1]], np.float32)
    index = placed(tmp_path, rows, "aabc")
    assert names_in(index.search([asked("q", 1, 0)], 2)) == [["a", "b"]]
    assert list(index.ids()) == ["a", "b", "c"]


def test_the_fingerprint_follows_vectors_and_ids(tmp_path: Path) -> None:
    rows = np.eye(3, dtype=np.float32)
    prints = [placed(tmp_path, *what).fingerprint() for what in ((rows, "abc"), (rows, "abd"), (2 * rows, "abc"))]
    assert len(set(prints)) == 3
    assert placed(tmp_path, rows, "abc").fingerprint() == prints[0]


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ("a\nb\n", "holds 3 vectors and laws.faiss.ids names 2"),
        ("a\n\nc\n", "Line 2 of laws.faiss.ids is empty"),
    ],
)
def test_ids_that_do_not_fit_are_refused(tmp_path: Path, ids: str, words: str) -> None:
    placed(tmp_path, np.eye(3, dtype=np.float32), "abc")
    (tmp_path / "laws.faiss.ids").write_text(ids)
    with pytest.raises(IndexRefused, match=words):
        FaissFileIndex(tmp_path, "laws.faiss")


def test_ids_from_another_system_are_read_or_refused(tmp_path: Path) -> None:
    placed(tmp_path, np.eye(2, dtype=np.float32), "ab")
    (tmp_path / "laws.faiss.ids").write_bytes(b"a\r\nb\r\n")
    assert list(FaissFileIndex(tmp_path, "laws.faiss").ids()) == ["a", "b"]
    (tmp_path / "laws.faiss.ids").write_bytes("ä\nb\n".encode("latin-1"))
    with pytest.raises(IndexRefused, match=r"laws\.faiss\.ids is not UTF-8"):
        FaissFileIndex(tmp_path, "laws.faiss")


def test_numbers_without_an_id_are_refused(tmp_path: Path) -> None:
    index = faiss.IndexIDMap(faiss.IndexFlatIP(2))
    index.add_with_ids(np.eye(2, dtype=np.float32), np.array([0, 77]))
    faiss.write_index(index, str(tmp_path / "laws.faiss"))
    (tmp_path / "laws.faiss.ids").write_text("a\nb\n")
    with pytest.raises(IndexRefused, match="answers with the number 77"):
        FaissFileIndex(tmp_path, "laws.faiss").search([asked("q", 1, 0)], 2)


def test_a_file_that_faiss_cannot_read_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"not an index at all"):
        (tmp_path / "x").write_bytes(content)
        (tmp_path / "x.ids").write_text("a\n")
        with pytest.raises(IndexRefused, match="x cannot be read as a FAISS index"):
            FaissFileIndex(tmp_path, "x")


def test_another_metric_is_refused(tmp_path: Path) -> None:
    index = faiss.IndexFlat(2, faiss.METRIC_L1)
    index.add(np.eye(2, dtype=np.float32))
    faiss.write_index(index, str(tmp_path / "x"))
    (tmp_path / "x.ids").write_text("a\nb\n")
    with pytest.raises(IndexRefused, match="neither inner product nor L2"):
        FaissFileIndex(tmp_path, "x")


@pytest.mark.parametrize("location", ["", "/etc/passwd", "../secret", "a/../../secret", "a\0b"])
def test_a_place_outside_the_folder_is_refused(tmp_path: Path, location: str) -> None:
    with pytest.raises(IndexRefused, match="is no place for a FAISS index"):
        FaissFileIndex(tmp_path, location)


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    placed(outside, np.eye(2, dtype=np.float32), "ab")
    (inside / "laws.faiss").symlink_to(outside / "laws.faiss")
    with pytest.raises(IndexRefused, match="leads out of the folder"):
        FaissFileIndex(inside, "laws.faiss")
    with pytest.raises(IndexRefused, match=r"There is no file other\.faiss"):
        FaissFileIndex(inside, "other.faiss")
