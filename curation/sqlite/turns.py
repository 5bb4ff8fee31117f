"""A queue of threads, of which one at a time has its turn."""

from __future__ import annotations

from collections import deque
from threading import Lock


class Turns:
    """A lock whose waiters are woken in the order they came."""

    def __init__(self) -> None:
        self._guard, self._taken, self._waiting = Lock(), False, deque[Lock]()

    @property
    def waiting(self) -> int:
        """How many stand in the queue."""
        return len(self._waiting)

    def acquire(self, timeout: float) -> bool:
        """Wait for the turn; False where it does not come within `timeout` seconds."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            mine = Lock()
            mine.acquire()
            self._waiting.append(mine)
        try:
            if mine.acquire(timeout=timeout):
                return True
        except BaseException:  # a cancel ended the wait: a turn handed to it would never be given back
            if not self._left(mine):
                self.release()
            raise
        return not self._left(mine)

    def _left(self, mine: Lock) -> bool:
        """Leave the queue; False where the turn came at the last moment."""
        with self._guard:
            if mine not in self._waiting:
                return False
            self._waiting.remove(mine)
            return True

    def release(self) -> None:
        """Hand the turn to whoever waits longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
