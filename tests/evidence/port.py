"""A port in front of a server, which can be blocked as a firewall or a pulled cable would."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

HOST = "127.0.0.1"


class Port:
    """A port of its own that leads to the one of a server, while it is open."""

    def __init__(self, behind: int) -> None:
        self._behind = behind
        self._listener: socket.socket | None = None
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self.number = 0
        self.open()

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://{HOST}:{self.number}"

    def open(self) -> None:
        """Let connections through."""
        self._listener = listener = socket.create_server((HOST, self.number))
        self.number = listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def block(self) -> None:
        """Refuse new connections and break those that stand."""
        if self._listener is not None:
            hang_up(self._listener)
        self._listener = None
        while self._pairs:
            for end in self._pairs.pop():
                hang_up(end)

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                near, _ = listener.accept()
                far = socket.create_connection((HOST, self._behind))
                self._pairs.append((near, far))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=carry, args=(one, other), daemon=True).start()


def carry(one: socket.socket, other: socket.socket) -> None:
    """Bytes from `one` to `other` until either ends."""
    with suppress(OSError):  # either end was closed
        while received := one.recv(65536):
            other.sendall(received)
    for end in (one, other):
        hang_up(end)


def hang_up(end: socket.socket) -> None:
    """Close a socket that another thread may wait on."""
    with suppress(OSError):  # nobody is at the other end any more
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def port_before(behind: int) -> Iterator[Port]:
    """A `Port` until the block ends."""
    port = Port(behind)
    try:
        yield port
    finally:
        port.block()
