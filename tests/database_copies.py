"""One migrated database for all workers of a run: who needs it first makes it, and each works on a copy.

To migrate takes seconds of a processor, to copy milliseconds.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection


def open_copy(worker: str, *, folder: Path) -> None:
    """Point the connections at this worker's copy; `folder` is the one that the workers of the run share."""
    creation, source = connection.creation, folder / "database"
    with _alone(folder):
        if source.exists():
            _name(source.read_text(encoding="utf-8"))
        else:
            source.write_text(creation.create_test_db(verbosity=0, autoclobber=True, serialize=False), encoding="utf-8")
        (folder / f"database-{worker}").touch()
        connection.close()  # SQLite then writes its log into the file
        creation.clone_test_db(worker, verbosity=0)
        _name(str(creation.get_test_db_clone_settings(worker)["NAME"]))


def drop_copy(worker: str, *, folder: Path) -> None:
    """Drop this worker's copy, and with the last one what they were copied from."""
    source = folder / "database"
    connection.creation.destroy_test_db(verbosity=0)
    with _alone(folder):
        (folder / f"database-{worker}").unlink()
        if not any(folder.glob("database-*")):
            _name(source.read_text(encoding="utf-8"))
            connection.creation.destroy_test_db(verbosity=0)
            source.unlink()


def _name(database: str) -> None:
    """Let the connections of every thread, present and future, open `database`."""
    settings.DATABASES[DEFAULT_DB_ALIAS]["NAME"] = database
    connection.settings_dict["NAME"] = database


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no other worker of the run does."""
    with (folder / "database.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
