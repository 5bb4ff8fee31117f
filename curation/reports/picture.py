"""Reading much at one moment of the database: what others write meanwhile is in none of it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from typing import BinaryIO

from django.db import Error, connection

# SQLite's plain BEGIN takes its picture with the first question and, in WAL mode, waits for nobody.
BEGINNINGS = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "sqlite": "BEGIN DEFERRED"}
_looking: ContextVar[bool] = ContextVar("_looking", default=False)


def looking() -> bool:
    """Whether this thread looks at one picture, so that it can write nothing."""
    return _looking.get()


@contextmanager
def one_picture() -> Iterator[None]:
    """Let every question inside see the same rows; nothing may be written inside, and nobody waits for it.

    Inside a transaction or another picture it adds nothing: that one sees what it sees.
    """
    if connection.in_atomic_block or looking():
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGINNINGS[connection.vendor])
    token = _looking.set(True)
    try:
        yield
    except BaseException:
        with suppress(Error), connection.cursor() as cursor:
            cursor.execute("ROLLBACK")
        connection.close()  # whatever state the question was left in, the picture ends with it
        raise
    finally:
        _looking.reset(token)
    with connection.cursor() as cursor:
        cursor.execute("ROLLBACK")


def as_one_file(lines: Iterable[str]) -> BinaryIO:
    """All of `lines`, read at one moment, in a file without a name that stands at its beginning.

    An answer is sent from it: sent line by line, the picture would last as long as the slowest reader takes.
    """
    with ExitStack() as stack:
        out = stack.enter_context(tempfile.TemporaryFile())
        with one_picture():
            out.writelines(line.encode() for line in lines)
        out.seek(0)
        stack.pop_all()  # it stands; the answer closes it when it is sent
        return out
