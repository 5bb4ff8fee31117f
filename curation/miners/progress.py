"""How a miner says how far it is, and is told to stop."""

from collections.abc import Callable

# Called with steps done and steps in all. Whatever it raises ends the mining: that is how a run is cancelled.
Progress = Callable[[int, int], None]


def silent(_done: int, _total: int) -> None:
    """For callers that do not watch."""


def wanted() -> None:
    """For work that nobody calls off."""
