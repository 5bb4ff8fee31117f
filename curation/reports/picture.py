"""Reading much at one moment of the database: what others write meanwhile is in none of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

# SQLite's plain BEGIN takes its picture with the first question and, in WAL mode, waits for nobody.
BEGINNINGS = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "sqlite": "BEGIN DEFERRED"}


@contextmanager
def one_picture() -> Iterator[None]:
    """Let every question inside see the same rows; nothing may be written inside, and nobody waits for it.

    Inside a transaction it adds nothing: that one sees what it sees.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGINNINGS[connection.vendor])
    try:
        yield
    except BaseException:
        connection.close()  # whatever state the question was left in, the picture ends with it
        raise
    with connection.cursor() as cursor:
        cursor.execute("ROLLBACK")
