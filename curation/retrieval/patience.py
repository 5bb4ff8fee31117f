"""How long a server is waited for, and how often it is asked again."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server is waited for: `timeout_s` seconds an attempt, `attempts` of them.

    `pause_s` seconds pass before the second attempt, and twice as long before each further one.
    """

    timeout_s: float = 10.0
    attempts: int = 3
    pause_s: float = 0.5


PATIENCE = Patience()


def attempt(
    call: Callable[[], Answer],
    *,
    again: tuple[type[Exception], ...],
    patience: Patience = PATIENCE,
    sleep: Callable[[float], object] = time.sleep,
) -> Answer:
    """The answer of `call`, which is tried again after a fault of the kinds `again`; the last fault is raised.

    `call` holds itself to `patience.timeout_s`, and must be safe to repeat.
    """
    for done in range(1, patience.attempts):
        try:
            return call()
        except again:
            sleep(patience.pause_s * 2 ** (done - 1))
    return call()
