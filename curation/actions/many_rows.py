"""What PostgreSQL expects of its tables after many rows came at once."""

from functools import partial

from django.db import connection, models, transaction

MANY = 1000


def look_again(rows: int, *tables: type[models.Model]) -> None:
    """Let PostgreSQL look at `tables` once this is committed, where the `rows` new ones are many.

    Its own vacuum does so within a minute. Until then it takes a filled table for a nearly empty one, and the board of
    20,000 queries was seen to take 53 s, for it read a run's answers whole for each query.
    """
    if rows >= MANY and connection.vendor == "postgresql":
        transaction.on_commit(partial(_analyse, tables))


def _analyse(tables: tuple[type[models.Model], ...]) -> None:
    names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in tables)  # noqa: SLF001  (Django documents `_meta`)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {names}")
