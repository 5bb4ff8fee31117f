"""The manifest: what is read and kept, what is refused, and in what two of them differ."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curation.formats.manifest import (
    SCHEMA,
    Manifest,
    ManifestRefused,
    json_schema,
    manifest_of,
    read_manifest,
    written,
)
from curation.formats.manifest_checks import (
    Hashes,
    calibration_of,
    configuration_differences,
    differences,
    require_whole_hashes,
    same_hash,
    with_hashes,
)
from curation.retrieval.quantisation import Calibration
from curation.retrieval.rows import VectorsRefused

FILE = Path(__file__).parents[2] / "data" / "manifests" / "int8.json"
DIGITS = "3f9ac1d2e4b5067788990a1b2c3d4e5f"
Record = dict[str, Any]


def record() -> Record:
    read: Record = json.loads(FILE.read_bytes())
    return read


def changed(**parts: object) -> Record:
    """The record with fields of its parts set anew: `embedding={"truncate_to": 4096}`."""
    whole = record()
    return whole | {name: {**whole[name], **part} if isinstance(part, dict) else part for name, part in parts.items()}


def test_a_manifest_comes_back_as_it_was_with_unknown_keys_at_any_depth() -> None:
    manifest = read_manifest(FILE.read_bytes(), name="int8.json")
    assert manifest.as_json() == record()
    again = read_manifest(written(manifest).encode(), name="again")
    assert again.as_json() == record()
    assert written(again) == written(manifest)
    assert list(manifest.as_json()["embedding"]) == list(record()["embedding"])


def test_the_fields_are_typed() -> None:
    manifest = manifest_of(record())
    assert manifest.embedding.truncate_to == 1024
    assert manifest.rollback is not None
    assert (manifest.rollback.threshold, manifest.rollback.previous_alias_target) == (0.85, "laws_chunks_2026_02")
    assert (manifest.set_version, manifest.centre_sha256) == ("hard@4", "a0b1c2d3e4f5061728394a5b6c7d8e9f")


def test_the_schema_file_is_that_of_the_model() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == json_schema()
    schema = json.loads(json_schema())
    assert schema["properties"]["manifest_version"]["const"] == 2
    assert "^recall_at_[1-9][0-9]*$" in schema["$defs"]["Evaluation"]["patternProperties"]


def test_an_index_of_float32_has_no_quantisation() -> None:
    plain = changed(embedding={"transform_order": ["truncate", "l2_normalise"]})
    for name in ("quantisation", "evaluation", "acceptance", "rollback"):
        del plain[name]
    assert Hashes.of(manifest_of(plain)) == Hashes()
    require_whole_hashes(manifest_of(plain))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (changed(manifest_version=1), "is of version 1 and only version 2 is read"),
        (changed(manifest_version=3), "is of version 3 and only version 2 is read"),
        (changed(manifest_version="2"), "is of version '2'"),
        (changed(manifest_version=True), "is of version True"),
        ({"collection": "x"}, "no manifest_version"),
        ([record()], "no manifest_version"),
        (changed(collection=""), "field collection of the manifest is wrong: string should have at least 1"),
        (changed(embedding={"transform_order": ["truncate", "round"]}), r"embedding\.transform_order\.1"),
        (changed(embedding={"transform_order": ["truncate", "truncate"]}), "names a step of transform_order twice"),
        (changed(embedding={"transform_order": ["quantise", "truncate"]}), "none can follow it"),
        (changed(embedding={"transform_order": ["l2_normalise"]}), "no step truncate"),
        (changed(embedding={"truncate_to": 4096}), "truncate_to above its native_dims"),
        (changed(embedding={"truncate_to": 1024.0}), r"embedding\.truncate_to of the manifest is wrong"),
        (changed(quantisation={"clip_quantile": [0.1, 99.9]}), "is in percent; write fractions of one"),
        (changed(quantisation={"clip_quantile": [0.999, 0.001]}), "lower end is not below"),
        (changed(quantisation={"scale_sha256": "3f9ac1d2"}), r"quantisation\.scale_sha256 of the manifest is wrong"),
        (changed(quantisation={"scale_sha256": "a" * 65}), r"quantisation\.scale_sha256 of the manifest is wrong"),
        (changed(quantisation=None), "has the step quantise and no quantisation"),
        (changed(evaluation={"recall_at_50": {"keyword": 1.2}}), "has a recall_at_50 that does not give each slice"),
        (changed(rollback={"previous_alias_target": ""}), r"rollback\.previous_alias_target of the manifest is wrong"),
        ({name: part for name, part in record().items() if name != "index"}, "The manifest has no index; add it"),
    ],
)
def test_what_is_no_manifest_of_version_2_is_refused_in_a_sentence(wrong: object, said: str) -> None:
    with pytest.raises(ManifestRefused, match=said) as refused:
        manifest_of(wrong)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "m.json is not a manifest in JSON"),
        (b"\xff", "m.json is not a manifest in JSON"),
        (b'{"manifest_version": 2, "manifest_version": 2}', "a key stands twice"),
        (b'{"manifest_version": NaN}', "NaN is no number"),
        (b"[" * 100_000, "m.json is not a manifest in JSON"),
        (b" " * (1024 * 1024 + 1), "longer than 1 MiB"),
    ],
)
def test_a_file_that_is_no_json_object_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(ManifestRefused, match=said):
        read_manifest(content, name="m.json")


def test_a_hash_that_was_cut_is_the_same_hash() -> None:
    assert same_hash(DIGITS, DIGITS.upper() + "0" * 32)
    assert not same_hash(DIGITS, DIGITS[:-1] + "0" + "0" * 32)
    assert not same_hash("", DIGITS)
    assert not same_hash(DIGITS[:8], DIGITS)
    assert same_hash("", "")


def test_the_differences_name_each_field_once() -> None:
    other = changed(
        quantisation={"scale_sha256": DIGITS + "0" * 32, "keep_originals": True},
        embedding={"transform_order": ["truncate", "centre", "quantise"]},
    )
    del other["built_by"]
    assert [str(each) for each in differences(manifest_of(record()), manifest_of(other))] == [
        "embedding.transform_order: truncate, l2_normalise, centre, quantise → truncate, centre, quantise",
        "quantisation.keep_originals: False → True",
        f"built_by: {record()['built_by']} → absent",
    ]
    assert differences(manifest_of(record()), manifest_of(record())) == []


def test_a_configuration_is_held_against_truncation_and_order() -> None:
    manifest = manifest_of(record())
    order = record()["embedding"]["transform_order"]
    assert configuration_differences(manifest, truncate_to=1024, transform_order=order) == []
    assert configuration_differences(manifest) == []
    found = configuration_differences(manifest, truncate_to=512, transform_order=tuple(reversed(order)))
    assert [each.path for each in found] == ["embedding.truncate_to", "embedding.transform_order"]


def small(**quantisation: object) -> Manifest:
    return manifest_of(changed(embedding={"native_dims": 6, "truncate_to": 4}, quantisation=quantisation))


def test_the_hashes_come_of_the_sample_and_are_written_whole() -> None:
    sample = np.random.default_rng(3).normal(size=(50, 6)).astype(np.float32)
    manifest = small()
    with pytest.raises(ManifestRefused, match=r"has 32 digits of quantisation\.scale_sha256 and 64 are written"):
        require_whole_hashes(manifest)
    calibration = calibration_of(manifest, sample)
    whole = with_hashes(manifest, Hashes.of(calibration))
    require_whole_hashes(whole)
    assert (whole.scale_sha256, whole.centre_sha256) == (calibration.scale_sha256, calibration.centre_sha256)
    assert whole.as_json()["built_by"] == record()["built_by"]
    assert Hashes.of(calibration_of(small(clip_quantile=[0.1, 0.9]), sample)).scale != whole.scale_sha256


@pytest.mark.parametrize(
    ("computed", "said"),
    [
        (lambda: calibration_of(small(), np.ones((5, 7), np.float32)), "has 7 dimensions and the manifest's encoder 6"),
        (lambda: calibration_of(small(type="pq_96"), np.ones((5, 6), np.float32)), "'pq_96' cannot be computed"),
    ],
)
def test_a_sample_of_something_else_is_refused(computed: Callable[[], Calibration], said: str) -> None:
    with pytest.raises(VectorsRefused, match=said):
        computed()
