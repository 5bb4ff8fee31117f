"""Queries that are put together once: to write one out takes Django several times as long as the database to answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

Value = int | str | datetime
PERSON = -7_000_001
"""Stands for the key of a person in a query that is put together for everybody."""
KEY = -7_000_002
"""Stands for the key of a row in a query that is put together for every row."""
PRESS = "-7000003"
"""Stands for the token of a press of a key, likewise."""
NOW = datetime(1999, 12, 31, 23, 59, 58, 7, tzinfo=UTC)
"""Stands for the moment of asking in a query that is put together for always."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The SQL of a queryset, with a stand-in (`PERSON`, `NOW` …) where each asking puts its own."""

    sql: str
    params: tuple[Any, ...]

    @classmethod
    def of(cls, asked: QuerySet[Any, tuple[Any, ...]]) -> Prepared:
        """`asked` names keys, numbers and yes or no in its values_list: they are handed on as the database has them."""
        return cls(*asked.query.sql_with_params())

    def rows(self, given: Mapping[Any, Value]) -> list[tuple[Any, ...]]:
        """The rows with `given` in place of the stand-ins."""
        return self._asked(self.sql, given)

    def count(self, given: Mapping[Any, Value]) -> int:
        """How many rows there are."""
        return int(self._asked(f"SELECT COUNT(*) FROM ({self.sql}) AS counted", given)[0][0])  # noqa: S608  (SQL of Django)

    def _asked(self, sql: str, given: Mapping[Any, Value]) -> list[tuple[Any, ...]]:
        put = {_stored(blank): _stored(value) for blank, value in given.items()}
        with connection.cursor() as cursor:
            cursor.execute(sql, [put.get(param, param) for param in self.params])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _stored(value: Value) -> Value | None:
    """A moment as the database takes it; all else as it is."""
    if not isinstance(value, datetime):
        return value
    stored: str | None = connection.ops.adapt_datetimefield_value(value)
    return stored
