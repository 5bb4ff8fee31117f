"""The exact baseline as a retriever."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from curation.indexes.base import AskedQuery, Index, IndexRefused, Ranked
from curation.indexes.exact import ExactIndex
from curation.retrieval.vector_files import read_jsonl
from curation.retrieval.vectors import Vectors, VectorsRefused, write_vectors


def asked(query_id: str, *numbers: float) -> AskedQuery:
    return AskedQuery(query_id, "", np.array(numbers, dtype=np.float32) if numbers else None)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    rows = np.array([[0, 1], [1, 0], [0.6, 0.8]], dtype=np.float32)
    write_vectors(tmp_path / "v.npy", Vectors(ids=("c", "a", "b"), rows=rows))
    return ExactIndex(tmp_path / "v.npy", threads=1)


def test_answers_come_by_external_id_in_the_order_of_the_queries(index: Index) -> None:
    assert index.search([asked("q1", 1, 0), asked("q2", 0, 2)], 2) == [
        [Ranked("a", 1.0), Ranked("b", float(np.float32(0.6)))],
        [Ranked("c", 2.0), Ranked("b", float(2 * np.float32(0.8)))],
    ]
    assert index.search([], 2) == []
    assert list(index.ids()) == ["a", "b", "c"]


def test_a_query_without_a_vector_is_refused_by_id(index: Index) -> None:
    with pytest.raises(IndexRefused, match="needs a vector for query q2"):
        index.search([asked("q1", 1, 0), asked("q2")], 2)


def test_a_vector_of_another_width_is_refused(index: Index) -> None:
    with pytest.raises(VectorsRefused, match="index has 2 dimensions and the query 3"):
        index.search([asked("q1", 1, 0, 0)], 2)


def test_the_fingerprint_follows_vectors_and_ids(index: Index, tmp_path: Path) -> None:
    rows = np.array([[0, 1], [1, 0], [0.6, 0.8]], dtype=np.float32)
    prints = {index.fingerprint()}
    for number, (ids, factor) in enumerate([(("c", "a", "b"), 1), (("d", "a", "b"), 1), (("c", "a", "b"), 2)]):
        write_vectors(tmp_path / f"{number}.npy", Vectors(ids=ids, rows=factor * rows))
        prints.add(ExactIndex(tmp_path / f"{number}.npy").fingerprint())
    assert len(prints) == 3


def test_c24_ties_are_listed_by_external_id(cases: Path, tmp_path: Path) -> None:
    write_vectors(tmp_path / "v.npy", read_jsonl(cases / "c24-vectors.jsonl"))
    query = asked("q1", *json.loads((cases / "c24-query.json").read_bytes())["vector"])
    (ranking,) = ExactIndex(tmp_path / "v.npy").search([query], 50)
    assert [place.external_id for place in ranking] == [f"d{number:02}" for number in range(50)]
    assert len({place.score for place in ranking}) == 1
