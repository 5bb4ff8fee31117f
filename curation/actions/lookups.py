"""Many rows at once: a database takes only so many values in one query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias, TypeVar

from django.db import connection
from django.db.models import AutoField, DateTimeField, Field, JSONField, Model, QuerySet

M = TypeVar("M", bound=Model)
R = TypeVar("R")
V = TypeVar("V")
Columns: TypeAlias = "Sequence[tuple[Field[Any, Any], Callable[[Any], Any]]]"
"""Fields, each with what makes a value of the database of its own."""

MOST_VALUES = 900
"""SQLite takes 999 parameters by Django's count; the rest is for the query's own conditions."""
MOST_ROWS = 5_000
"""Rows that are made ready for the database at once: of hundreds of thousands the values would fill memory again."""


def rows_in(rows: QuerySet[M, R], field: str, values: Iterable[object]) -> Iterator[R]:
    """The rows whose `field` is one of `values`, asked for in blocks; a value given twice counts once."""
    for block in blocks(values):
        yield from rows.filter(**{f"{field}__in": block})


def blocks(values: Iterable[V]) -> Iterator[list[V]]:
    """The values, each once, in lists that a database takes in one query."""
    wanted = list(dict.fromkeys(values))
    for first in range(0, len(wanted), MOST_VALUES):
        yield wanted[first : first + MOST_VALUES]


def overwrite(rows: Sequence[M], fields: Sequence[str]) -> None:
    """Write `fields` of rows that are stored already and were read whole.

    By "insert, or update where the id is known": for thousands of rows many times faster than `bulk_update`, whose
    statement grows with rows times fields.
    """
    if rows:
        model = type(rows[0])
        model._default_manager.bulk_create(  # noqa: SLF001  (Django's documented name for it)
            rows, MOST_ROWS, update_conflicts=True, update_fields=fields, unique_fields=["id"]
        )


def insert(rows: Sequence[Model]) -> None:
    """Store new rows of one model, whose keys nobody asks for afterwards.

    SQLite by one short statement a row: `bulk_create` takes three times as long, nearly all of it to write its
    statement out. PostgreSQL by one statement that takes a list for each column, since it reads each statement anew.
    """
    for first in range(0, len(rows), MOST_ROWS):
        _insert(rows[first : first + MOST_ROWS])


def _insert(rows: Sequence[Model]) -> None:
    statement, columns = _statement(type(rows[0]))
    given = [[put(field.pre_save(row, add=True)) for field, put in columns] for row in rows]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_of_lists(type(rows[0])), [list(column) for column in zip(*given, strict=True)])
        else:
            cursor.executemany(statement, given)


def insert_one(row: Model) -> None:
    """Store a new row, and give it its key."""
    _insert_one(row, "")


def insert_if_free(row: Model) -> bool:
    """Store a new row, unless the database holds one that rules it out; whether it is stored."""
    return _insert_one(row, " ON CONFLICT DO NOTHING")


def _insert_one(row: Model, otherwise: str) -> bool:
    statement, columns = _statement(type(row))
    given = [put(field.pre_save(row, add=True)) for field, put in columns]
    with connection.cursor() as cursor:
        cursor.execute(f"{statement}{otherwise} RETURNING {connection.ops.quote_name('id')}", given)
        stored = cursor.fetchone()
    if stored is None:
        return False
    (row.pk,) = stored
    row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001  (Django documents `_state` and its two attributes)
    return True


def write(row: Model, *names: str) -> None:
    """Write these fields of a stored row, by a statement put together once."""
    statement, columns = _statement_that_writes(type(row), names)
    with connection.cursor() as cursor:
        cursor.execute(statement, [*(put(getattr(row, field.attname)) for field, put in columns), row.pk])


@cache
def _statement_that_writes(model: type[Model], names: Sequence[str]) -> tuple[str, Columns]:
    columns = [column for column in _statement(model)[1] if column[0].name in names]
    quoted = connection.ops.quote_name
    written = ", ".join(f"{quoted(str(field.column))} = %s" for field, _ in columns)
    return f"UPDATE {quoted(model._meta.db_table)} SET {written} WHERE {quoted('id')} = %s", columns  # noqa: S608, SLF001  (as below)


@cache
def _statement(model: type[Model]) -> tuple[str, Columns]:
    """The statement that stores a row, and its fields, each with what makes a value of the database of its own."""
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, AutoField)]  # noqa: SLF001  (Django documents `_meta`)
    quoted = connection.ops.quote_name
    names, blanks = ", ".join(quoted(str(field.column)) for field in fields), ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quoted(model._meta.db_table)} ({names}) VALUES ({blanks})"  # noqa: S608, SLF001  (our own tables; as above)
    return statement, [(field, _stored_as(field)) for field in fields]


@cache
def _of_lists(model: type[Model]) -> str:
    """The statement that stores many rows, given column by column."""
    statement, columns = _statement(model)
    types = [str(field.db_type(connection)).partition("(")[0] for field, _ in columns]
    lists = ", ".join(f"%s::{name}[]" for name in types)
    return f"{statement.partition(' VALUES ')[0]} SELECT * FROM UNNEST({lists})"  # noqa: S608  (as above)


def _stored_as(field: Field[Any, Any]) -> Callable[[Any], Any]:
    """Texts, numbers, keys and yes or no are stored as they are."""
    if isinstance(field, DateTimeField | JSONField):
        return lambda value: field.get_db_prep_save(value, connection)
    return lambda value: value
