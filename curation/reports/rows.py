"""Queries about queries: how many rows one has, and sums over the groups of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import IntegerField, QuerySet, Subquery


class Rows(Subquery):
    """How many rows a subquery has."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted_rows)"
    output_field = IntegerField()


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
