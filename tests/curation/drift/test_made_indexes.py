"""Cut and compressed indexes: asked by what their manifests say, and measured like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import faiss
import numpy as np
import pytest
from django.conf import LazySettings
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse

from curation.actions import drift
from curation.actions.embeddings import Brought, store_vectors
from curation.actions.production import put_in_production
from curation.formats.manifest import manifest_of
from curation.formats.manifest_checks import calibration_of
from curation.models import Corpus, DriftAlarm, GateReport, OverlapReading, QueryVector, TargetIndex
from curation.retrieval.exact import top_k
from curation.retrieval.quantisation import BINARY, INT8
from curation.retrieval.rows import Matrix
from curation.retrieval.transforms import transform
from curation.retrieval.vectors import Vectors
from tests import factories
from tests.bringing import run, written
from tests.curation.drift.live import told
from tests.curation.drift.test_readings import read
from tests.judging import stage
from tests.vector_database import VectorDatabase

pytestmark = pytest.mark.django_db
NATIVE, CUT, DOCUMENTS, QUERIES = 32, 16, 60, 8
NAMES = tuple(f"d{number:02}" for number in range(DOCUMENTS))
ORDER = ["truncate", "l2_normalise", "centre", "quantise"]
ADD = ("add_index", "claims", "int8", "--kind", "faiss_file", "--location", "int8.faiss")


def some_rows(count: int, seed: int) -> Matrix:
    """Of length 1, and of a mean that is not 0."""
    drawn = np.random.default_rng(seed).normal(0.3, 1, (count, NATIVE)).astype(np.float32)
    return transform(drawn, dims=NATIVE, order=["l2_normalise"])


ROWS, ASKED = some_rows(DOCUMENTS, 1), some_rows(QUERIES, 2)


def record(quantisation: str = INT8, **embedding: Any) -> dict[str, Any]:
    cut = {"model": "compass", "native_dims": NATIVE, "truncate_to": CUT, "transform_order": ORDER}
    made: dict[str, Any] = {
        "manifest_version": 2,
        "collection": "claims_int8",
        "embedding": {**cut, **embedding},
        "index": {"kind": "flat", "metric": "dot"},
        "rollback": {"metric": "overlap@10", "threshold": 0.3, "window_days": 1, "previous_alias_target": "old"},
    }
    return made | (
        {"quantisation": {"type": quantisation}} if "quantise" in made["embedding"]["transform_order"] else {}
    )


def through(made: dict[str, Any], rows: Matrix) -> Matrix:
    """The road of a manifest, whose calibration sample is all documents."""
    embedding = manifest_of(made).embedding
    calibration = calibration_of(manifest_of(made), ROWS)
    return transform(rows, dims=embedding.truncate_to, order=embedding.transform_order, calibration=calibration)


def expected(made: dict[str, Any]) -> float:
    """Overlap@10 of exact search over the compressed vectors with exact search over the whole ones."""
    exact, served = top_k(ROWS, ASKED, 10).rows, top_k(through(made, ROWS), through(made, ASKED), 10).rows
    return fmean(len(set(one) & set(other)) / 10 for one, other in zip(exact, served, strict=True))


@pytest.fixture
def corpus() -> Corpus:
    made = factories.a_corpus("claims")
    for name in NAMES:
        stage.a_document(made, name)
    space = store_vectors(corpus=made, vectors=Vectors(ids=NAMES, rows=ROWS), brought=Brought("compass", "1"))
    for number, vector in enumerate(ASKED):
        query = factories.a_query(factories.a_stratum(made), f"text {number}")
        QueryVector.objects.create(space=space, query=query, vector=vector.astype("<f4").tobytes())
    made.indexes.create(name="exact", kind="exact", is_production=True)
    return made


class Desk:
    """Where indexes are built and their manifests written."""

    def __init__(self, folder: Path, indexes: Path) -> None:
        self.folder, self.indexes, self.sample = folder, indexes, folder / "sample.npy"
        np.save(self.sample, ROWS)

    def placed(self, index: Any, write: Callable[..., None] = faiss.write_index) -> None:
        self.indexes.mkdir(parents=True, exist_ok=True)
        write(index, str(self.indexes / "int8.faiss"))
        (self.indexes / "int8.faiss.ids").write_text("\n".join(NAMES))

    def build(self, made: dict[str, Any]) -> None:
        rows = through(made, ROWS)
        index = faiss.IndexFlatIP(rows.shape[1])
        index.add(rows)
        self.placed(index)

    def write(self, made: dict[str, Any], *words: object, into: str = "claims/int8") -> tuple[int, str]:
        path = written(self.folder, "m.json", made)
        new = words or ("--kind", "faiss_file", "--location", "int8.faiss")
        return run("manifest", "write", into, path, "--sample", self.sample, *new)


@pytest.fixture
def desk(tmp_path: Path, settings: LazySettings) -> Desk:
    return Desk(tmp_path, Path(settings.INDEX_FOLDER))


def live_texts(index: TargetIndex) -> None:
    for number in range(QUERIES):
        told(index, None, text=f"text {number}")


def overlap_of(name: str, *words: str) -> float:
    return float(json.loads(run("overlap", name, *words, "--json")[1])["overlap"])


def test_hashes_that_a_gate_rejected_go_into_production_with_a_warning(
    corpus: Corpus, desk: Desk, client: Client
) -> None:
    version = factories.frozen_set(corpus)
    corpus.queries.filter(status="judged").update(status="retired", retired_reason="no vector")
    made = record() | {"evaluation": {"query_set": str(version)}}
    desk.build(made)
    desk.write(made)
    run(*ADD)
    GateReport.objects.create(
        set_version=version,
        run_name="int8",
        k=10,
        documents=DOCUMENTS,
        verdict="reject",
        manifest=corpus.indexes.get(name="int8").manifest,
        measured_at=version.frozen_at,
    )
    warning = "The gate report of int8 on hard@1 rejected these very hashes."
    assert run(*ADD, "--production")[1].splitlines()[-2:] == [
        "int8 is stored and in production: hard negatives are mined against it from now on.",
        warning,
    ]
    put_in_production(index=corpus.indexes.get(name="exact"))
    client.force_login(factories.lena(corpus))
    row = client.get(reverse("indexes", args=["claims"])).content.decode().partition("Put in production")[2]
    assert warning in row.partition("</td>")[0]
    at = reverse("index_production", args=["claims", corpus.indexes.get(name="int8").pk])
    told_there = client.post(at, follow=True).content.decode()
    assert "int8 is in production: the next generation is mined against it." in told_there
    assert warning in told_there.partition("<h1")[0]


def test_a_cut_int8_file_is_added_by_its_manifest_and_measured(corpus: Corpus, desk: Desk) -> None:
    made = record()
    desk.build(made)
    with pytest.raises(
        CommandError, match="holds vectors of 16 dimensions and the queries have 32; write its manifest"
    ):
        run(*ADD)
    assert desk.write(made) == (0, "The manifest of int8 is written.\n")
    code, out = run(*ADD)
    assert (code, "asked as its manifest says: 32 → 16 dims; truncate, normalise, centre, quantise; int8" in out) == (
        0,
        True,
    )
    index = corpus.indexes.get(name="int8")
    assert (index.manifest["collection"], index.manifest_fault) == ("claims_int8", "")
    live_texts(corpus.indexes.get(name="exact"))
    assert expected(made) < 1
    assert overlap_of("int8") == pytest.approx(expected(made))
    drift.put_in_shadow(index=index, in_shadow=True)
    read()
    readings = OverlapReading.objects.order_by("index__name").values_list("index__name", "stage", "overlap")
    assert list(readings) == [("exact", "live", 1.0), ("int8", "shadow", pytest.approx(expected(made)))]


def test_a_candidate_whose_manifest_says_so_alarms_in_the_shadow_stage_without_a_way_back(
    corpus: Corpus, desk: Desk
) -> None:
    made = record(BINARY)
    made["rollback"] |= {"threshold": 0.99}
    desk.build(made)
    desk.write(made)
    old = corpus.indexes.create(name="old", kind="faiss_file", location="old.faiss")
    assert run(*ADD, "--alias", "now", "--previous", "old")[0] == 0
    index = corpus.indexes.get(name="int8")
    assert index.previous_target == old
    drift.put_in_shadow(index=index, in_shadow=True)
    live_texts(corpus.indexes.get(name="exact"))
    read()
    alarm = DriftAlarm.objects.get()
    assert alarm.words.startswith(f"Overlap@10 of int8 in the shadow stage is {expected(made):.3f}, its reading of")
    assert (alarm.words.endswith("below 0.99 as its manifest says."), alarm.command) == (True, "")


def test_an_index_of_bits_is_asked_with_bits(corpus: Corpus, desk: Desk) -> None:
    made = record(BINARY)
    bits = faiss.IndexBinaryFlat(CUT)
    bits.add(np.packbits(through(made, ROWS) > 0, axis=1))
    desk.placed(bits, faiss.write_index_binary)
    desk.write(made)
    assert run(*ADD)[0] == 0
    live_texts(corpus.indexes.get(name="exact"))
    assert overlap_of("int8") == pytest.approx(expected(made))


def test_a_cut_table_of_pgvector_is_measured_alike(
    corpus: Corpus, desk: Desk, vector_database: VectorDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = record()
    vector_database.fill("claims_cut", NAMES, through(made, ROWS))
    monkeypatch.setenv("INDEX_URL_LAWS", vector_database.url)
    place = ("--kind", "pgvector", "--location", "LAWS/claims_cut?distance=inner_product")
    with pytest.raises(CommandError, match="holds vectors of 16 dimensions"):
        run("add_index", "claims", "p", *place)
    assert desk.write(made, *place, into="claims/p")[0] == 0
    assert run("add_index", "claims", "p", *place)[0] == 0
    live_texts(corpus.indexes.get(name="exact"))
    assert overlap_of("p") == pytest.approx(expected(made))


def test_a_cut_alone_needs_no_sample(corpus: Corpus, desk: Desk) -> None:
    made = record(transform_order=["truncate", "l2_normalise"])
    desk.build(made)
    path = written(desk.folder, "m.json", made)
    assert run("manifest", "write", "claims/int8", path, "--kind", "faiss_file", "--location", "int8.faiss")[0] == 0
    assert run(*ADD)[0] == 0
    assert run("measure_index", "claims", "int8")[0] == 0


@pytest.mark.parametrize(
    ("embedding", "said"),
    [
        ({"native_dims": 64}, "names compass, an encoder of 64 dimensions, and queries are encoded by one of 32"),
        ({"transform_order": ["truncate", "centre", "quantise"]}, "takes the step centre before l2_normalise"),
        ({"truncate_to": 8}, "holds vectors of 16 dimensions and the queries have 8"),
    ],
)
def test_a_manifest_that_queries_cannot_follow_is_no_way_to_ask(
    corpus: Corpus, desk: Desk, embedding: dict[str, Any], said: str
) -> None:
    desk.build(record())
    made = record(**embedding)
    if "native_dims" in embedding:
        np.save(desk.sample, np.concatenate([ROWS, ROWS], axis=1))
    assert desk.write(made)[0] == 0
    with pytest.raises(CommandError, match=said):
        run(*ADD)
    assert not corpus.indexes.filter(name="int8").exists()


def test_a_scale_that_is_not_kept_here_is_asked_for(corpus: Corpus, desk: Desk, settings: LazySettings) -> None:
    desk.build(record())
    desk.write(record())
    for path in (Path(settings.DATA_DIR) / "calibrations").iterdir():
        path.write_bytes(b"damaged")
    with pytest.raises(CommandError, match="is not kept here; write the manifest once more with --sample"):
        run(*ADD)
    assert desk.write(record())[0] == 0
    assert run(*ADD)[0] == 0


def test_a_file_replaced_under_its_manifest_is_not_asked(corpus: Corpus, desk: Desk) -> None:
    desk.build(record())
    desk.write(record())
    run(*ADD)
    desk.build(record(BINARY))
    with pytest.raises(CommandError, match="its manifest was written for"):
        run("check_index", "claims", "int8")


def test_another_manifest_is_another_fingerprint_and_another_encoder_is_said(corpus: Corpus, desk: Desk) -> None:
    desk.build(record())
    desk.write(record())

    def fingerprint(out: str) -> str:
        return next(line for line in out.splitlines() if line.startswith("fingerprint"))

    first = run(*ADD)[1]
    run(
        "manifest",
        "write",
        "claims/int8",
        written(desk.folder, "o.json", record(model="needle")),
        "--sample",
        desk.sample,
    )
    second = run("check_index", "claims", "int8")[1]
    assert fingerprint(first) == fingerprint(second)
    assert "names the encoder needle, and compass encodes queries" in second
    (desk.indexes / "int8.faiss.ids").write_text("\n".join(reversed(NAMES)))
    assert fingerprint(run("check_index", "claims", "int8")[1]) != fingerprint(first)


def test_a_refused_alias_leaves_no_index_and_production_where_it_was(corpus: Corpus, desk: Desk) -> None:
    desk.build(record())
    desk.write(record())
    for words, said in (
        (["--alias", "../up"], "no place for a FAISS index"),
        (["--alias", "now", "--previous", "gone"], "There is no index claims/gone"),
        (["--alias", "now", "--previous", "exact"], "of another corpus or kind"),
    ):
        with pytest.raises(CommandError, match=said):
            run(*ADD, "--production", *words)
    assert list(corpus.indexes.values_list("name", "is_production")) == [("exact", True)]
