"""What to do about a fault of the database, a file or the command line: one sentence, where there is a way out."""

from __future__ import annotations

from django.db import DatabaseError, DataError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

NO_FILE_TO_USE = ("readonly", "read-only", "not a database", "disk")
"""What databases say where nothing can be written, of a file of another kind, and of a full or broken disk."""


def way_out(fault: Exception) -> str:
    """What to do about a fault that lies in the command line, a file or the database; "" where it is one of ours."""
    if isinstance(fault, UnicodeEncodeError):  # a shell hands over whatever bytes were typed
        return "A word of the command is no UTF-8 text; write it anew."
    if isinstance(fault, DataError):
        return f"A word or a number of the command does not fit: {str(fault).splitlines()[0]}."
    if isinstance(fault, OSError):
        return "" if isinstance(fault, ConnectionError | TimeoutError) else no_use_of(fault)
    return database_way_out(fault) if isinstance(fault, DatabaseError) else ""


def no_use_of(fault: OSError) -> str:
    """Why the system does not let a file be used."""
    return f"{fault.filename or 'A file of the command'} cannot be used: {fault.strerror}."


def database_way_out(fault: DatabaseError) -> str:
    """What to do about a fault of the database."""
    said = next(iter(str(fault).splitlines()), "no reason given")
    if any(word in said for word in NO_FILE_TO_USE):
        return f"The database cannot be used ({said}); look at the disk, and at the rights of DATA_DIR."
    try:
        executor = MigrationExecutor(connection)
    except OperationalError:
        return f"The database cannot be reached ({said}); look at DATABASE_URL and DATA_DIR."
    if newer := newer_than_ours(executor):
        return newer
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return "The database is not up to date; run manage.py migrate first (manage.py up does it by itself)."
    if "locked" in str(fault):
        return "The database is locked by another writer; try again when it is done."
    return ""


def newer_than_ours(executor: MigrationExecutor) -> str:
    """Why a database is none for this version; "" where it knows every change that was made to its tables."""
    known = executor.loader.disk_migrations
    replaced = {name for migration in known.values() for name in migration.replaces}
    apps = {app for app, _ in known}
    newer = [key for key in executor.loader.applied_migrations if key not in known and key not in replaced]
    ours = sorted(f"{app} {name}" for app, name in newer if app in apps)
    if not ours:
        return ""
    return (
        f"The database is of a newer Hardset (it holds {ours[-1]}); start that version, or name another DATA_DIR or "
        "DATABASE_URL."
    )
