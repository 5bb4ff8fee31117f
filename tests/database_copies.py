"""One migrated database for all workers of a run, and one with the demo: who needs it first makes it, each has a copy.

To migrate takes seconds of a processor, to load the demo many; to copy takes milliseconds.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections


def open_copy(worker: str, *, folder: Path) -> None:
    """Point the connections at this worker's copy; `folder` is the one that the workers of the run share."""
    creation, source = connection.creation, folder / "database"
    with _alone(folder):
        if source.exists():
            _name(source.read_text(encoding="utf-8"))
        else:
            source.write_text(creation.create_test_db(verbosity=0, autoclobber=True, serialize=False), encoding="utf-8")
        (folder / f"database-{worker}").touch()
        _name(_copied(worker))


@contextmanager
def filled_copy(worker: str, *, folder: Path, fill: Callable[[], None]) -> Iterator[None]:
    """Let the connections lead to a copy of a database that `fill` filled, once for all workers of the run."""
    own, filled, copied = str(connection.settings_dict["NAME"]), folder / "filled", folder / f"filled-{worker}"
    source = folder / "database"
    with _alone(folder, "filled"):
        if not filled.exists():
            _name(source.read_text(encoding="utf-8") if source.exists() else own)
            _name(_copied("filled"))
            fill()
            filled.write_text(str(connection.settings_dict["NAME"]), encoding="utf-8")
        _name(filled.read_text(encoding="utf-8"))
        _name(_copied(worker))
        copied.write_text(str(connection.settings_dict["NAME"]), encoding="utf-8")
    yield
    _name(own)


def drop_copy(worker: str, *, folder: Path) -> None:
    """Drop this worker's copies, and with the last worker what they were copied from."""
    connection.creation.destroy_test_db(verbosity=0)
    _drop(folder / f"filled-{worker}")
    with _alone(folder):
        (folder / f"database-{worker}").unlink()
        if not any(folder.glob("database-*")):
            _drop(folder / "filled")
            _drop(folder / "database")


def drop_filled(worker: str, *, folder: Path) -> None:
    """Drop what `filled_copy` made for the only worker."""
    own = str(connection.settings_dict["NAME"])
    _drop(folder / f"filled-{worker}")
    _drop(folder / "filled")
    _name(own)


def _copied(suffix: str) -> str:
    """The name of a new copy of the database at hand, with which no connection is left."""
    connections.close_all()  # SQLite then writes its log into the file
    connection.creation.clone_test_db(suffix, verbosity=0)
    return str(connection.creation.get_test_db_clone_settings(suffix)["NAME"])


def _drop(named: Path) -> None:
    """Drop the database whose name a file holds, where there is one, and the file."""
    if named.exists():
        _name(named.read_text(encoding="utf-8"))
        connection.creation.destroy_test_db(verbosity=0)
        named.unlink()


def _name(database: str) -> None:
    """Let the connections of every thread, present and future, open `database`."""
    connection.close()
    settings.DATABASES[DEFAULT_DB_ALIAS]["NAME"] = database
    connection.settings_dict["NAME"] = database


@contextmanager
def _alone(folder: Path, what: str = "database") -> Iterator[None]:
    """While no other worker of the run does."""
    with (folder / f"{what}.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
