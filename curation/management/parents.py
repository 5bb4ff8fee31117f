"""Children that end with their parent, even when it is killed without a word."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def die_with_parent(parent: int, *, by: signal.Signals = signal.SIGKILL) -> None:
    """Let the kernel send this program `by` when its `parent` (a pid) ends; called right after the fork.

    Linux alone can do it; elsewhere nothing happens.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, by, 0, 0, 0)
        if os.getppid() != parent:  # it ended before the kernel was told
            os.kill(os.getpid(), by)
