"""Many rows at once: a database takes only so many values in one query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import AutoField, DateTimeField, Field, JSONField, Model, QuerySet

M = TypeVar("M", bound=Model)
R = TypeVar("R")
V = TypeVar("V")

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

    By one short statement a row: `bulk_create` takes three times as long, nearly all of it to write its statement out.
    """
    for first in range(0, len(rows), MOST_ROWS):
        statement, columns = _statement(type(rows[first]))
        block = rows[first : first + MOST_ROWS]
        given = [[put(field.pre_save(row, add=True)) for field, put in columns] for row in block]
        with connection.cursor() as cursor:
            cursor.executemany(statement, given)


def insert_one(row: Model) -> None:
    """Store a new row, and give it its key."""
    statement, columns = _statement(type(row))
    given = [put(field.pre_save(row, add=True)) for field, put in columns]
    with connection.cursor() as cursor:
        cursor.execute(f"{statement} RETURNING {connection.ops.quote_name('id')}", given)
        (row.pk,) = cursor.fetchone()
    row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001  (Django documents `_state` and its two attributes)


@cache
def _statement(model: type[Model]) -> tuple[str, Sequence[tuple[Field[Any, Any], Callable[[Any], Any]]]]:
    """The statement that stores a row, and its fields, each with what makes a value of the database of its own."""
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, AutoField)]  # noqa: SLF001  (Django documents `_meta`)
    quoted = connection.ops.quote_name
    names, blanks = ", ".join(quoted(str(field.column)) for field in fields), ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quoted(model._meta.db_table)} ({names}) VALUES ({blanks})"  # noqa: S608, SLF001  (our own tables; as above)
    return statement, [(field, _stored_as(field)) for field in fields]


def _stored_as(field: Field[Any, Any]) -> Callable[[Any], Any]:
    """Texts, numbers, keys and yes or no are stored as they are."""
    if isinstance(field, DateTimeField | JSONField):
        return lambda value: field.get_db_prep_save(value, connection)
    return lambda value: value
