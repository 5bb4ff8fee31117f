"""A JSON server on the loopback interface whose answers and faults a test decides."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def lines(self) -> list[Any]:
        assert self.body.endswith(b"\n")
        return [json.loads(line) for line in self.body.splitlines()]


@dataclass(frozen=True)
class Answer:
    """What is sent back: `body` as JSON, or bytes as they are, after a pause in seconds."""

    body: Any = field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0


class Answering(Protocol):
    def __call__(self, asked: Asked) -> Answer: ...


@dataclass
class Loopback:
    """The server: `faults` are answered first, one a request, then `answering`."""

    answering: Answering
    url: str = ""
    faults: list[Answer] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        return self.faults.pop(0) if self.faults else self.answering(asked)


@contextmanager
def dripping(pause: float) -> Iterator[str]:
    """The address of a server that begins to answer and then sends a header line after each pause, without end."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(5)

    def drip() -> None:
        with suppress(OSError):  # the caller hung up, or never came
            caller, _ = server.accept()
            with caller:
                caller.sendall(b"HTTP/1.1 200 OK\r\n")
                while True:
                    caller.sendall(b"X-More: 1\r\n")
                    time.sleep(pause)

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
    finally:
        thread.join(5)
        server.close()


@contextmanager
def serving(answering: Answering) -> Iterator[Loopback]:
    """The server on a free port, until the block ends."""
    state = Loopback(answering)

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            given = state.answer(Asked(self.command, self.path, headers, self.rfile.read(length)))
            time.sleep(given.pause)
            body = given.body if isinstance(given.body, bytes) else json.dumps(given.body).encode()
            self.send_response(given.status)
            for name, value in {"Content-Length": str(len(body)), **given.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815  # the names that http.server calls

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that stopped waiting is what the tests are about."""

    server = Quiet(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
