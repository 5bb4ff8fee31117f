"""Broker, worker, scheduler and web as one: started in order, kept alive, stopped in the other order."""

from __future__ import annotations

import http.client
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.core.management.base import CommandError

from curation.management import broker
from curation.management.children import Child

LOOK_EVERY = 0.2  # seconds
START_WITHIN = 90.0  # seconds a part may take until it answers


class Supervisor:
    """Keeps its children, in the order they are started."""

    def __init__(self, children: Sequence[Child], *, say: Callable[[str], None]) -> None:
        self.children = children
        self.say = say
        self.stopping = False
        self._started: list[Child] = []

    @contextmanager
    def signals(self) -> Iterator[None]:
        """Ctrl-C, SIGTERM and the end of the terminal end the watch instead of the program."""
        stops = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, self._stop) for number in stops}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping = True

    def start(self) -> None:
        """Start one child after the other, each once the one before answers.

        Raises:
            CommandError: one does not answer in time.
        """
        for child in self.children:
            if not self.stopping:
                child.start()
                self._started.append(child)
                self._await(child)

    def _await(self, child: Child) -> None:
        deadline = time.monotonic() + START_WITHIN
        while not self.stopping and not child.answers():
            if time.monotonic() > deadline:
                raise CommandError(f"The {child.name} does not answer. Its log tells why: {child.log}")
            self.look_after()
            time.sleep(LOOK_EVERY)

    def look_after(self) -> None:
        """Start again whatever has ended."""
        for child in self._started:
            child.keep(self.say)

    def watch(self) -> None:
        """Look after the children until a signal says stop."""
        while not self.stopping:
            self.look_after()
            time.sleep(LOOK_EVERY)

    def stop(self) -> None:
        """Stop the children, the last one started first."""
        for child in reversed(self._started):
            child.stop()


def children(*, host: str, port: int, logs: Path) -> list[Child]:
    """Broker (where none is named), worker, scheduler and web, in the order of their start.

    Together their patience is 14 s: Ctrl-C ends everything within 15.
    """
    celery = [sys.executable, "-m", "celery", "-A", "curation.celery"]
    quiet = ["--loglevel", "WARNING"]
    worker = [*celery, "worker", "--concurrency", "2", "--without-gossip", "--without-mingle", *quiet]
    beat = [*celery, "beat", "--pidfile", "", *quiet]
    web = [sys.executable, "-m", "gunicorn", "curation.wsgi:application", "--graceful-timeout", "3"]
    web += ["--bind", netloc(host, port), "--worker-class", "gthread", "--workers", "3", "--threads", "2"]
    # A connection stays with the process that took it, also while another one is free: each takes no more than it
    # works on, and keeps none (docs/adr/0019).
    web += ["--keep-alive", "0", "--worker-connections", "2"]
    web += ["--no-control-socket"]
    parts = [
        Child("worker", worker, logs / "worker.log", patience=5),
        Child("scheduler", beat, logs / "scheduler.log", patience=2),
        Child("web server", web, logs / "web.log", patience=4, answers=partial(web_answers, host, port)),
    ]
    return [*bundled_broker(logs), *parts]


def netloc(host: str, port: int) -> str:
    """Host and port as an address writes them: an IPv6 host stands in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def bundled_broker(logs: Path) -> list[Child]:
    """The broker that is ours to start; none where the settings name another."""
    socket = settings.BUNDLED_BROKER_SOCKET
    if f"redis+socket://{socket}" != settings.CELERY_BROKER_URL:
        return []
    words = broker.server_words(socket=socket, folder=settings.DATA_DIR / "broker")
    answers = partial(broker.answers, socket)
    return [Child("broker", words, logs / "broker.log", patience=3, answers=answers, dies_by=signal.SIGTERM)]


def web_answers(host: str, port: int) -> bool:
    """Does Django answer there? Whatever it says of the address's name, it is up."""
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except OSError:
        return False
    finally:
        connection.close()
