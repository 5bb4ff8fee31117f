from pathlib import Path

import pytest

from curation.formats.vector_rows import VectorRow, read_vectors

from .reads import CASES, faults_of, rows_of, written


def test_c23_vectors_that_float32_cannot_keep_are_named() -> None:
    read = list(read_vectors(CASES / "c23-vectors.jsonl"))
    assert [(fault.line, fault.id) for fault in faults_of(read)] == [(3, "d3"), (4, "d4")]
    assert "NaN" in faults_of(read)[0].reason
    assert faults_of(read)[1].reason == "The vector holds 1e+39, which float32 cannot keep."


def test_c26_a_vector_of_zeros_is_refused_by_id() -> None:
    (fault,) = faults_of(read_vectors(CASES / "c26-vectors.jsonl"))
    assert (fault.line, fault.id) == (3, "zero")


def test_c27_a_vector_of_another_length_is_refused_with_both_numbers() -> None:
    (fault,) = faults_of(read_vectors(CASES / "c27-mixed.jsonl"))
    assert (fault.line, fault.id, fault.reason) == (2, "d4", "The vector has 5 numbers and the first one has 4.")


def test_c24_sixty_five_vectors_are_read() -> None:
    rows = rows_of(read_vectors(CASES / "c24-vectors.jsonl"))
    assert (len(rows), rows[0].external_id, rows[0].line) == (65, "d00", 1)


@pytest.mark.parametrize(
    "vector", ["[]", "null", '"1,2"', "[1, true]", '[1, "2"]', "[1, null]", "[1, [2]]", f"[{'9' * 60}]"]
)
def test_what_is_no_list_of_numbers_is_refused(tmp_path: Path, vector: str) -> None:
    (fault,) = faults_of(read_vectors(written(tmp_path, "v.jsonl", f'{{"id": "a", "vector": {vector}}}')))
    assert (fault.line, fault.id) == (1, "a")


def test_the_largest_float32_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path, "v.jsonl", '{"id": "a", "embedding": [3.4028234663852886e38, -1]}')
    assert rows_of(read_vectors(path)) == [VectorRow(1, "a", (3.4028234663852886e38, -1.0))]
