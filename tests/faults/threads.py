"""Several connections at once: each call in a thread of its own, started together."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def together(*calls: Callable[[], T]) -> list[T]:
    """The answers of `calls`, each made over its own database connection at the same moment."""
    start = threading.Barrier(len(calls))

    def one(call: Callable[[], T]) -> T:
        try:
            start.wait(10)
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))
