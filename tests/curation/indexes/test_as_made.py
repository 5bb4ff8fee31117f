"""Indexes asked as their manifests say they were made, and the manifests that queries cannot follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from qdrant_client import QdrantClient, models

from curation.formats.manifest import Embedding, Manifest, manifest_of
from curation.indexes.as_made import AskedAsMade, check_begins
from curation.indexes.base import AskedQuery, IndexRefused
from curation.indexes.qdrant import Collection, QdrantIndex
from curation.indexes.qdrant_server import QdrantServer
from curation.retrieval.quantisation import INT8, Calibration

ORDER = ["truncate", "l2_normalise", "centre", "quantise"]


def made(*order: str, truncate_to: int = 2, native_dims: int = 4) -> Embedding:
    fields = {"model": "m", "native_dims": native_dims, "truncate_to": truncate_to, "transform_order": list(order)}
    return Embedding.model_validate(fields)


def manifest(embedding: Embedding) -> Manifest:
    record: dict[str, Any] = {"manifest_version": 2, "collection": "kb", "index": {"kind": "hnsw"}}
    return manifest_of(record | {"embedding": embedding.model_dump(), "quantisation": {"type": INT8}})


def test_a_collection_of_qdrant_is_asked_with_what_its_manifest_makes_of_a_query() -> None:
    """(3, 4, 12, 0) cut to two is (3, 4), at length 1 (0.6, 0.8), off the centre (0.5, 0.9), in steps of 0.25 (2, 4)."""
    client = QdrantClient(":memory:")
    client.create_collection("kb", vectors_config=models.VectorParams(size=2, distance=models.Distance.DOT))
    points = [models.PointStruct(id=1, vector=[1.0, 0.0]), models.PointStruct(id=2, vector=[0.0, 1.0])]
    client.upsert("kb", points)
    index = QdrantIndex(QdrantServer(client, "NEAR"), Collection("NEAR", "kb"))
    calibration = Calibration(INT8, np.array([0.1, -0.1], np.float32), np.array([0.25, 0.25], np.float32))
    asked = AskedAsMade(index, manifest(made(*ORDER)), calibration)
    query = AskedQuery("q1", "", np.array([3, 4, 12, 0], np.float32))
    [ranking] = asked.search([query], 2)
    assert [(place.external_id, round(place.score, 6)) for place in ranking] == [("2", 1.0), ("1", 0.5)]
    assert (asked.search([], 2), asked.ids()) == ([], ["1", "2"])
    assert asked.fingerprint() != index.fingerprint()
    client.close()


@pytest.mark.parametrize(
    ("embedding", "dims"),
    [
        (made(*ORDER), 4),
        (made(*ORDER), 3),
        (made("l2_normalise", "truncate"), 4),
        (made("truncate"), 2),
        (made("l2_normalise", truncate_to=4), 4),
        (made(truncate_to=4), 4),
    ],
)
def test_a_road_that_begins_at_vectors_of_length_1_can_be_gone(embedding: Embedding, dims: int) -> None:
    check_begins(embedding, native_dims=4, dims=dims, index="r3")


@pytest.mark.parametrize(
    ("embedding", "dims", "said"),
    [
        (made(*ORDER, native_dims=8), 4, "an encoder of 8 dimensions, and queries are encoded by one of 4"),
        (made(*ORDER, truncate_to=3), 2, "were cut to 2 of 4 dimensions, and the manifest of r3 needs more"),
        (made("l2_normalise", "truncate"), 3, "needs more of them than that; bring them in whole"),
        (made("truncate", "centre", "l2_normalise", "quantise"), 4, "takes the step centre before l2_normalise"),
        (made("truncate", "quantise"), 4, "takes the step quantise before l2_normalise"),
    ],
)
def test_a_road_that_would_come_out_otherwise_is_refused(embedding: Embedding, dims: int, said: str) -> None:
    with pytest.raises(IndexRefused, match=said):
        check_begins(embedding, native_dims=4, dims=dims, index="r3")
