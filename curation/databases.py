"""The database: PostgreSQL where an address names it, else a file of our own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from curation.environment import env, usable


@usable("DATA_DIR")
def database(folder: Path, url: str) -> dict[str, Any]:
    """PostgreSQL by `url`, or SQLite in `folder` with the settings that survive many writers.

    Raises:
        ImproperlyConfigured: `url` cannot be read, or names another kind of database.
    """
    if not url:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return {"NAME": str(folder / "hardset.sqlite3")} | on_sqlite(folder)
    try:
        chosen: dict[str, Any] = env.db_url_config(url)
    except Exception as fault:  # django-environ raises several kinds
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {fault}.") from fault
    engine = chosen.get("ENGINE", "")
    if engine.endswith("postgresql"):
        return chosen | on_postgresql(chosen.get("OPTIONS", {}))
    if engine.endswith("sqlite3"):
        return chosen | on_sqlite(folder)
    raise ImproperlyConfigured("DATABASE_URL must name PostgreSQL (postgres://…) or SQLite (sqlite:///…).")


def on_postgresql(given: Mapping[str, Any]) -> dict[str, Any]:
    """How PostgreSQL is asked; what the address itself says (`given`: sslmode, options and the like) stands.

    To plan takes longer than to answer: what is asked again is planned once a connection (docs/adr/0014), and nothing
    is compiled for the machine, which took 200 ms of a board and is not kept for the next one.
    """
    own = {"pool": {"min_size": 0, "max_size": 10}, "server_side_binding": True, "prepare_threshold": 5}
    return {"OPTIONS": {"options": "-c jit=off", **given, **own}, "CONN_HEALTH_CHECKS": True}


def on_sqlite(folder: Path) -> dict[str, Any]:
    """How the file is opened: a read that turns into a write cannot wait, it fails at once (docs/adr/0003)."""
    return {
        "ENGINE": "curation.sqlite",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
        "CONN_MAX_AGE": None,  # to open one takes as long as a mark
        "TEST": {"NAME": str(folder / "test.sqlite3")},  # a file: a live server shares it with its test
    }
