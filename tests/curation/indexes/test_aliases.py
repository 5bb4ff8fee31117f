"""Aliases of every kind: led to their previous target in one step, and once only."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient, models

from curation.indexes.aliases import Alias, Swapped, swap
from curation.indexes.base import IndexRefused
from curation.indexes.elastic_alias import ElasticAlias
from curation.indexes.faiss_link import FaissLink
from curation.indexes.pgvector_view import PgvectorView, check_view
from curation.indexes.postgres import Database
from curation.indexes.qdrant_alias import QdrantAlias
from curation.indexes.qdrant_server import QdrantServer
from curation.indexes.search_server import server_at
from curation.indexes.server import Server
from curation.retrieval.patience import Patience
from tests.curation.indexes.asking import some_vectors
from tests.loopback import Answer, Asked, Loopback, serving
from tests.vector_database import VectorDatabase

ONCE = Patience(attempts=1, timeout_s=5)
NEW, OLD, THIRD = "claims_r3", "claims_2025_11", "claims_2024"


@dataclass
class AliasServer:
    """Elasticsearch as far as aliases go: `aliases` holds the settings of each by index."""

    aliases: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {NEW: {"claims": {"filter": {"term": {"live": True}}}}, OLD: {}, THIRD: {}}
    )

    def __call__(self, asked: Asked) -> Answer:
        match (asked.method, asked.path.strip("/").split("/")):
            case ("GET", ["_alias", name]):
                found = {index: {"aliases": {name: held[name]}} for index, held in self.aliases.items() if name in held}
                return Answer(found, 200 if found else 404)
            case ("GET", [index, "_alias"]):
                known = index in self.aliases
                return Answer({index: {"aliases": self.aliases[index]}} if known else {}, 200 if known else 404)
            case ("POST", ["_aliases"]):
                [removed, added] = (next(iter(action.values())) for action in asked.json["actions"])
                assert removed.pop("must_exist") is True
                del self.aliases[removed["index"]][removed["alias"]]
                self.aliases[added.pop("index")][added.pop("alias")] = added
                return Answer({"acknowledged": True})
        return Answer({}, 405)


@pytest.fixture
def elastic() -> AliasServer:
    return AliasServer()


@pytest.fixture
def loopback(elastic: AliasServer) -> Iterator[Loopback]:
    with serving(elastic) as server:
        yield server


@pytest.fixture
def in_elasticsearch(loopback: Loopback) -> Alias:
    server = server_at("S", {"INDEX_URL_S": loopback.url}, patience=ONCE)
    return ElasticAlias(server, "claims", patience=ONCE)


@pytest.fixture
def in_qdrant() -> Iterator[Alias]:
    local = QdrantClient(":memory:")
    for name in (NEW, OLD, THIRD):
        local.create_collection(name, vectors_config=models.VectorParams(size=2, distance=models.Distance.DOT))
    made = models.CreateAlias(collection_name=NEW, alias_name="claims")
    local.update_collection_aliases([models.CreateAliasOperation(create_alias=made)])
    yield QdrantAlias(QdrantServer(local, "S", patience=ONCE), "claims")
    local.close()


def view(database: VectorDatabase, name: str = "claims") -> PgvectorView:
    return PgvectorView(Database(Server("S", database.url), ONCE), name)


@pytest.fixture
def in_postgres(vector_database: VectorDatabase) -> Alias:
    for table in (NEW, OLD, THIRD):
        vector_database.fill(table, [f"{table}-1"], some_vectors(1, seed=1))
    vector_database.run(f"CREATE VIEW claims AS SELECT id, embedding FROM {NEW}")
    return view(vector_database)


@pytest.fixture
def in_folders(tmp_path: Path) -> Alias:
    for name in (NEW, OLD, THIRD):
        (tmp_path / name).mkdir()
    (tmp_path / "claims").symlink_to(NEW)
    return FaissLink(tmp_path, "claims")


@pytest.fixture(params=["in_elasticsearch", "in_qdrant", "in_postgres", "in_folders"])
def alias(request: pytest.FixtureRequest) -> Alias:
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]  # the fixtures above give aliases


def test_an_alias_goes_back_once_and_a_rehearsal_changes_nothing(alias: Alias) -> None:
    assert alias.target() == NEW
    assert swap(alias, before=NEW, to=OLD, rehearse=True) is Swapped.REHEARSED
    assert alias.target() == NEW
    assert swap(alias, before=NEW, to=OLD) is Swapped.DONE
    assert alias.target() == OLD
    assert swap(alias, before=NEW, to=OLD) is Swapped.ALREADY
    assert alias.target() == OLD
    with pytest.raises(IndexRefused, match=f"leads to {OLD}, which is neither {NEW} nor its previous target {THIRD}"):
        swap(alias, before=NEW, to=THIRD)


def test_a_target_that_is_not_there_leaves_the_alias_alone(alias: Alias) -> None:
    for rehearse in (True, False):
        with pytest.raises(IndexRefused, match="gone"):
            swap(alias, before=NEW, to="gone", rehearse=rehearse)
    assert alias.target() == NEW


def test_the_filter_of_an_alias_goes_along(in_elasticsearch: Alias, elastic: AliasServer) -> None:
    swap(in_elasticsearch, before=NEW, to=OLD)
    assert elastic.aliases == {NEW: {}, OLD: {"claims": {"filter": {"term": {"live": True}}}}, THIRD: {}}


def test_an_alias_of_several_indexes_is_refused(in_elasticsearch: Alias, elastic: AliasServer) -> None:
    elastic.aliases[OLD]["claims"] = {}
    with pytest.raises(IndexRefused, match=f"leads to {OLD}, {NEW} at once"):
        in_elasticsearch.target()


def test_an_absent_alias_is_named(loopback: Loopback, vector_database: VectorDatabase, tmp_path: Path) -> None:
    server = server_at("S", {"INDEX_URL_S": loopback.url}, patience=ONCE)
    for absent in (
        ElasticAlias(server, "away", patience=ONCE),
        QdrantAlias(QdrantServer(QdrantClient(":memory:"), "S"), "away"),
        view(vector_database, "away"),
        FaissLink(tmp_path, "away"),
    ):
        with pytest.raises(IndexRefused, match=r"no (alias|view|link) away.*make it"):
            absent.target()


def test_an_answer_lost_after_the_swap_is_no_fault(in_elasticsearch: Alias, loopback: Loopback) -> None:
    """The first request did the swap and its answer got lost; what is asked again finds the alias at its target."""
    answering = loopback.answering

    def losing(asked: Asked) -> Answer:
        given = answering(asked)
        return Answer({}, 503) if asked.method == "POST" else given

    loopback.answering = losing
    assert swap(in_elasticsearch, before=NEW, to=OLD) is Swapped.DONE


def test_the_view_answers_from_the_previous_table(in_postgres: Alias, vector_database: VectorDatabase) -> None:
    import psycopg

    def shown() -> list[Any]:
        with psycopg.connect(vector_database.url) as connection:
            return connection.execute("SELECT id FROM claims").fetchall()

    assert shown() == [(f"{NEW}-1",)]
    swap(in_postgres, before=NEW, to=OLD)
    assert shown() == [(f"{OLD}-1",)]


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        ([f"ALTER TABLE {OLD} RENAME id TO chunk"], "has not the columns of claims"),
        ([f"ALTER TABLE {OLD} ALTER id TYPE varchar(99)"], "with the same types"),
        (
            [f"CREATE OR REPLACE VIEW claims AS SELECT id, embedding FROM {NEW} WHERE id > 'a'"],
            "does more than to read",
        ),
        (
            [f"CREATE OR REPLACE VIEW claims AS SELECT n.id, n.embedding FROM {NEW} n, {OLD} o"],
            "reads claims_2025_11 and",
        ),
    ],
)
def test_a_view_that_cannot_go_back_is_left_as_it_is(
    in_postgres: Alias, vector_database: VectorDatabase, statements: list[str], words: str
) -> None:
    vector_database.run(*statements)
    for rehearse in (True, False):
        with pytest.raises(IndexRefused, match=words):
            swap(in_postgres, before=NEW, to=OLD, rehearse=rehearse)


def test_a_table_is_known_however_it_is_written(in_postgres: Alias, vector_database: VectorDatabase) -> None:
    named = view(vector_database).named
    assert (named(OLD), named(f"public.{OLD}")) == (OLD, OLD)
    with pytest.raises(IndexRefused, match="holds no table away"):
        named("away")


@pytest.mark.parametrize("name", ["", "a.b.c", "claims; DROP TABLE x", "1a", "a b"])
def test_what_is_no_name_of_a_view_is_refused(name: str) -> None:
    with pytest.raises(IndexRefused, match="no name of a view"):
        check_view(name)


def test_a_link_to_a_file_takes_the_links_named_after_it_along(tmp_path: Path) -> None:
    for name in ("r3.faiss", "old.faiss"):
        (tmp_path / name).write_text(name)
        (tmp_path / f"{name}.ids").write_text(f"{name}.ids")
    (tmp_path / "now.faiss").symlink_to("r3.faiss")
    (tmp_path / "now.faiss.ids").symlink_to("r3.faiss.ids")
    (tmp_path / "now.faiss.note").write_text("stays")
    link = FaissLink(tmp_path, "now.faiss")
    assert swap(link, before=link.named("r3.faiss"), to=link.named("old.faiss")) is Swapped.DONE
    assert [(tmp_path / f"now.faiss{more}").read_text() for more in ("", ".ids", ".note")] == [
        "old.faiss",
        "old.faiss.ids",
        "stays",
    ]
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


@pytest.mark.parametrize(("method", "at"), [("symlink_to", 3), ("replace", 2)])
def test_links_that_cannot_all_be_led_lead_where_they_led(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, at: int
) -> None:
    """As on a full disk, or in a folder where a link belongs to somebody else."""
    for name in ("r3.faiss", "old.faiss", "r3.faiss.ids", "old.faiss.ids"):
        (tmp_path / name).touch()
    (tmp_path / "now.faiss").symlink_to("r3.faiss")
    (tmp_path / "now.faiss.ids").symlink_to("r3.faiss.ids")
    doing, calls = getattr(Path, method), 0

    def failing(self: Path, target: Any) -> object:
        nonlocal calls
        calls += 1
        if calls == at:
            raise OSError(errno.ENOSPC, "No space left on device")
        return doing(self, target)

    link = FaissLink(tmp_path, "now.faiss")
    with monkeypatch.context() as full:
        full.setattr(Path, method, failing)
        with pytest.raises(IndexRefused, match="cannot be changed: no space left on device; it leads where it led"):
            swap(link, before="r3.faiss", to="old.faiss")
    assert [(tmp_path / name).readlink().name for name in ("now.faiss", "now.faiss.ids")] == [
        "r3.faiss",
        "r3.faiss.ids",
    ]
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_link_to_a_folder_is_named_by_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "r3").mkdir()
    (tmp_path / "r3" / "laws.faiss").touch()
    (tmp_path / "now").symlink_to("r3")
    link = FaissLink(tmp_path, "now")
    assert (link.target(), link.named("r3/laws.faiss")) == ("r3", "r3")


def test_nothing_outside_the_operators_folder_is_led_to(tmp_path: Path) -> None:
    folder, outside = tmp_path / "indexes", tmp_path / "elsewhere"
    folder.mkdir()
    outside.mkdir()
    (folder / "out").symlink_to(outside)
    (outside / "link").symlink_to(folder)
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: FaissLink(folder, "../elsewhere/link"), "no place"),
        (lambda: FaissLink(folder, "/etc/passwd"), "no place"),
        (lambda: FaissLink(folder, "out").target(), "leads out of the folder"),
        (lambda: FaissLink(folder, "out/link").target(), "There is no link"),
    ]
    for refused, words in cases:
        with pytest.raises(IndexRefused, match=words):
            refused()
