"""Queries about queries: how many rows one has, and sums over the groups of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import IntegerField, JSONField, QuerySet, Subquery
from django.db.models.sql.compiler import SQLCompiler


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


def beside_sums(
    rows: QuerySet[Any, Any],
    groups: QuerySet[Any, Any],
    sums: Mapping[str, str],
    *,
    on: str,
    moments: Sequence[datetime] = (),
) -> Iterator[dict[str, Any]]:
    """Each of `rows` with `sums` over those of `groups` that share its column `on`, NULL where there is none.

    A queryset groups once; here groups are grouped again, in one SQL query. `sums` are columns in SQL over those of
    `groups`; `moments` stand for the %s in them, in order.
    """
    outer, first = rows.query.sql_with_params()
    inner, last = groups.query.sql_with_params()
    columns = ", ".join(f"{words} AS {name}" for name, words in sums.items())
    told = f"SELECT {on}, {columns} FROM ({inner}) AS grouped GROUP BY {on}"  # noqa: S608  (our own words alone)
    whole = f"SELECT * FROM ({outer}) AS listed LEFT JOIN ({told}) AS told USING ({on})"  # noqa: S608  (the same)
    at = [connection.ops.adapt_datetimefield_value(moment) for moment in moments]
    with connection.cursor() as cursor:
        cursor.execute(whole, [*first, *at, *last])
        names = [column[0] for column in cursor.description]
        for row in cursor.fetchall():
            yield dict(zip(names, row, strict=True))
