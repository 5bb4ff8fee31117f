"""Manifests inside indexes of every kind: written, read back, and in the place of the ones before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from qdrant_client import QdrantClient, models

from curation.formats.manifest import Manifest, ManifestRefused, manifest_of
from curation.indexes.base import IndexRefused
from curation.indexes.manifests.base import KEY, ManifestHome
from curation.indexes.manifests.elasticsearch import ElasticsearchHome
from curation.indexes.manifests.faiss_file import FaissFileHome
from curation.indexes.manifests.pgvector import PgvectorHome
from curation.indexes.manifests.qdrant import QdrantHome
from curation.indexes.pgvector import table_of
from curation.indexes.qdrant import Collection
from curation.indexes.qdrant_server import QdrantServer
from curation.indexes.search_server import server_at
from curation.retrieval.patience import Patience
from curation.retrieval.vectors import sha256_of
from tests.curation.formats.test_manifest import changed, record
from tests.loopback import Answer, Asked, Loopback, serving
from tests.vector_database import VectorDatabase

from .qdrant_server import KEY as QDRANT_KEY
from .qdrant_server import QdrantServer as Answering
from .search_server import SearchServer, need

INSECURE = pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")  # from here to here
ONCE = Patience(attempts=1, timeout_s=5)
FIRST = manifest_of(record())
SECOND = manifest_of(changed(rollback={"previous_alias_target": "laws_chunks_2026_04"}))


def require_kept(home: ManifestHome) -> None:
    """None at first, then each that was written, whole, in place of the one before."""
    assert home.read() is None
    for manifest in (FIRST, SECOND):
        stands = home.write(manifest)
        assert home.read() == stands
        assert without_file_hash(stands) == manifest.as_json()


def without_file_hash(manifest: Manifest) -> dict[str, Any]:
    whole = manifest.as_json()
    whole["index"].pop("file_sha256", None)
    return whole


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "2026-05.faiss").write_bytes(b"an index")
    return tmp_path


def test_beside_a_faiss_file_with_the_hash_of_the_file(folder: Path) -> None:
    home = FaissFileHome(folder, "2026-05.faiss")
    require_kept(home)
    assert (folder / "2026-05.faiss.manifest.json").is_file()
    stands = home.read()
    assert stands is not None
    assert stands.index.file_sha256 == sha256_of(folder / "2026-05.faiss")
    assert home.contradiction(stands) == ""
    assert "does not hold the SHA-256 of the file" in home.contradiction(FIRST)
    (folder / "2026-05.faiss").write_bytes(b"another index")
    assert "its manifest was written for" in home.contradiction(stands)


def test_a_link_has_the_manifest_of_the_file_it_leads_to(folder: Path) -> None:
    (folder / "current.faiss").symlink_to("2026-05.faiss")
    FaissFileHome(folder, "current.faiss").write(FIRST)
    stands = FaissFileHome(folder, "2026-05.faiss").read()
    assert stands is not None
    assert without_file_hash(stands) == FIRST.as_json()
    (folder / "out.faiss").symlink_to("/etc/hostname")
    with pytest.raises(IndexRefused, match="leads out of the folder"):
        FaissFileHome(folder, "out.faiss")


def test_a_sidecar_that_is_no_manifest_is_refused(folder: Path) -> None:
    (folder / "2026-05.faiss.manifest.json").write_text('{"manifest_version": 1}')
    with pytest.raises(ManifestRefused, match="version 1"):
        FaissFileHome(folder, "2026-05.faiss").read()


def table_home(database: VectorDatabase, table: str) -> PgvectorHome:
    return PgvectorHome(table_of(f"LAWS/{table}"), {"INDEX_URL_LAWS": database.url}, patience=ONCE)


@pytest.fixture
def tables(vector_database: VectorDatabase) -> VectorDatabase:
    for table in ("chunks_may", "chunks_june"):
        vector_database.fill(table, ["a"], np.ones((1, 2), np.float32))
    vector_database.run(
        f"DROP TABLE IF EXISTS {KEY}",
        "CREATE VIEW chunks AS SELECT * FROM chunks_may",
        "CREATE VIEW mixed AS SELECT chunks_may.id FROM chunks_may, chunks_june",
        'DROP SCHEMA IF EXISTS "Old_Rules" CASCADE',
        'CREATE SCHEMA "Old_Rules"',
        'CREATE TABLE "Old_Rules".chunks_may (id text)',
    )
    return vector_database


def test_in_a_row_keyed_by_the_table(tables: VectorDatabase) -> None:
    require_kept(table_home(tables, "chunks_may"))
    assert table_home(tables, "chunks_june").read() is None
    with pytest.raises(IndexRefused, match="holds no table nowhere"):
        table_home(tables, "nowhere").read()


def test_a_view_has_the_manifest_of_the_table_it_reads(tables: VectorDatabase) -> None:
    alias = table_home(tables, "chunks")
    alias.write(FIRST)
    assert table_home(tables, "chunks_may").read() == FIRST
    tables.run("CREATE OR REPLACE VIEW chunks AS SELECT * FROM chunks_june")
    assert alias.read() is None
    with pytest.raises(IndexRefused, match="mixed reads more than one table"):
        table_home(tables, "mixed").read()


def test_the_rows_of_another_schema_are_its_own(tables: VectorDatabase) -> None:
    require_kept(table_home(tables, "Old_Rules.chunks_may"))
    assert table_home(tables, "chunks_may").read() is None


def test_a_login_that_may_only_read_can_read_and_not_write(tables: VectorDatabase) -> None:
    table_home(tables, "chunks_may").write(FIRST)
    tables.run("DROP ROLE IF EXISTS reader", "CREATE ROLE reader LOGIN", f"GRANT SELECT ON {KEY}, chunks_may TO reader")
    try:
        table = table_of("LAWS/chunks_may")
        address = tables.url.replace("user=postgres", "user=reader")
        home = PgvectorHome(table, {"INDEX_URL_LAWS": address}, patience=ONCE)
        assert home.read() == FIRST
        with pytest.raises(IndexRefused, match="not change what is to be changed"):
            home.write(SECOND)
    finally:
        tables.run("DROP OWNED BY reader", "DROP ROLE reader")


class Described(Answering):
    """A server that keeps metadata of its collections."""

    def __call__(self, asked: Asked) -> Answer:
        if asked.method == "PATCH":
            name = asked.path.partition("?")[0].rpartition("/")[2]
            known = self.local.collection_exists(name)
            return self.said(self.patched(name, asked)) if known else Answer({"status": {}}, 404)
        return super().__call__(asked)

    def patched(self, name: str, asked: Asked) -> bool:
        return self.local.update_collection(name, metadata=asked.json["metadata"])


class Old(Described):
    """One that answers that it did."""

    def patched(self, name: str, asked: Asked) -> bool:
        return True


@pytest.fixture
def collections() -> Iterator[QdrantClient]:
    client = QdrantClient(":memory:")
    client.create_collection("kb", vectors_config=models.VectorParams(size=2, distance=models.Distance.DOT))
    yield client
    client.close()


@INSECURE
def test_in_the_metadata_of_a_collection(collections: QdrantClient) -> None:
    collections.update_collection("kb", metadata={"team": "laws"})
    with serving(Described(collections)) as loopback:
        environment = {"INDEX_URL_NEAR": loopback.url, "INDEX_KEY_NEAR": QDRANT_KEY}
        server = QdrantServer.connect("NEAR", environment, patience=ONCE)
        require_kept(QdrantHome(server, Collection("NEAR", "kb")))
        with pytest.raises(IndexRefused, match="has no collection kc"):
            QdrantHome(server, Collection("NEAR", "kc")).write(FIRST)
    assert collections.get_collection("kb").config.metadata == {"team": "laws", KEY: SECOND.as_json()}


@INSECURE
def test_an_old_qdrant_that_keeps_no_metadata_is_told(collections: QdrantClient) -> None:
    with serving(Old(collections)) as loopback:
        environment = {"INDEX_URL_NEAR": loopback.url, "INDEX_KEY_NEAR": QDRANT_KEY}
        home = QdrantHome(QdrantServer.connect("NEAR", environment, patience=ONCE), Collection("NEAR", "kb"))
        with pytest.raises(IndexRefused, match=r"keeps no metadata of a collection; run Qdrant 1\.16"):
            home.write(FIRST)


@dataclass
class MappedServer(SearchServer):
    """A server that tells its mappings and lets their `_meta` be put anew."""

    mappings: dict[str, dict[str, Any]] = field(default_factory=lambda: {"kb-000001": {"properties": {}}})

    def route(self, asked: Asked) -> dict[str, Any]:
        match (asked.method, asked.path):
            case ("GET", "/kb/_mapping"):
                return {name: {"mappings": mapping} for name, mapping in self.mappings.items()}
            case ("PUT", "/kb/_mapping"):
                need(set(asked.json) == {"_meta"})
                for mapping in self.mappings.values():
                    mapping["_meta"] = asked.json["_meta"]
                return {"acknowledged": True}
        return super().route(asked)


@pytest.fixture
def mapped() -> Iterator[tuple[MappedServer, Loopback]]:
    answering = MappedServer("elasticsearch")
    with serving(answering) as loopback:
        yield answering, loopback


def search_home(loopback: Loopback, index: str = "kb") -> ElasticsearchHome:
    environment = {"INDEX_URL_NEAR": loopback.url, "INDEX_KEY_NEAR": "a2V5"}
    return ElasticsearchHome(server_at("NEAR", environment, patience=ONCE), index, patience=ONCE)


def test_in_the_meta_of_a_mapping(mapped: tuple[MappedServer, Loopback]) -> None:
    answering, loopback = mapped
    answering.mappings["kb-000001"]["_meta"] = {"team": "laws"}
    require_kept(search_home(loopback))
    assert answering.mappings["kb-000001"]["_meta"] == {"team": "laws", KEY: SECOND.as_json()}


def test_faults_of_a_mapping_are_told(mapped: tuple[MappedServer, Loopback]) -> None:
    answering, loopback = mapped
    with pytest.raises(IndexRefused, match="has no index kc"):
        search_home(loopback, "kc").read()
    answering.mappings["kb-000002"] = {}
    with pytest.raises(IndexRefused, match="an alias of 2 indexes"):
        search_home(loopback).write(FIRST)
    loopback.faults = [Answer([]), Answer({"kb": {}})]
    for _ in range(2):
        with pytest.raises(IndexRefused, match="answers otherwise"):
            search_home(loopback).read()
    del answering.mappings["kb-000002"]
    answering.mappings["kb-000001"]["_meta"] = [1]
    with pytest.raises(ManifestRefused, match="is no object"):
        search_home(loopback).read()


def test_an_address_of_another_kind_is_asked_nothing() -> None:
    with pytest.raises(IndexRefused, match="INDEX_URL_NEAR is no use"):
        server_at("NEAR", {"INDEX_URL_NEAR": "file:///etc/passwd"})
