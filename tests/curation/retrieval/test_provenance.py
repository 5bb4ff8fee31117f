"""Whose vectors may meet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.retrieval.provenance import Provenance, require_dims, require_same_space
from curation.retrieval.vector_files import read_jsonl
from curation.retrieval.vectors import VectorsRefused


def test_c27_a_dimension_mismatch_names_both_numbers_both_models_and_the_way_out(cases: Path) -> None:
    manifest = json.loads((cases / "c27-manifest.json").read_bytes())
    corpus, queries = read_jsonl(cases / "c27-vectors.jsonl"), read_jsonl(cases / "c27-queries.jsonl")
    index = Provenance(manifest["model"], corpus.rows.shape[1], revision=manifest["revision"])
    with pytest.raises(VectorsRefused) as refusal:
        require_dims(index, Provenance(queries.encoder, queries.rows.shape[1]))
    assert str(refusal.value) == (
        "The index holds 4 dimensions from enc-a (2026-01), the queries have 3 from enc-b;"
        " encode the queries with enc-a (2026-01), or encode the corpus again with enc-b."
    )


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (Provenance("enc-b", 4, revision="1"), r"made by enc-a \(1\), the queries by enc-b \(1\)"),
        (Provenance("enc-a", 4, revision="2"), r"made by enc-a \(1\), the queries by enc-a \(2\)"),
        (Provenance("", 3), "the queries have 3 from an encoder that is not named"),
    ],
)
def test_vectors_of_another_encoder_or_revision_are_refused(other: Provenance, words: str) -> None:
    with pytest.raises(VectorsRefused, match=words):
        require_same_space(Provenance("enc-a", 4, revision="1"), other)


@pytest.mark.parametrize("other", [Provenance("enc-a", 4, revision="1"), Provenance("enc-a", 4), Provenance("", 4)])
def test_what_nobody_said_is_not_held_against_the_vectors(other: Provenance) -> None:
    require_same_space(Provenance("enc-a", 4, revision="1"), other)
    require_same_space(other, Provenance("enc-a", 4, revision="1"))
