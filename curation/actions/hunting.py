"""Documents that may be answers, sent to the judges all at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from curation.actions.refusal import Refused
from curation.models import HardNegative

Found = TypeVar("Found")
AT_ONCE = 100  # documents a press sends: each is a transaction of its own, and somebody waits for the page


@dataclass(frozen=True, slots=True)
class Sent:
    """How many documents were sent, how many are left for the next time, and why others cannot be judged."""

    sent: int
    left: int
    refused: tuple[str, ...]


def send_suspects(
    *,
    suspects: Iterable[HardNegative],
    waiting: Collection[tuple[int, str]],
    send: Callable[[HardNegative], object],
) -> Sent:
    """Send those of `suspects` that do not wait to be judged yet, at most AT_ONCE, in their order.

    `waiting` are (query key, canonical id); `send` raises Refused where nobody can judge the document.
    """
    return send_at_once([each for each in suspects if (each.query_id, each.canonical_id) not in waiting], send)


def send_at_once(fresh: Sequence[Found], send: Callable[[Found], object]) -> Sent:
    """Send the first AT_ONCE of what does not wait to be judged yet; `send` raises Refused where nobody can judge."""
    refused = []
    for each in fresh[:AT_ONCE]:
        try:
            send(each)
        except Refused as refusal:
            refused.append(str(refusal))
    return Sent(len(fresh[:AT_ONCE]) - len(refused), len(fresh[AT_ONCE:]), tuple(refused))
