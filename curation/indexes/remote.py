"""What every index behind a connection shares: how its faults are said, and the client library it needs."""

from collections.abc import Callable
from http import HTTPStatus
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from curation.indexes.base import IndexRefused
from curation.retrieval.json_server import ServerBusy, ServerRefused
from curation.retrieval.patience import Patience, attempt

Answer = TypeVar("Answer")


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
