"""Whether what is read still fits into memory: asked meanwhile, for where it runs out the system kills us.

Linux alone tells; elsewhere nothing is refused.
"""

from __future__ import annotations

import resource
from pathlib import Path

from curation.actions.refusal import Refused

# At its peak an import takes up to so many times what its rows take once they are read (docs/guide/operator.md).
AT_PEAK = 7
_MIB = 1 << 20
_PROCESS, _MACHINE, _GROUP = Path("/proc/self/statm"), Path("/proc/meminfo"), Path("/sys/fs/cgroup")


class Room:
    """The memory that is left for the rows of one file."""

    def __init__(self) -> None:
        self._before = resident()

    def require(self, rows: int) -> None:
        """Refuse to read on where the import of the `rows` read so far would take more than there is.

        Raises:
            Refused: it would.
        """
        taken, free = resident() - self._before, available()
        if free is not None and taken * (AT_PEAK - 1) > free:
            raise Refused(
                f"The file is too large for this machine: its first {rows:,} rows take {taken / _MIB:,.0f} MiB "
                f"of memory, to import them takes up to {AT_PEAK} times as much, and {free / _MIB:,.0f} MiB more are "
                "free. Split the file, or import it where there is more memory."
            )


def resident() -> int:
    """Bytes of memory that this process takes now, 0 where nothing tells."""
    try:
        return int(_PROCESS.read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def available() -> int | None:
    """Bytes that can still be taken, of the machine and of what a container may have; None where nothing tells."""
    found = [free for free in (_of_machine(), _of_group()) if free is not None]
    return min(found, default=None)


def _of_machine() -> int | None:
    try:
        told = dict(line.split(":", 1) for line in _MACHINE.read_text().splitlines())
        return int(told["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError):
        return None


def _of_group() -> int | None:
    """What is left of a container's memory; pages of files that nobody uses count as free, as for the machine."""
    try:
        most, taken = ((_GROUP / name).read_text().strip() for name in ("memory.max", "memory.current"))
        told = dict(line.split(" ", 1) for line in (_GROUP / "memory.stat").read_text().splitlines())
        return None if most == "max" else int(most) - int(taken) + int(told.get("inactive_file", 0))
    except OSError:
        return None
