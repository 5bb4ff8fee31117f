"""The programs that `up` keeps alive: each with its log, started again when it ends, stopped within its time."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from curation.management.parents import die_with_parent

LONGEST_PAUSE = 30.0  # seconds between two starts of a program that keeps ending
SETTLED = 60.0  # after so many seconds a program counts as well, and its next end as the first


@dataclass
class Child:
    """One program.

    `answers` tells whether it is ready, `patience` is how many seconds it may take to stop, and `dies_by` is the
    signal it gets when we end without a word.
    """

    name: str
    words: Sequence[str]
    log: Path
    patience: float
    answers: Callable[[], bool] = lambda: True
    dies_by: signal.Signals = signal.SIGKILL
    _running: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    _started: float = 0.0
    _ends: int = 0
    _start_at: float = 0.0

    def start(self) -> None:
        """Start it in a session of its own, so that a Ctrl-C reaches the supervisor alone."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        bound = partial(die_with_parent, os.getpid(), by=self.dies_by)
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(  # noqa: S603  (our own command lines, no shell)
                self.words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=bound,  # noqa: PLW1509  (the supervisor has no threads)
            )
        self._started = time.monotonic()

    def keep(self, say: Callable[[str], None]) -> None:
        """Look after it once: where it has ended, start it again after a pause that doubles each time."""
        now = time.monotonic()
        if self._running is not None:
            code = self._running.poll()
            if code is None:
                return
            self._ends = 1 if now - self._started > SETTLED else self._ends + 1
            pause = min(2.0 ** (self._ends - 1), LONGEST_PAUSE)
            self._running, self._start_at = None, now + pause
            say(f"The {self.name} ended ({code}); it starts again in {pause:.0f} s. Its log: {self.log}")
        elif now >= self._start_at:
            self.start()

    def stop(self) -> None:
        """Ask it to stop; where it takes longer than its patience, end it and all it started."""
        if self._running is None:
            return
        self._running.terminate()
        try:
            self._running.wait(self.patience)
        except subprocess.TimeoutExpired:
            os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()
        self._running = None
