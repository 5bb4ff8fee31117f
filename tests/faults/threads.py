"""Several connections at once: each call in a thread of its own, started together."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from django.db import connection

from curation.sqlite.base import turns

T = TypeVar("T")


def together(*calls: Callable[[], T]) -> list[T]:
    """The answers of `calls`, each made over its own database connection at the same moment."""
    start = threading.Barrier(len(calls))

    def one(call: Callable[[], T]) -> T:
        start.wait(10)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(over_its_own_connection, (partial(one, call) for call in calls)))


@contextmanager
def beside() -> Iterator[Callable[[Callable[[], T]], Future[T]]]:
    """A function that starts a call over a connection of its own, and returns once that has ended or waits for us."""
    with ThreadPoolExecutor(1) as pool:

        def start(call: Callable[[], T]) -> Future[T]:
            started = pool.submit(over_its_own_connection, call)
            while not (started.done() or somebody_waits()):
                time.sleep(0.01)
            return started

        yield start


def over_its_own_connection(call: Callable[[], T]) -> T:
    try:
        return call()
    finally:
        connection.close()


def somebody_waits() -> bool:
    """Whether another connection waits for the transaction of this one."""
    if connection.vendor == "sqlite":
        return turns[str(connection.settings_dict["NAME"])].waiting > 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid)))")
        return bool(cursor.fetchone()[0])
