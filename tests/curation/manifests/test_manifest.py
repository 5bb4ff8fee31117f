"""`manage.py manifest` and its exit codes, on indexes that hold one; and what the page of indexes tells of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.formats.manifest import json_schema, manifest_of
from curation.formats.manifest_checks import calibration_of
from curation.models import Corpus, GateReport, SetVersion, TargetIndex
from curation.reports.manifests import panel_of_report
from curation.retrieval.rows import Matrix
from tests import factories
from tests.curation.formats.test_manifest import record
from tests.vector_database import VectorDatabase

pytestmark = pytest.mark.django_db
ORDER = ["truncate", "l2_normalise", "centre", "quantise"]
Said = tuple[int, str]


def run(*words: object) -> Said:
    """The exit code of `manage.py manifest`, and what it printed or why it did not run."""
    out = StringIO()
    try:
        call_command("manifest", *map(str, words), stdout=out)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue()
    except CommandError as refused:
        return refused.returncode, str(refused)
    return 0, out.getvalue()


def told(*words: object) -> tuple[int, dict[str, Any]]:
    code, out = run(*words, "--json")
    return code, json.loads(out)


def rows(seed: int = 1) -> Matrix:
    return np.random.default_rng(seed).normal(size=(60, 6)).astype(np.float32)


class Desk:
    """A corpus with a FAISS file, a set version, a calibration sample, and manifests in files."""

    def __init__(self, folder: Path, indexes: Path) -> None:
        self.folder, self.indexes = folder, indexes
        indexes.mkdir(parents=True, exist_ok=True)
        (indexes / "laws.faiss").write_bytes(b"an index")
        self.corpus = factories.a_corpus("laws")
        self.index = TargetIndex.objects.create(
            corpus=self.corpus, name="int8", kind="faiss_file", location="laws.faiss"
        )
        self.sample = folder / "sample.npy"
        np.save(self.sample, rows())

    def manifest(self, **quantisation: object) -> dict[str, Any]:
        made = record()
        made["embedding"] |= {"native_dims": 6, "truncate_to": 4}
        calibration = calibration_of(manifest_of(made), rows())
        hashes = {"scale_sha256": calibration.scale_sha256, "centre_sha256": calibration.centre_sha256}
        made["quantisation"] |= hashes | quantisation
        return made

    def file(self, name: str = "m.json", content: dict[str, Any] | None = None) -> Path:
        path = self.folder / name
        path.write_text(json.dumps(content or self.manifest()))
        return path

    def gated(self, version: SetVersion, manifest: dict[str, Any], verdict: str) -> GateReport:
        return GateReport.objects.create(
            set_version=version,
            run_name="candidate",
            k=200,
            documents=9,
            verdict=verdict,
            manifest=manifest,
            measured_at=timezone.now(),
        )

    def changed(self) -> tuple[Path, dict[str, Any]]:
        """Another sample than the one the manifest was written for, and the manifest with its hashes."""
        made = self.manifest()
        calibration = calibration_of(manifest_of(made), rows(2))
        hashes = {"scale_sha256": calibration.scale_sha256, "centre_sha256": calibration.centre_sha256}
        other = self.folder / "other.npy"
        np.save(other, rows(2))
        return other, made | {"quantisation": {**made["quantisation"], **hashes}}


@pytest.fixture
def desk(tmp_path: Path, settings: LazySettings) -> Desk:
    return Desk(tmp_path, Path(settings.INDEX_FOLDER))


def test_a_manifest_is_written_read_back_and_verified(desk: Desk) -> None:
    assert run("verify", "laws/int8") == (
        1,
        "laws/int8: It holds no manifest, so nothing tells how it was made; write one with manage.py manifest write.\n",
    )
    assert run("show", "laws/int8")[0] == 2
    code, out = run("write", "laws/int8", desk.file(), "--sample", desk.sample)
    assert (code, out) == (0, "The manifest of int8 is written.\n")
    code, shown = told("show", "laws/int8")
    assert shown["built_by"] == record()["built_by"]
    assert len(shown["index"]["file_sha256"]) == 64
    assert "order            truncate, normalise, centre, quantise" in run("show", "laws/int8")[1]
    assert told("verify", "laws/int8", "--sample", desk.sample) == (
        0,
        {"agrees": True, "reasons": [], "manifest": shown},
    )
    desk.index.refresh_from_db()
    assert desk.index.manifest == shown


@pytest.mark.parametrize("words", [["--truncate-to", "3"], ["--transform-order", "l2_normalise,truncate,quantise"]])
def test_a_configuration_that_differs_fails_by_flag_and_by_file(desk: Desk, words: list[str]) -> None:
    run("write", "laws/int8", desk.file())
    good = ["--truncate-to", "4", "--transform-order", ",".join(ORDER)]
    assert run("verify", "laws/int8", *good)[0] == 0
    code, out = run("verify", "laws/int8", *good, *words)
    assert (code, "The configuration differs from the manifest: embedding." in out) == (1, True)
    (desk.folder / "search.json").write_text(json.dumps({"embedding": {"truncate_to": 4, "transform_order": ORDER}}))
    (desk.folder / "search.toml").write_text(f"truncate_to = 3\ntransform_order = {json.dumps(ORDER)}\n")
    codes = [run("verify", "laws/int8", "--config", desk.folder / f"search.{kind}")[0] for kind in ("json", "toml")]
    assert codes == [0, 1]
    assert run("verify", "laws/int8", "--config", desk.folder / "search.toml", "--truncate-to", "4")[0] == 0


def test_a_file_that_was_replaced_under_its_manifest_fails(desk: Desk) -> None:
    run("write", "laws/int8", desk.file())
    (desk.indexes / "laws.faiss").write_bytes(b"another index")
    code, out = run("verify", "laws/int8")
    assert (code, "its manifest was written for" in out) == (1, True)


def test_a_changed_hash_is_written_only_with_an_evaluation_that_names_it(desk: Desk) -> None:
    version = factories.frozen_set(desk.corpus, "hard")
    first = desk.manifest() | {"evaluation": {"query_set": str(version)}}
    assert run("write", "laws/int8", desk.file(content=first))[0] == 0
    sample, changed = desk.changed()
    other_set = factories.frozen_set(desk.corpus, "easy")
    words = ["write", "laws/int8", desk.file("new.json", first), "--sample", sample]
    refused = f"needs a gate report on {version} that names these hashes"

    def still_refused() -> bool:
        code, told_why = told(*words)
        return (code, refused in told_why["reasons"][0]) == (1, True)

    assert still_refused()
    for report in ((other_set, changed, "pass"), (version, first, "pass"), (version, changed, "reject")):
        desk.gated(*report)
        assert still_refused(), report
    assert told("show", "laws/int8")[1]["quantisation"]["scale_sha256"] == first["quantisation"]["scale_sha256"]
    desk.gated(version, changed, "warn")
    code, out = told(*words)
    assert (code, out["evaluation"]) == (0, f"candidate on {version}")
    assert out["manifest"]["quantisation"]["scale_sha256"] == changed["quantisation"]["scale_sha256"]
    assert run("verify", "laws/int8", "--sample", sample)[0] == 0
    assert run("verify", "laws/int8", "--sample", desk.sample)[0] == 1


def test_hashes_that_are_given_changed_are_held_against_those_that_stand(desk: Desk) -> None:
    run("write", "laws/int8", desk.file())
    _, changed = desk.changed()
    code, out = run("write", "laws/int8", desk.file("new.json", changed))
    assert (code, "int8 is not written: the scale has the hash" in out) == (1, True)
    assert "and the index holds" in out


def test_a_build_job_asks_before_it_writes_the_collection(desk: Desk) -> None:
    arrays, whole = desk.folder / "arrays", desk.folder / "whole.json"
    short = desk.manifest()
    short["quantisation"]["scale_sha256"] = short["quantisation"]["scale_sha256"][:32]
    words = ["check", desk.file(content=short), "--sample", desk.sample, "--arrays", arrays, "--out", whole]
    code, out = told(*words)
    assert (code, out["allowed"], out["changes"]) == (0, True, [])
    assert json.loads(whole.read_text())["quantisation"]["scale_sha256"] == out["scale_sha256"]
    assert [np.load(arrays / f"{name}.npy").shape for name in ("scale", "centre")] == [(4,), (4,)]
    sample, _ = desk.changed()
    code, out = told("check", desk.file(), "--sample", sample)
    assert (code, out["allowed"], len(out["reasons"])) == (1, False, 2)
    run("write", "laws/int8", desk.file())
    unhashed = desk.manifest(scale_sha256=None, centre_sha256=None)
    assert run("check", desk.file("u.json", unhashed), "--sample", sample)[0] == 0
    code, out = told("check", desk.file("u.json", unhashed), "--sample", sample, "--against", "laws/int8")
    assert (code, "the index holds" in out["reasons"][0]) == (1, True)


def test_a_record_of_another_version_is_replaced_only_with_an_evaluation(desk: Desk) -> None:
    (desk.indexes / "laws.faiss.manifest.json").write_text('{"manifest_version": 1}')
    code, out = run("verify", "laws/int8")
    assert (code, "is of version 1 and only version 2 is read" in out) == (1, True)
    code, out = run("write", "laws/int8", desk.file())
    assert (code, "what stands in the index cannot be compared" in out) == (1, True)


def test_two_manifests_are_compared_wherever_they_lie(desk: Desk) -> None:
    run("write", "laws/int8", desk.file())
    other = desk.file("o.json", desk.manifest(keep_originals=True))
    code, out = told("diff", "laws/int8", other)
    assert code == 1
    assert [each["path"] for each in out["differences"]] == ["quantisation.keep_originals", "index.file_sha256"]
    assert run("diff", other, other) == (0, "The two manifests do not differ.\n")


def test_a_row_of_pgvector_holds_one(
    desk: Desk, vector_database: VectorDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    vector_database.fill("manifested", ["a"], rows()[:1])
    monkeypatch.setenv("INDEX_URL_LAWS", vector_database.url)
    TargetIndex.objects.create(corpus=desk.corpus, name="p", kind="pgvector", location="LAWS/manifested")
    assert run("verify", "laws/p")[0] == 1
    assert run("write", "laws/p", desk.file())[0] == 0
    assert run("verify", "laws/p", "--truncate-to", 4)[0] == 0
    assert run("diff", "laws/p", desk.file())[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (lambda desk: ["write", "laws/nope", desk.file()], "There is no index laws/nope. Known: laws/exact, "),
        (lambda desk: ["write", "laws", desk.file()], "There is no index laws. Known: laws/exact, "),
        (lambda desk: ["write", "other/int8", desk.file()], "There is no index other/int8. Known: laws/exact, "),
        (lambda desk: ["write", "laws/exact", desk.file()], "has no metadata of its own to hold a manifest"),
        (lambda desk: ["write", "laws/gone", desk.file()], "There is no file gone.faiss"),
        (lambda desk: ["show", desk.folder / "none.json"], "none.json cannot be read: No such file"),
        (lambda desk: ["show", desk.file(content={"manifest_version": 3})], "of version 3 and only version 2"),
        (lambda desk: ["write", "laws/int8", desk.file(content=record())], "has 32 digits of quantisation.scale"),
        (lambda desk: ["check", desk.file(content=record()), "--sample", desk.sample], "has 6 dimensions"),
        (lambda desk: ["check", desk.file(), "--sample", desk.file("x.json")], "x.json is not"),
        (lambda desk: ["check", desk.file(), "--sample", desk.folder / "none.npy"], "none.npy cannot be read"),
        (lambda desk: ["check", desk.file(), "--arrays", desk.folder], "name it with --sample"),
        (lambda desk: ["verify", desk.file(), "--transform-order", "round"], "'round' is no transform step"),
        (
            lambda desk: ["verify", desk.file(), "--config", desk.file("c.json", {"truncate_to": 4})],
            "no list transform",
        ),
        (
            lambda desk: ["verify", desk.file(), "--config", desk.file("c.json", {"a": 4})],
            "no whole number truncate_to",
        ),
        (lambda desk: ["verify", desk.file(), "--config", desk.sample], "cannot be read as JSON, or as TOML"),
    ],
)
def test_what_cannot_be_done_exits_with_2(desk: Desk, words: Callable[[Desk], list[Any]], said: str) -> None:
    for name, kind, location in (("exact", "exact", ""), ("gone", "faiss_file", "gone.faiss")):
        TargetIndex.objects.create(corpus=desk.corpus, name=name, kind=kind, location=location)
    code, out = run(*words(desk))
    assert (code, said in out) == (2, True), out


def test_the_schema_is_printed() -> None:
    assert run("schema")[1].strip() == json_schema().strip()


def page(client: Client, corpus: Corpus) -> str:
    return client.get(reverse("indexes", args=[corpus.slug])).content.decode()


def test_the_page_of_indexes_tells_each_manifest(desk: Desk, client: Client) -> None:
    version = factories.frozen_set(desk.corpus, "hard")
    client.force_login(factories.lena(desk.corpus))
    TargetIndex.objects.create(corpus=desk.corpus, name="exact", kind="exact")
    assert "Not read yet" in page(client, desk.corpus)
    run("verify", "laws/int8")
    assert "No manifest" in page(client, desk.corpus)
    manifest = desk.manifest() | {"evaluation": {"query_set": str(version)}}
    run("write", "laws/int8", desk.file(content=manifest))
    html = page(client, desk.corpus)
    assert "No evaluation" in html
    assert "No place for one" in html
    report = desk.gated(version, manifest, "pass")
    html = page(client, desk.corpus)
    assert ("Hashes match" in html, f"The gate report of candidate on {report.set_version} names them." in html) == (
        True,
        True,
    )
    scale = manifest["quantisation"]["scale_sha256"]
    for name, value in (
        ("embedding", "6 → 4 dims"),
        ("quantisation", "int8, per dimension"),
        ("clip", "0.001 … 0.999"),
        ("scale sha256", f"{scale[:4]}…{scale[-4:]}"),
        ("index", "hnsw m=32 ef=200"),
        ("floors", "abs 0.88  rel 0.97  k 200"),
        ("roll back to", "laws_chunks_2026_02"),
    ):
        assert f"<dt>{name}</dt><dd>{value}</dd>" in html
    desk.gated(version, manifest, "reject")
    assert "Gate rejected" in page(client, desk.corpus)
    (desk.indexes / "laws.faiss").write_bytes(b"another index")
    run("verify", "laws/int8")
    assert "Does not match" in page(client, desk.corpus)


def test_a_gate_report_shows_what_was_gated_beside_what_its_index_holds(desk: Desk) -> None:
    version = factories.frozen_set(desk.corpus, "hard")
    _, changed = desk.changed()
    report = desk.gated(version, desk.manifest(), "reject")

    def shown(gated: GateReport) -> tuple[str, bool]:
        panel = panel_of_report(gated)
        return panel.state, bool(panel.rows)

    assert shown(report) == ("Not read yet", True)
    run("write", "laws/int8", desk.file())
    assert shown(report) == ("Hashes match", True)
    assert shown(desk.gated(version, changed, "pass")) == ("Does not match", True)
    assert shown(desk.gated(version, {}, "pass")) == ("No manifest", False)
    assert shown(desk.gated(version, {"manifest_version": 1}, "pass")) == ("Does not match", False)
    (desk.indexes / "laws.faiss").write_bytes(b"another index")
    run("verify", "laws/int8")
    assert shown(report) == ("Does not match", True)
