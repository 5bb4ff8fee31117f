"""Stopping work at once when its job is lost, also where it is far from its next progress call.

The heart of a job looks each second whether the job is still ours. Where it is not, it sends a signal to the thread
that works, whose handler raises there; Python runs handlers between two steps, so a single long one ends first.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNAL = signal.SIGUSR2


@contextmanager
def stoppable(raises: Callable[[], Exception]) -> Iterator[Callable[[], None]]:
    """Yield a function that another thread calls to make the block raise what `raises` returns.

    Once the block has ended it does nothing. Signals reach the main thread alone, so it does nothing in any other
    thread's block either: such work ends at its next progress call.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    working, worker = True, threading.get_ident()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        if working:
            raise raises()

    before = signal.signal(SIGNAL, stop)
    try:
        yield lambda: signal.pthread_kill(worker, SIGNAL) if working else None
    finally:
        working = False
        if before is not signal.SIG_DFL:
            signal.signal(SIGNAL, before)
