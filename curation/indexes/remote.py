"""What every index behind a connection shares: how long it is waited for, and the client library it needs."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from curation.indexes.base import IndexRefused
from curation.retrieval.json_server import ServerBusy, ServerRefused

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server is waited for: `timeout_s` seconds an attempt, `attempts` of them.

    `pause_s` seconds pass before the second attempt, and twice as long before each further one.
    """

    timeout_s: float = 10.0
    attempts: int = 3
    pause_s: float = 0.5


PATIENCE = Patience()


def attempt(
    call: Callable[[], Answer],
    *,
    again: tuple[type[Exception], ...],
    patience: Patience = PATIENCE,
    sleep: Callable[[float], object] = time.sleep,
) -> Answer:
    """The answer of `call`, which is tried again after a fault of the kinds `again`; the last fault is raised.

    `call` holds itself to `patience.timeout_s`, and must be safe to repeat: an index is only read.
    """
    for done in range(1, patience.attempts):
        try:
            return call()
        except again:
            sleep(patience.pause_s * 2 ** (done - 1))
    return call()


def answered(
    call: Callable[[], Answer],
    *,
    absent: str,
    patience: Patience,
    sleep: Callable[[float], object],
) -> Answer:
    """The answer of a server, which is asked again while it is busy.

    Raises:
        IndexRefused: it gave none; `absent` is the sentence where it knows nothing by the name that it was asked for.
    """
    try:
        return attempt(call, again=(ServerBusy,), patience=patience, sleep=sleep)
    except ServerRefused as fault:
        raise IndexRefused(absent if fault.status == HTTPStatus.NOT_FOUND else str(fault)) from fault


def client_library(module: str, *, install: str) -> ModuleType:
    """The module of a client library that not everybody has.

    Raises:
        IndexRefused: it is not installed; the sentence says how to.
    """
    try:
        return import_module(module)
    except ImportError as fault:
        name = module.partition(".")[0]
        raise IndexRefused(f"The library {name} is not installed; install it with: {install}.") from fault
