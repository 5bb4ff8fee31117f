"""Queries that are put together once: to write one out takes Django several times as long as the database to answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, cast

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState

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
MOST_KEY = 2**63 - 1
"""No key is larger, and neither database takes a larger number."""
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
        """The rows for `given`; none where no value is one of several, or one is too large for a key."""
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
        if any(isinstance(param, int) and abs(param) > MOST_KEY for param in params):
            return []
        with connection.cursor() as cursor:
            cursor.execute(sql, [_stored(param) for param in params])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


class PreparedRows(Generic[M]):
    """The same for a queryset of a model: its rows, with what `select_related` names."""

    def __init__(self, asked: QuerySet[M]) -> None:
        self._compiler = asked.query.get_compiler(asked.db)
        self._prepared = Prepared(*self._compiler.as_sql())
        columns = [column for column, _, _ in self._compiler.select]
        self._model, self._converters = asked.model, self._compiler.get_converters(columns)
        self._shape = _Shape.of(self._compiler.klass_info, [column.target.attname for column in columns], asked.db)

    def rows(self, given: Given) -> list[M]:
        """The rows with `given` in place of the stand-ins."""
        found = self._compiler.apply_converters(self._prepared.rows(given), self._converters)
        return [cast("M", self._shape.made(row)) for row in found]

    def one(self, given: Given) -> M:
        """The only row.

        Raises:
            Model.DoesNotExist: there is none.
        """
        found = self.rows(given)
        if not found:
            raise self._model.DoesNotExist  # type: ignore[attr-defined]  # every model has it
        return found[0]


@dataclass(frozen=True, slots=True)
class _Shape:
    """Which columns of a row make an instance of which model, and what is set beside it on both sides.

    Instances are made as unpickling makes them: calling the model's class takes several times as long, because it
    looks at each of its arguments.
    """

    model: type[Model]
    database: str
    names: Sequence[str]
    columns: slice
    key: int
    related: Sequence[tuple[_Shape, Callable[[Any, Any], None], Callable[[Any, Any], None]]]

    @classmethod
    def of(cls, told: Mapping[str, Any], names: Sequence[str], database: str) -> _Shape:
        """From what Django's compiler tells of the columns it selects."""
        columns = slice(told["select_fields"][0], told["select_fields"][-1] + 1)
        own, model = names[columns], told["model"]
        related = (
            (cls.of(each, names, database), each["local_setter"], each["remote_setter"])
            for each in told.get("related_klass_infos", ())
        )
        return cls(model, database, own, columns, own.index(model._meta.pk.attname), tuple(related))  # noqa: SLF001  (Django documents `_meta`)

    def made(self, row: Sequence[Any]) -> Model | None:
        """The instance in `row`, None where an outer join found none."""
        own = row[self.columns]
        if own[self.key] is None:
            return None
        made = self.model.__new__(self.model)
        made._state = ModelState()  # noqa: SLF001  (Django documents `_state` and its two attributes)
        made._state.adding, made._state.db = False, self.database  # noqa: SLF001  (likewise)
        made.__dict__.update(zip(self.names, own, strict=True))
        for shape, set_here, set_there in self.related:
            other = shape.made(row)
            set_here(made, other)
            if other is not None:
                set_there(other, made)
        return made


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
