"""A real broker and real workers on the test's own database."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from kombu.connection import Connection
from redis import Redis

from curation import tasks
from curation.management import broker as bundled
from curation.models import Job

ROOT = Path(__file__).resolve().parents[2]
SILENCE = 4  # seconds without a heartbeat until a job counts as interrupted; 60 in the product
SLOW = 90.0  # seconds; how long a busy machine may take for what takes a few


def wait_until(happens: Callable[[], object], *, within: float = SLOW) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if happens():
            return True
        time.sleep(0.05)
    return False


class Broker:
    """A bundled broker on a socket of its own."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hs-"))  # pytest's own folders are too deep for a socket
        self.socket = self.folder / "b.sock"
        words = bundled.server_words(socket=self.socket, folder=self.folder / "queue")
        self.running = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        assert wait_until(lambda: bundled.answers(self.socket))

    @property
    def url(self) -> str:
        return f"redis+socket://{self.socket}"

    def empty(self) -> None:
        with Redis(unix_socket_path=str(self.socket)) as client:
            client.flushall()

    def freeze(self) -> None:
        self.running.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.running.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self.running.kill()
        self.running.wait()
        shutil.rmtree(self.folder)


@pytest.fixture
def broker(settings: LazySettings) -> Iterator[Broker]:
    started = Broker()
    settings.CELERY_BROKER_URL = started.url
    settings.JOB_SILENCE_SECONDS = SILENCE
    yield started
    started.stop()


class Worker:
    """A Celery worker with two children."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        words = [sys.executable, "-m", "celery", "-A", "tests.faults.worker_app", "worker", "--concurrency", "2"]
        self.words = [*words, "--without-gossip", "--without-mingle", "--loglevel", "INFO"]
        self.environment, self.log = environment, log
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(
                self.words, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """End all of it at once, without a word."""
        os.killpg(self.running.pid, signal.SIGKILL)
        self.running.wait()

    def kill_children(self) -> None:
        for child in children_of(self.running.pid):
            os.kill(child, signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture
def start_worker(broker: Broker, tmp_path: Path) -> Iterator[Callable[[], Worker]]:
    """Start a worker on the test's database and broker; it ends with the test."""
    started: list[Worker] = []
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "CELERY_BROKER_URL": broker.url,
        "DATA_DIR": str(tmp_path / "data"),
        "SECRET_KEY": "a key of the fault tests, longer than it must be",
        "JOB_SILENCE_SECONDS": str(SILENCE),
        "HTTPS": "0",
    }

    def start() -> Worker:
        started.append(Worker(environment, tmp_path / "worker.log"))
        return started[-1]

    yield start
    for worker in started:
        if worker.running.poll() is None:
            worker.kill()


def database_url() -> str:
    """The address of the test's own database."""
    own = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{own['NAME']}"
    return f"postgres://{own['USER']}:{own['PASSWORD']}@{own['HOST']}:{own['PORT']}/{own['NAME']}"


def sweep(url: str) -> None:
    """What the scheduler does every 10 s."""
    options: dict[str, Any] = {"socket_timeout": 1, "max_retries": 0}
    with Connection(url, transport_options=options) as to_broker:
        tasks.sweep.apply_async(connection=to_broker, retry=False, expires=10)


def swept_until(broker: Broker, happens: Callable[[], object], *, within: float = SLOW) -> bool:
    """Let the scheduler's sweep come twice a second until something happens."""

    def look() -> bool:
        time.sleep(0.4)
        sweep(broker.url)
        return bool(happens())

    return wait_until(look, within=within)


def states() -> dict[str, int]:
    counts: dict[str, int] = {}
    for state in Job.objects.values_list("state", flat=True):
        counts[state] = counts.get(state, 0) + 1
    return counts
