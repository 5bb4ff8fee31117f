"""Waits that end at one deadline, however slowly the other side answers.

httpx bounds each read by itself, so a server that sends one byte now and then holds its caller for as long as it likes;
and the system looks up a name for as long as its own settings say, whatever the caller asks.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any, TypeVar

import httpcore
import httpx

Answer = TypeVar("Answer")


def answer_within(seconds: float | None, call: Callable[[], Answer]) -> Answer:
    """The answer of `call`, or its fault, which is waited for `seconds` at most; None waits as long as it takes.

    For what nothing can stop, such as the system's look-up of a name: given up, it goes on in a thread of its own,
    which keeps no program from ending.

    Raises:
        TimeoutError: there was none in time.
    """
    told: Future[Answer] = Future()

    def work() -> None:
        try:
            told.set_result(call())
        except BaseException as fault:  # noqa: BLE001  (raised again where it is waited for)
            told.set_exception(fault)

    threading.Thread(target=work, daemon=True).start()
    return told.result(seconds)


class Deadline:
    """A moment `seconds` from now on a clock that only ever grows."""

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._end = clock, clock() + seconds

    @property
    def is_over(self) -> bool:
        """Whether nothing is waited for any more."""
        return self._clock() >= self._end

    def within(self, timeout: float | None) -> float:
        """How many seconds may still be waited, of `timeout` at most.

        Raises:
            httpcore.ConnectTimeout: no more; where a host has several numbers, each ends so.
        """
        left = self._end - self._clock()
        if left <= 0:
            raise httpcore.ConnectTimeout("The deadline is over.")
        return left if timeout is None else min(timeout, left)


class DeadlineTransport(httpx.HTTPTransport):
    """Connections of which none is waited for past `deadline`: not to be made, written to, or read from."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        # httpx hands no network of one's own to its pool, which httpcore takes; no connection outlives its request.
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(), max_keepalive_connections=0, network_backend=_Network(deadline)
        )


class _Network(httpcore.NetworkBackend):
    def __init__(self, deadline: Deadline) -> None:
        self._deadline, self._network = deadline, httpcore.SyncBackend()

    def connect_tcp(  # noqa: PLR0917  (as httpcore has it)
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        wait = self._deadline.within(timeout)
        return _Stream(self._network.connect_tcp(host, port, wait, local_address, socket_options), self._deadline)


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.within(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        wait = self._deadline.within(timeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, wait), self._deadline)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401  (as httpcore has it)
        return self._stream.get_extra_info(info)
