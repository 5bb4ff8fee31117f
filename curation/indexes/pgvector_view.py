"""A view of PostgreSQL that stands for one table of vectors, replaced in one transaction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from curation.indexes.base import IndexRefused
from curation.indexes.postgres import Database

if TYPE_CHECKING:
    import psycopg

_NAME = r"[^\W\d]\w{0,62}"
_VIEW = re.compile(rf"(?:{_NAME}\.)?{_NAME}")
# The relations that a view reads, each as PostgreSQL names it on this search path.
_READ_BY = (
    "SELECT DISTINCT refobjid::regclass::text FROM pg_depend JOIN pg_rewrite ON pg_rewrite.oid = objid"
    " WHERE pg_depend.classid = 'pg_rewrite'::regclass AND refclassid = 'pg_class'::regclass"
    " AND ev_class = to_regclass(%s) AND refobjid <> ev_class ORDER BY 1"
)


def check_view(name: str) -> None:
    """Refuse what is no name of a view.

    Raises:
        IndexRefused: it is none.
    """
    if _VIEW.fullmatch(name) is None:
        raise IndexRefused(f"{name!r} is no name of a view; write view or schema.view.")


class PgvectorView:
    """The view `name` of a database, which reads the columns of one table and does nothing else."""

    def __init__(self, database: Database, name: str) -> None:
        """Asks nothing yet.

        Raises:
            IndexRefused: `name` is none of a view.
        """
        check_view(name)
        self._database = database
        self._name = name

    def __str__(self) -> str:
        return f"The view {self._name}"

    def target(self) -> str:
        """The table it reads, as PostgreSQL names it.

        Raises:
            IndexRefused: there is no such view, it reads several tables, or the database does not answer.
        """
        return self._database.ask(self._read)

    def named(self, table: str) -> str:
        """`table` as PostgreSQL names it, the same for every way to write it.

        Raises:
            IndexRefused: there is no such table, or the database does not answer.
        """
        return self._database.ask(lambda cursor: self._known(cursor, table))

    def lead(self, *, before: str, to: str, rehearse: bool) -> None:
        """Let it read the same columns of the table `to`.

        Raises:
            IndexRefused: the columns are not there or of other types, the view does more than to read `before`, or
                the database refuses.
        """

        def replaced(cursor: psycopg.Cursor[Any]) -> None:
            defined = self._definition(cursor)
            self._replace(cursor, before)
            if self._definition(cursor) != defined:
                raise IndexRefused(f"{self} does more than to read the columns of {before}; replace it by hand.")
            self._replace(cursor, to)
            if rehearse:
                cursor.connection.rollback()

        self._database.ask(replaced, writes=True)

    def _read(self, cursor: psycopg.Cursor[Any]) -> str:
        tables = [name for (name,) in cursor.execute(_READ_BY, [_quoted(self._name, cursor)]).fetchall()]
        if not tables:
            raise IndexRefused(f"The database holds no view {self._name}; make it, or correct its name.")
        if len(tables) > 1:
            raise IndexRefused(f"{self} reads {' and '.join(tables)}; a rollback needs one of them.")
        return str(tables[0])

    def _known(self, cursor: psycopg.Cursor[Any], table: str) -> str:
        [name] = cursor.execute("SELECT to_regclass(%s)::text", [_quoted(table, cursor)]).fetchone() or [None]
        if name is None:
            raise IndexRefused(f"The database holds no table {table}, so {self._name} stays as it is.")
        return str(name)

    def _definition(self, cursor: psycopg.Cursor[Any]) -> object:
        return cursor.execute("SELECT pg_get_viewdef(to_regclass(%s))", [_quoted(self._name, cursor)]).fetchone()

    def _replace(self, cursor: psycopg.Cursor[Any], table: str) -> None:
        """Let the view read `table`, as PostgreSQL names it, by the names of its columns."""
        import psycopg
        from psycopg import sql

        found = cursor.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attnum > 0 ORDER BY attnum",
            [_quoted(self._name, cursor)],
        ).fetchall()
        columns = sql.SQL(", ").join(sql.Identifier(name) for (name,) in found)
        statement = sql.SQL("CREATE OR REPLACE VIEW {} AS SELECT {} FROM ").format(_identifier(self._name), columns)
        try:
            cursor.execute(statement + sql.SQL(table))  # quoted by to_regclass itself
        except (psycopg.errors.UndefinedColumn, psycopg.errors.InvalidTableDefinition) as fault:
            raise IndexRefused(
                f"{table} has not the columns of {self._name} with the same types, which PostgreSQL demands; let the"
                " view read only columns that both tables have alike."
            ) from fault
        except psycopg.errors.UndefinedTable as fault:
            raise IndexRefused(f"The database holds no table {table}, so {self._name} stays as it is.") from fault
        except psycopg.errors.InsufficientPrivilege as fault:
            raise IndexRefused(
                f"The login of the database may not replace {self._name}; let INDEX_URL name one that owns the view."
            ) from fault


def _identifier(name: str) -> psycopg.sql.Identifier:
    from psycopg import sql

    return sql.Identifier(*name.split("."))


def _quoted(name: str, cursor: psycopg.Cursor[Any]) -> str:
    return _identifier(name).as_string(cursor)
