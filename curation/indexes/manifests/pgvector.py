"""The manifest of a table of pgvector: its row in the table `retrieval_index_manifest` of the same schema.

The row is keyed by the name of the table. Where the location is a view, as an alias is one, it is the row of the one
table that the view reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from curation.formats.manifest import Manifest, manifest_of
from curation.indexes.base import IndexRefused
from curation.indexes.manifests.base import KEY, ManyIndexes
from curation.indexes.pgvector import Table
from curation.indexes.postgres import Database
from curation.indexes.server import server_named
from curation.retrieval.patience import PATIENCE, Patience

if TYPE_CHECKING:
    import psycopg

_FARTHEST = 8  # views that read views
_READ_BY = """
    SELECT DISTINCT c.oid FROM pg_rewrite r
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
    JOIN pg_class c ON c.oid = d.refobjid AND c.oid <> r.ev_class WHERE r.ev_class = %s
"""


@dataclass(frozen=True, slots=True)
class _Held:
    """A table that holds vectors."""

    schema: str
    name: str


class PgvectorHome:
    """The row of one table."""

    def __init__(self, table: Table, environment: Mapping[str, str], *, patience: Patience = PATIENCE) -> None:
        """Asks nothing yet.

        Raises:
            IndexRefused: the environment does not know the server.
        """
        self._table = table
        self._database = Database(server_named(table.server, environment), patience)

    def read(self) -> Manifest | None:
        """As `ManifestHome.read`."""
        record = self._database.ask(self._record)
        return None if record is None else manifest_of(record)

    def write(self, manifest: Manifest) -> Manifest:
        """As `ManifestHome.write`; makes the table of manifests where there is none."""
        self._database.ask(partial(self._stored, manifest), writes=True)
        return manifest

    def contradiction(self, _manifest: Manifest) -> str:
        """As `ManifestHome.contradiction`: a table of vectors tells nothing of how they were made."""
        return ""

    def _record(self, cursor: psycopg.Cursor[Any]) -> object | None:
        held = self._held(cursor)
        manifests = _quoted(held.schema, KEY)
        if _oid(cursor, manifests) is None:
            return None
        statement = self._sql("SELECT manifest FROM {} WHERE collection = %s").format(manifests)
        row = cursor.execute(statement, [held.name]).fetchone()
        return row[0] if row else None

    def _stored(self, manifest: Manifest, cursor: psycopg.Cursor[Any]) -> None:
        from psycopg.types.json import Jsonb

        held = self._held(cursor)
        manifests = _quoted(held.schema, KEY)
        make = "CREATE TABLE IF NOT EXISTS {} (collection text PRIMARY KEY, manifest jsonb NOT NULL)"
        if _oid(cursor, manifests) is None:  # who may write a row need not be somebody who may make tables
            cursor.execute(self._sql(make).format(manifests))
        put = (
            "INSERT INTO {} (collection, manifest) VALUES (%s, %s)"
            " ON CONFLICT (collection) DO UPDATE SET manifest = EXCLUDED.manifest"
        )
        cursor.execute(self._sql(put).format(manifests), [held.name, Jsonb(manifest.as_json())])

    def _held(self, cursor: psycopg.Cursor[Any]) -> _Held:
        """The table itself, or the one that the view reads."""
        parts = (name for name in (self._table.schema, self._table.table) if name)
        found = [_oid(cursor, _quoted(*parts))]
        if found == [None]:
            raise IndexRefused(
                f"The database {self._table.server} holds no table {self._table}; correct the index's location."
            )
        for _ in range(_FARTHEST):
            schema, name, kind = cursor.execute(
                "SELECT nspname, relname, relkind::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace"
                " WHERE c.oid = %s",
                found,
            ).fetchall()[0]
            if kind != "v":
                return _Held(schema, name)
            found = [oid for (oid,) in cursor.execute(_READ_BY, found).fetchall()]
            if len(found) != 1:
                break
        raise ManyIndexes(
            f"The view {self._table} reads more than one table, so it has no manifest of its own; let it read one."
        )

    @staticmethod
    def _sql(statement: str) -> psycopg.sql.SQL:
        from psycopg import sql

        return sql.SQL(statement)


def _quoted(*names: str) -> psycopg.sql.Identifier:
    from psycopg import sql

    return sql.Identifier(*names)


def _oid(cursor: psycopg.Cursor[Any], name: psycopg.sql.Identifier) -> int | None:
    row = cursor.execute("SELECT to_regclass(%s)::oid", [name.as_string(cursor)]).fetchone()
    return row[0] if row else None
