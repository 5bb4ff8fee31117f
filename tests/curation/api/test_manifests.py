"""Manifests over the API: what the command writes, shows and verifies, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import LazySettings

from curation.api import indexes, shapes
from curation.tasks import work_on
from tests import factories
from tests.curation.manifests.test_manifest import ORDER, Desk, told

from .calling import Caller, caller

pytestmark = pytest.mark.django_db
ADDRESS = "corpora/laws/indexes/int8/manifest"


@pytest.fixture
def desk(tmp_path: Path, settings: LazySettings) -> Desk:
    return Desk(tmp_path, Path(settings.INDEX_FOLDER))


@pytest.fixture
def calling(desk: Desk) -> Caller:
    return caller(factories.lena(desk.corpus), "manifest")


def test_a_manifest_is_written_shown_and_verified_as_by_command(desk: Desk, calling: Caller) -> None:
    assert calling.get(ADDRESS).json()["error"] == "int8 holds no manifest; write one with PUT."
    written = calling("put", ADDRESS, json.dumps(desk.manifest()))
    assert written.status_code == 200
    shapes.ManifestWritten.model_validate(written.json())
    shown = calling.get(ADDRESS).json()
    assert shown == told("show", "laws/int8")[1] == written.json()["manifest"]
    assert len(shown["index"]["file_sha256"]) == 64
    for configuration in ({}, {"truncate_to": 4, "transform_order": ORDER}, {"truncate_to": 3}):
        words = ["--truncate-to", "3"] if configuration.get("truncate_to") == 3 else []
        verified = calling("post", f"{ADDRESS}/verify", json.dumps(configuration)).json()
        assert verified == told("verify", "laws/int8", *words)[1]
        shapes.ManifestVerified.model_validate(verified)
    assert verified["agrees"] is False


def test_a_large_file_is_hashed_by_a_job_which_tells_the_same(
    desk: Desk, calling: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    calling("put", ADDRESS, json.dumps(desk.manifest()))
    monkeypatch.setattr(indexes, "AT_ONCE", 7)
    for configuration, words, code in (
        ({"truncate_to": 4, "transform_order": ORDER}, ("--truncate-to", 4, "--transform-order", ",".join(ORDER)), 0),
        ({"truncate_to": 3}, ("--truncate-to", 3), 1),
    ):
        asked = calling("post", f"{ADDRESS}/verify", json.dumps(configuration))
        assert (asked.status_code, asked.json()["exit_code"]) == (202, None)
        assert work_on(asked.json()["job"])
        ended = calling.get(asked.json()["address"].removeprefix("/api/")).json()
        assert (ended["exit_code"], ended["result"]) == told("verify", "laws/int8", *words)
        assert ended["exit_code"] == code
        shapes.ManifestVerified.model_validate(ended["result"])


def test_no_request_waits_for_the_hash_of_a_large_file(
    desk: Desk, calling: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "AT_ONCE", 7)
    written = calling("put", ADDRESS, json.dumps(desk.manifest()))
    rows = Path(desk.sample).read_bytes()
    verified = calling("post", f"{ADDRESS}/verify/sample", rows, kind="application/octet-stream")
    assert (written.status_code, verified.status_code) == (422, 422)
    assert written.json()["error"].endswith("use manage.py manifest write laws/int8 MANIFEST.json.")
    assert verified.json()["error"].endswith("use manage.py manifest verify laws/int8 --sample FILE.npy.")
    assert calling.get(ADDRESS).status_code == 404


def test_a_calibration_sample_is_hashed_anew_as_by_command(
    desk: Desk, calling: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    calling("put", ADDRESS, json.dumps(desk.manifest()))
    other, _ = desk.changed()
    asked = f"{ADDRESS}/verify/sample?truncate_to=4&transform_order={','.join(ORDER)}"
    for sample, agrees in ((desk.sample, True), (other, False)):
        answer = calling("post", asked, Path(sample).read_bytes(), kind="application/octet-stream").json()
        words = ["--sample", sample, "--truncate-to", 4, "--transform-order", ",".join(ORDER)]
        assert answer == told("verify", "laws/int8", *words)[1]
        assert answer["agrees"] is agrees
    refused = calling("post", asked, b"no array", kind="application/octet-stream")
    assert (refused.status_code, refused.json()["error"][:22]) == (422, "sample.npy is not a Nu")
    monkeypatch.setattr(indexes, "LARGEST_CALIBRATION", 10)
    large = calling("post", asked, b"x" * 11, kind="application/octet-stream")
    command = "manage.py manifest verify laws/int8 --sample FILE.npy."
    assert (large.status_code, large.json()["error"].endswith(command)) == (413, True)


def test_a_changed_hash_that_no_report_names_is_a_conflict(desk: Desk, calling: Caller) -> None:
    calling("put", ADDRESS, json.dumps(desk.manifest()))
    _, changed = desk.changed()
    refused = calling("put", ADDRESS, json.dumps(changed))
    assert refused.status_code == 409
    assert "a changed hash needs" in refused.json()["error"]
    assert calling.get("corpora/laws/indexes/none/manifest").status_code == 404
