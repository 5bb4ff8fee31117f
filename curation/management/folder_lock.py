"""One supervisor for one data folder."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError


@contextmanager
def locked(folder: Path, *, holder: str) -> Iterator[None]:
    """Hold `folder` while the block runs; `holder` says in words who does. The kernel lets go when we end.

    Raises:
        CommandError: another supervisor holds it.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / "up.lock").open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            file.seek(0)
            raise CommandError(
                f"Hardset is up on this data folder already ({file.read().strip()}): {folder.parent}. "
                "Stop it first, or give this one another DATA_DIR and --port."
            ) from fault
        file.truncate(0)
        file.write(holder)
        file.flush()
        yield
