"""Queries about queries: how many rows one has, and sums over the groups of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Case, IntegerField, JSONField, QuerySet, Subquery
from django.db.models.sql.compiler import SQLCompiler

from .prepared import Prepared


class Rows(Subquery):
    """How many rows a subquery has."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted_rows)"
    output_field = IntegerField()


class Listed(Subquery):
    """The one column of a subquery, called `listed`, as a list; None where it has no rows."""

    template = "(SELECT json_group_array(listed) FROM (%(subquery)s) AS listed_rows)"
    output_field = JSONField()

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, tuple[Any, ...]]:
        """PostgreSQL has a name of its own for it."""
        template = "(SELECT jsonb_agg(listed) FROM (%(subquery)s) AS listed_rows)"
        return self.as_sql(compiler, connection, template=template)


def told_together(counted: Mapping[str, QuerySet[Any]], said: Mapping[str, QuerySet[Any, Any]]) -> dict[str, Any]:
    """How many rows each of `counted` has, and the one column of the first row of each of `said`, in one SQL query.

    As subqueries of another queryset all of them would be resolved again within its names, which takes longer than
    their answers. What can have no rows for certain is not asked, and not told.
    """
    numbers = {
        name: ("SELECT COUNT(*) FROM (", rows.order_by().values("pk"), ") AS counted") for name, rows in counted.items()
    }
    asked = numbers | {name: ("", rows[:1], "") for name, rows in said.items()}
    columns, params = dict[str, str](), list[Any]()
    for name, (before, rows, after) in asked.items():
        with suppress(EmptyResultSet):
            words, given = rows.query.sql_with_params()
            columns[name] = f"({before}{words}{after})"
            params += given
    if not columns:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns.values())}", params)
        return dict(zip(columns, cursor.fetchone(), strict=True))


class OfRow(Case):
    """A case that its row decides: where rows are grouped by their key, nothing more is, and it is asked once a row."""

    def get_group_by_cols(self) -> list[Any]:
        """None of its own."""
        return []


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the rows of `groups`, each with the one row of every queryset of `joined` that shares its column `by`.

    `columns` are in SQL, over the columns of `groups` and over those of `joined` under its names; `moments` stand for
    the %s in them, in order. Rows of `groups` that differ in their column `apart` are summed apart.
    """

    groups: QuerySet[Any, Any]
    by: str
    joined: Mapping[str, QuerySet[Any, Any]]
    columns: Mapping[str, str]
    moments: Sequence[datetime] = ()

    def as_sql(self, on: str) -> tuple[str, list[Any]]:
        """The sums for each value of the column `on` of the groups, with what stands for the %s."""
        inner, given = self.groups.query.sql_with_params()
        source, joined = "grouped", list[Any]()
        for name, rows in self.joined.items():
            beside, params = rows.query.sql_with_params()
            source += f" LEFT JOIN ({beside}) AS {name} ON {name}.{self.by} = grouped.{self.by}"
            joined += params
        columns = ", ".join(f"{words} AS {name}" for name, words in self.columns.items())
        at = [connection.ops.adapt_datetimefield_value(moment) for moment in self.moments]
        told = f"SELECT {on}, apart, {columns} FROM {source} GROUP BY {on}, apart"  # noqa: S608  (our own words alone)
        kept = "MATERIALIZED" if connection.vendor == "postgresql" else "NOT MATERIALIZED"
        return f"WITH grouped AS {kept} ({inner}), summed AS {kept} ({told})", [*given, *at, *joined]


def beside_sums(rows: Prepared, sums: Sums, *, on: str, told: Sequence[str]) -> Sequence[tuple[Any, ...]]:
    """Each of `rows` with the sums over the groups that share its column `on`, 0 where there is none: columns `told`.

    A row comes once with each of the sums that stand apart. A queryset groups once; here groups are grouped again, in
    one SQL query.
    """
    grouped, last = sums.as_sql(on)
    of_sums = {name: f"COALESCE(summed.{name}, 0)" for name in sums.columns} | {"apart": "summed.apart"}
    columns = ", ".join(of_sums.get(name, f"listed.{name}") for name in told)
    both = f"({rows.sql}) AS listed LEFT JOIN summed ON summed.{on} = listed.{on}"
    with connection.cursor() as cursor:
        cursor.execute(f"{grouped} SELECT {columns} FROM {both}", [*last, *rows.params])  # noqa: S608  (the same)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
