"""Tables of pgvector, in a real PostgreSQL."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import psycopg
import pytest

from curation.indexes.base import AskedQuery, IndexRefused, Ranked
from curation.indexes.pgvector import PgvectorIndex, Table, table_of
from curation.retrieval.patience import Patience
from curation.retrieval.vectors import VectorsRefused
from tests.vector_database import VectorDatabase

from .asking import DIMS, NAMES, asked, exact_rankings, names_in, some_queries, some_vectors

ONCE = Patience(attempts=1, timeout_s=5)


def opened(database: VectorDatabase, location: str, *, patience: Patience = ONCE) -> PgvectorIndex:
    return PgvectorIndex(table_of(f"LAWS/{location}"), {"INDEX_URL_LAWS": database.url}, patience=patience)


@pytest.fixture
def laws(vector_database: VectorDatabase) -> VectorDatabase:
    vector_database.fill("laws", NAMES, some_vectors(200, seed=1))
    return vector_database


def test_a_table_answers_as_exact_search(laws: VectorDatabase, tmp_path: Path) -> None:
    queries = some_queries()
    exact = exact_rankings(tmp_path, some_vectors(200, seed=1), queries, 20)
    for distance in ("cosine", "inner_product", "l2"):
        found = opened(laws, f"laws?distance={distance}").search(queries, 20)
        assert names_in(found) == names_in(exact)
        score = exact[0][0].score
        expected = -((2 - 2 * score) ** 0.5) if distance == "l2" else score
        assert found[0][0].score == pytest.approx(expected, abs=1e-5)


def test_an_approximate_index_of_the_table_is_used(laws: VectorDatabase) -> None:
    """With one list of twenty visited, fewer than all documents come back: the answer is the index's, not the table's."""
    laws.run(
        "CREATE INDEX ON laws USING ivfflat (embedding vector_cosine_ops) WITH (lists = 20)",
        "ALTER ROLE postgres SET enable_seqscan = off",
    )
    try:
        found = opened(laws, "laws").search(some_queries(), 200)
    finally:
        laws.run("ALTER ROLE postgres RESET enable_seqscan")
    assert all(0 < len(ranking) < 200 for ranking in found)


def test_c24_ties_come_by_external_id_and_are_cut_there(vector_database: VectorDatabase) -> None:
    names = [f"d{number:02}" for number in range(59, -1, -1)]
    vector_database.fill("ties", names, np.ones((60, 2), np.float32))
    index = opened(vector_database, "ties")
    assert all(
        names_in(index.search([asked("q", 1, 0)], k))[0] == [f"d{number:02}" for number in range(k)]
        for k in (1, 20, 50)
    )


def test_names_of_any_kind_are_quoted(vector_database: VectorDatabase) -> None:
    vector_database.run(
        'CREATE SCHEMA IF NOT EXISTS "Rules"',
        'DROP TABLE IF EXISTS "Rules"."select"',
        'CREATE TABLE "Rules"."select" ("order" int, "Café" halfvec(2))',
        """INSERT INTO "Rules"."select" VALUES (2, '[1,0]'), (10, '[0,1]'), (7, NULL), (NULL, '[1,1]')""",
    )
    index = opened(vector_database, "Rules.select?id=order&vector=Café")
    assert index.search([asked("q", 1, 0)], 5) == [[Ranked("2", 1.0), Ranked("10", 0.0)]]


@pytest.mark.parametrize(
    "location",
    [
        "",
        "laws",
        "laws/laws",
        "/laws",
        "postgresql://me:secret@host/db",
        'LAWS/laws"; DROP TABLE laws; --',
        "LAWS/a.b.c",
        "LAWS/laws?id=x;y",
        "LAWS/laws?where=1",
        "LAWS/" + "x" * 64,
    ],
)
def test_what_is_no_table_is_refused_without_repeating_it(location: str) -> None:
    with pytest.raises(IndexRefused) as refusal:
        table_of(location)
    assert "write SERVER/" in str(refusal.value)
    assert "secret" not in str(refusal.value)


def test_a_location_says_table_columns_and_distance() -> None:
    assert table_of("LAWS/laws") == Table("LAWS", "laws", "", "id", "embedding", "cosine")
    full = table_of("LAWS/public.laws?distance=l2&vector=v&id=chunk")
    assert (full, str(full)) == (Table("LAWS", "laws", "public", "chunk", "v", "l2"), "public.laws")
    with pytest.raises(IndexRefused, match="hamming is no distance"):
        table_of("LAWS/laws?distance=hamming")


def test_a_missing_table_column_or_type_is_named(laws: VectorDatabase) -> None:
    for location, words in (
        ("nowhere", "holds no table nowhere"),
        ("laws?id=uid", "holds no column uid in laws"),
        ("laws?vector=vec", "holds no column vec in laws"),
        ("laws?vector=id", "id in laws is of type text"),
    ):
        with pytest.raises(IndexRefused, match=words):
            opened(laws, location)


def test_c27_another_width_is_refused_with_both_numbers(laws: VectorDatabase) -> None:
    with pytest.raises(IndexRefused, match=f"laws holds vectors of {DIMS} dimensions and the queries have 2;"):
        opened(laws, "laws").search([asked("q", 1, 0)], 5)


def test_an_empty_table_answers_nothing(vector_database: VectorDatabase) -> None:
    vector_database.run("DROP TABLE IF EXISTS bare", "CREATE TABLE bare (id text, embedding vector)")
    index = opened(vector_database, "bare")
    assert (index.search([asked("q", 1, 0)], 5), list(index.ids()), index.search([], 5)) == ([[]], [], [])
    empty = index.fingerprint()
    vector_database.run("INSERT INTO bare VALUES ('a', '[1,0]')")
    index = opened(vector_database, "bare")
    assert index.search([asked("q", 1, 0)], 5) == [[Ranked("a", 1.0)]]
    assert index.fingerprint() != empty


def test_widths_mixed_in_one_column_are_refused(vector_database: VectorDatabase) -> None:
    vector_database.run(
        "DROP TABLE IF EXISTS mixed",
        "CREATE TABLE mixed (id text, embedding vector)",
        "INSERT INTO mixed VALUES ('a', '[1,0]'), ('b', '[1,0,0]')",
    )
    with pytest.raises(IndexRefused, match="not all of one width"):
        opened(vector_database, "mixed").search([asked("q", 1, 0)], 5)


def test_c23_vectors_that_nothing_can_rank_are_errors_or_absent(vector_database: VectorDatabase) -> None:
    vector_database.fill("zeros", ["a", "b"], np.array([[0, 0], [1, 0]], np.float32))
    index = opened(vector_database, "zeros")
    assert names_in(index.search([asked("q", 1, 0)], 5)) == [["b"]]
    with pytest.raises(VectorsRefused, match=r"q.*NaN"):
        index.search([asked("q", np.nan, 0)], 5)
    with pytest.raises(IndexRefused, match="needs a vector for query q2"):
        index.search([asked("q1", 1, 0), AskedQuery("q2", "text")], 5)


def test_a_document_of_several_rows_stands_where_its_nearest_does(vector_database: VectorDatabase) -> None:
    rows = np.array([[1, 0], [0.9, 0.1], [0.5, 0.5], [0, 1]], np.float32)
    vector_database.fill("doubled", ["a", "a", "b", "c"], rows)
    index = opened(vector_database, "doubled")
    assert names_in(index.search([asked("q", 1, 0)], 2)) == [["a", "b"]]
    assert list(index.ids()) == ["a", "b", "c"]


def test_the_fingerprint_follows_ids_and_vectors_and_no_order(vector_database: VectorDatabase) -> None:
    rows = np.eye(3, dtype=np.float32)
    prints = []
    for ids, vectors in (("abc", rows), ("cba", rows[::-1]), ("abd", rows), ("abc", 2 * rows), ("abc", rows[::-1])):
        vector_database.fill("prints", list(ids), vectors)
        prints.append(opened(vector_database, "prints").fingerprint())
    assert prints[0] == prints[1]
    assert len(set(prints)) == 4
    assert list(opened(vector_database, "prints").ids()) == ["a", "b", "c"]


def slow(database: VectorDatabase) -> None:
    """A table that takes 5 s to read a row of."""
    database.run(
        "DROP VIEW IF EXISTS slow",
        "CREATE VIEW slow AS SELECT id, CASE WHEN pg_sleep(5) IS NULL THEN embedding ELSE embedding END AS embedding FROM laws",
    )


def test_a_question_that_takes_too_long_is_given_up_at_once(laws: VectorDatabase) -> None:
    slow(laws)
    started = time.monotonic()
    with pytest.raises(IndexRefused, match=r"database LAWS did not answer within 0.2 s"):
        opened(laws, "slow", patience=Patience(timeout_s=0.2, attempts=3)).search(some_queries(), 5)
    assert time.monotonic() - started < 4


def test_a_database_that_is_not_there_is_tried_again_and_named_by_its_variable(tmp_path: Path) -> None:
    url = f"host={tmp_path} user=me password=secret dbname=laws"
    with pytest.raises(IndexRefused) as refusal:
        PgvectorIndex(table_of("LAWS/laws"), {"INDEX_URL_LAWS": url}, patience=Patience(attempts=2, pause_s=0.01))
    assert str(refusal.value) == ("The database LAWS does not answer; look whether it runs and its address is right.")
    assert refusal.value.__cause__ is None


@pytest.mark.parametrize("url", ["password='secret", "nonsense secret", "host=/tmp port=secret"])
def test_a_connection_string_that_cannot_be_read_is_not_repeated(url: str) -> None:
    with pytest.raises(IndexRefused) as refusal:
        PgvectorIndex(table_of("LAWS/laws"), {"INDEX_URL_LAWS": url}, patience=ONCE)
    assert "secret" not in str(refusal.value)


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(IndexRefused, match="INDEX_URL_LAWS is not set"):
        PgvectorIndex(table_of("LAWS/laws"), {})


def test_a_user_who_may_not_read_is_refused_in_words(laws: VectorDatabase) -> None:
    laws.run("DROP ROLE IF EXISTS stranger", "CREATE ROLE stranger LOGIN")
    stranger = VectorDatabase(laws.url.replace("user=postgres", "user=stranger"))
    with pytest.raises(IndexRefused, match="its user may not read the table"):
        opened(stranger, "laws").search(some_queries(), 5)


def test_the_database_is_only_read(laws: VectorDatabase) -> None:
    laws.run(
        "CREATE OR REPLACE FUNCTION spoil() RETURNS boolean VOLATILE LANGUAGE plpgsql AS"
        " $$ BEGIN DELETE FROM laws; RETURN true; END $$",
        "DROP VIEW IF EXISTS spoiling",
        "CREATE VIEW spoiling AS SELECT id, embedding FROM laws WHERE spoil()",
    )
    with pytest.raises(IndexRefused, match="The database LAWS"):
        opened(laws, "spoiling").search(some_queries(), 5)
    with psycopg.connect(laws.url) as connection:
        assert connection.execute("SELECT count(*) FROM laws").fetchone() == (200,)
