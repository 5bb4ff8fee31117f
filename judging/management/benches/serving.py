"""A database and a server of the bench's own: made, used, and gone without a trace."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

START_WITHIN, STOP_WITHIN = 180.0, 60.0  # seconds
HOST = "127.0.0.1"
SETTLE = 3.0  # seconds: worker and scheduler start beside the server, and are not what is measured
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Served:
    """A running server. `pid` is that of `manage.py up`, the parent of all its parts."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://{HOST}:{self.port}"

    def web_seconds(self) -> float:
        """CPU seconds that the web server's programs have taken so far, as Linux counts them."""
        return sum(_cpu_seconds(pid) for pid in _below(self.pid) if b"gunicorn" in _told(pid, "cmdline"))


@contextmanager
def own_database() -> Iterator[dict[str, str]]:
    """A new database with all tables, used by this program until the block ends; the environment of its server.

    On PostgreSQL it is made on the server of DATABASE_URL and dropped; on SQLite it stands in a folder of its own.
    """
    name, before = f"hardset_bench_{secrets.token_hex(6)}", dict(connection.settings_dict)
    with tempfile.TemporaryDirectory(prefix="hs-bench-") as folder:
        embedded = connection.vendor == "sqlite"
        of_test = {**before["TEST"], "NAME": f"{folder}/hardset.sqlite3" if embedded else name}
        connection.close()
        _forget_pool()
        connection.settings_dict["TEST"] = of_test
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        try:
            yield {
                "DATA_DIR": folder,
                "DATABASE_URL": "" if embedded else beside(settings.DATABASE_URL, name),
                "SECRET_KEY": settings.SECRET_KEY,
                "HTTPS": "0",
            }
        finally:
            connection.close()
            _forget_pool()
            connection.creation.destroy_test_db(before["NAME"], verbosity=0)
            connection.settings_dict["TEST"] = before["TEST"]


def beside(address: str, name: str) -> str:
    """The address of another database on the same server; a server on a socket has its folder in the path, too."""
    path, mark, options = address.partition("?")
    return f"{path.rpartition('/')[0]}/{name}{mark}{options}"


def _forget_pool() -> None:
    """Connections that were kept open lead to the database of before."""
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]  # of the PostgreSQL backend


@contextmanager
def serving(environment: dict[str, str]) -> Iterator[Served]:
    """`manage.py up` on a free port with `environment`, until the block ends.

    Raises:
        CommandError: it does not answer in time.
    """
    port = _free_port()
    log = Path(environment["DATA_DIR"]) / "up.log"
    words = [sys.executable, str(settings.BASE_DIR / "manage.py"), "up", "--host", HOST, "--port", str(port)]
    own = {**os.environ, **environment, "ALLOWED_HOSTS": HOST, "LOG_LEVEL": "WARNING"}
    for name in ("CELERY_BROKER_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
        own.pop(name, None)
    with log.open("wb") as out:
        running = subprocess.Popen(words, env=own, stdout=out, stderr=out)  # noqa: S603  (our own command line, no shell)
        try:
            _await(running, f"http://{HOST}:{port}/healthz", log)
            time.sleep(SETTLE)
            yield Served(port, running.pid)
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(STOP_WITHIN)


def _await(running: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + START_WITHIN
    while time.monotonic() < deadline and running.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):  # noqa: S310  (our own address)
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise CommandError(f"The server of the bench did not start: {log.read_text(encoding='utf-8')[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _below(pid: int) -> Iterator[int]:
    """The programs that `pid` started, and theirs."""
    for child in _told(pid, f"task/{pid}/children").split():
        yield int(child)
        yield from _below(int(child))


def _told(pid: int, what: str) -> bytes:
    """What Linux tells of a program; nothing once it has ended, as what a worker asks while it starts soon has."""
    try:
        return Path(f"/proc/{pid}/{what}").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def _cpu_seconds(pid: int) -> float:
    after_name = _told(pid, "stat").rpartition(b")")[2].split()
    return sum(map(int, after_name[11:13])) / TICKS
