"""Queries that are put together once: to write one out takes Django several times as long as the database to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)
Value = int | str | datetime
Given = Mapping[Any, Value | Sequence[Value]]
"""What is put in place of each stand-in; several values in place of the one value of an `__in`."""
CORPUS = -7_000_000
"""Stands for the key of a corpus in a query that is put together for every corpus."""
PERSON = -7_000_001
"""Stands for the key of a person in a query that is put together for everybody."""
KEY = -7_000_002
"""Stands for the key of a row in a query that is put together for every row."""
OTHER = -7_000_009
"""Stands for the key of another row."""
NAME = "-7000004"
"""Stands for a canonical id, or the fingerprint of a text."""
WORD = "-7000005"
"""Stands for a word out of a list of words, as a source or a state is."""
PRESS = "-7000003"
"""Stands for the token of a press of a key, likewise."""
NOW = datetime(1999, 12, 31, 23, 59, 58, 7, tzinfo=UTC)
"""Stands for the moment of asking in a query that is put together for always."""
_SEVERAL = (list, tuple, set)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The SQL of a queryset, with a stand-in (`PERSON`, `NOW` …) where each asking puts its own."""

    sql: str
    params: tuple[Any, ...]

    @classmethod
    def of(cls, asked: QuerySet[Any, tuple[Any, ...]]) -> Prepared:
        """`asked` names keys, numbers and yes or no in its values_list: they are handed on as the database has them."""
        return cls(*asked.query.sql_with_params())

    def rows(self, given: Given) -> list[tuple[Any, ...]]:
        """The rows with `given` in place of the stand-ins; none where no value is one of several."""
        return self._asked(self.sql, given)

    def count(self, given: Given) -> int:
        """How many rows there are."""
        return int(self._asked(f"SELECT COUNT(*) FROM ({self.sql}) AS counted", given)[0][0])  # noqa: S608  (SQL of Django)

    def _asked(self, sql: str, given: Given) -> list[tuple[Any, ...]]:
        put = {_stored(blank): value for blank, value in given.items()}
        params = [put.get(param, param) for param in self.params]
        several = [param for param in params if isinstance(param, _SEVERAL)]
        if several:
            if not all(several):
                return []
            sql, params = _widened(sql, params)
        with connection.cursor() as cursor:
            cursor.execute(sql, [_stored(param) for param in params])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


class PreparedRows(Generic[M]):
    """The same for a queryset of a model: its rows, with what `select_related` names."""

    def __init__(self, asked: QuerySet[M]) -> None:
        self._compiler = asked.query.get_compiler(asked.db)
        self._prepared = Prepared(*self._compiler.as_sql())
        told, select = self._compiler.klass_info, self._compiler.select
        columns = told["select_fields"]
        self._model, self._columns, self._db = asked.model, slice(columns[0], columns[-1] + 1), asked.db
        self._names = [column.target.attname for column, _, _ in select[self._columns]]
        self._related = get_related_populators(told, select, asked.db)  # type: ignore[call-arg]  # the stubs are of Django 6

    def rows(self, given: Given) -> list[M]:
        """The rows with `given` in place of the stand-ins."""
        return [self._built(row) for row in self._compiler.results_iter([self._prepared.rows(given)])]

    def one(self, given: Given) -> M:
        """The only row.

        Raises:
            Model.DoesNotExist: there is none.
        """
        found = self.rows(given)
        if not found:
            raise self._model.DoesNotExist  # type: ignore[attr-defined]  # every model has it
        return found[0]

    def _built(self, row: Sequence[Any]) -> M:
        built = self._model.from_db(self._db, self._names, row[self._columns])
        for related in self._related:
            related.populate(row, built)
        return built


def _widened(sql: str, params: Sequence[Any]) -> tuple[str, list[Any]]:
    """The statement with a place for each of several values, and the values one by one."""
    first, *rest = sql.split("%s")
    places = [", ".join(["%s"] * len(param)) if isinstance(param, _SEVERAL) else "%s" for param in params]
    wide = first + "".join(place + piece for place, piece in zip(places, rest, strict=True))
    return wide, [each for param in params for each in (param if isinstance(param, _SEVERAL) else (param,))]


def _stored(value: Any) -> Any:  # noqa: ANN401  (whatever the database takes)
    """A moment as the database takes it; all else as it is."""
    if not isinstance(value, datetime):
        return value
    return connection.ops.adapt_datetimefield_value(value)
