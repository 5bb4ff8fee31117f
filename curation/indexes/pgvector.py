"""A table of vectors in PostgreSQL with the extension pgvector, only ever read.

The connection string is the operator's (`indexes.server`); no error repeats it.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curation.indexes.asked import vectors_of
from curation.indexes.base import AskedQuery, IndexRefused, Ranked
from curation.indexes.postgres import Database
from curation.indexes.server import parted, server_named
from curation.indexes.ties import top_k
from curation.retrieval.patience import PATIENCE, Patience
from curation.retrieval.vectors import Matrix

if TYPE_CHECKING:
    import psycopg

FORM = "SERVER/schema.table?id=column&vector=column&distance=cosine"
_NAME = r"[^\W\d]\w{0,62}"
_PLACE = re.compile(rf"(?:(?P<schema>{_NAME})\.)?(?P<table>{_NAME})(?:\?(?P<options>.*))?")
_OPTION = re.compile(rf"(id|vector|distance)=({_NAME})")
# The operator of pgvector for each distance, and the score of distance 0.
_DISTANCES = {"cosine": ("<=>", 1.0), "inner_product": ("<#>", 0.0), "l2": ("<->", 0.0)}
_TYPES = ("vector", "halfvec")
_READING_ALL_S = 600.0


@dataclass(frozen=True, slots=True)
class Table:
    """Where the vectors stand: the server, the table, its columns and its distance."""

    server: str
    table: str
    schema: str = ""
    id: str = "id"
    vector: str = "embedding"
    distance: str = "cosine"

    def __str__(self) -> str:
        return f"{self.schema}.{self.table}" if self.schema else self.table


def table_of(location: str) -> Table:
    """The table that a location names.

    Raises:
        IndexRefused: it is not of the form FORM.
    """
    server, place = parted(location)
    found = _PLACE.fullmatch(place)
    given = [_OPTION.fullmatch(part) for part in (found["options"] or "").split("&") if part] if found else []
    if not found or None in given:
        raise IndexRefused(f"This names no table of vectors; write {FORM}.")
    options = {option[1]: option[2] for option in given if option}
    if options.get("distance", "cosine") not in _DISTANCES:
        raise IndexRefused(f"{options['distance']} is no distance of pgvector's; known are {', '.join(_DISTANCES)}.")
    return Table(server, found["table"], found["schema"] or "", **options)


class PgvectorIndex:
    """A table of vectors, ranked by PostgreSQL itself, through whatever index it has.

    A document may have several rows; its nearest counts. The score is the cosine, the inner product, or the L2
    distance with its sign turned.
    """

    def __init__(self, table: Table, environment: Mapping[str, str], *, patience: Patience = PATIENCE) -> None:
        """Look the table up.

        Raises:
            IndexRefused: the server is not known or does not answer, or holds no such table or columns.
        """
        self._table = table
        self._database = Database(server_named(table.server, environment), patience)
        self._type, self._dims = self._database.ask(self._column)

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """What the database answers to each query's vector.

        Raises:
            IndexRefused: a query has no vector or one of another width, or the database does not answer in time.
            VectorsRefused: a vector that no search can rank.
        """
        return top_k(self._answers, queries, k)

    def _answers(self, queries: Sequence[AskedQuery], depth: int) -> list[list[Ranked]]:
        if not self._dims:
            return [[] for _ in queries]
        vectors = vectors_of(queries, dims=self._dims, index=str(self._table))
        return self._database.ask(lambda cursor: [self._places(cursor, vector, depth) for vector in vectors])

    def ids(self) -> Sequence[str]:
        """The external ids in the table, ascending by code point."""
        rows = self._rows("SELECT {id}::text FROM {table} WHERE {vector} IS NOT NULL AND {id} IS NOT NULL")
        return sorted({name for (name,) in rows})

    def fingerprint(self) -> str:
        """Hash over the count, and over the sum of a hash of each id with its vector, so that no order matters."""
        hashed = "left(encode(sha256(convert_to({id}::text || ' ' || {vector}::text, 'UTF8')), 'hex'), 16)"
        rows = self._rows(f"SELECT count(*), sum(('x' || {hashed})::bit(64)::bigint)::text FROM {{table}}")  # noqa: S608  (names are quoted)
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()

    def _rows(self, statement: str) -> list[Any]:
        return self._database.ask(
            lambda cursor: cursor.execute(self._composed(statement)).fetchall(), seconds=_READING_ALL_S
        )

    def _places(self, cursor: psycopg.Cursor[Any], vector: Matrix, depth: int) -> list[Ranked]:
        operator, nearest = _DISTANCES[self._table.distance]
        statement = self._composed(
            f"SELECT {{id}}::text, {{vector}} {operator} %s::{self._type} AS distance FROM {{table}}"  # noqa: S608  (names are quoted, the type is the catalogue's)
            ' WHERE {vector} IS NOT NULL AND {id} IS NOT NULL ORDER BY distance, {id}::text COLLATE "C" LIMIT %s'
        )
        rows = cursor.execute(statement, [json.dumps(vector.tolist()), depth]).fetchall()
        # the cosine distance of a vector of zeros is NaN, which PostgreSQL sorts behind every number
        return [Ranked(name, nearest - distance) for name, distance in rows if not math.isnan(distance)]

    def _column(self, cursor: psycopg.Cursor[Any]) -> tuple[str, int]:
        """The type of the column of vectors, and its width; 0 where nothing tells, because the table is empty."""
        found = cursor.execute(
            "SELECT attname, typname, atttypid::regtype::text, atttypmod FROM pg_attribute JOIN pg_type"
            " ON pg_type.oid = atttypid WHERE attrelid = to_regclass(%s) AND attnum > 0",
            [self._composed("{table}").as_string(cursor)],
        ).fetchall()
        columns = {name: (kind, cast, width) for name, kind, cast, width in found}
        missing = [name for name in (self._table.id, self._table.vector) if name not in columns]
        if missing:
            what = f"column {missing[0]} in {self._table}" if columns else f"table {self._table}"
            raise IndexRefused(f"The database {self._table.server} holds no {what}; correct the index's location.")
        kind, cast, width = columns[self._table.vector]
        if kind not in _TYPES:
            raise IndexRefused(
                f"{self._table.vector} in {self._table} is of type {kind}; pgvector's is vector or halfvec."
            )
        return cast, width if width > 0 else self._width(cursor)

    def _width(self, cursor: psycopg.Cursor[Any]) -> int:
        statement = "SELECT vector_dims({vector}) FROM {table} WHERE {vector} IS NOT NULL LIMIT 1"
        row = cursor.execute(self._composed(statement)).fetchone()
        return int(row[0]) if row else 0

    def _composed(self, statement: str) -> psycopg.sql.Composed:
        from psycopg import sql

        table = sql.Identifier(*(name for name in (self._table.schema, self._table.table) if name))
        columns = {"id": sql.Identifier(self._table.id), "vector": sql.Identifier(self._table.vector)}
        return sql.SQL(statement).format(table=table, **columns)
