"""Which queries wait for judges: one definition for the list of queries, the board, the plan, the desk and the API.

A READY query on which opinions differ, and that no pool offers any more, waits for a lead's decision alone: nobody can
judge it, so it is not among them.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Exists, OuterRef, Q

from curation.models import Query

from .moves import standing_disputes

Offered = Callable[[str], Q]
"""Whether a pool still offers a query to judges; told where the outer rows name their query."""
_offered: list[Offered] = []
Doubted = Callable[[str, int | None], Q]
"""Whether somebody could not decide a query, for a reader by their key; told where the rows name their query."""
_doubted: list[Doubted] = []


def add_offered(offered: Offered) -> None:
    """Let an app say which queries it still offers to judges; it says so when it starts."""
    _offered[:] = [offered]


def add_doubted(doubted: Doubted) -> None:
    """Let an app say which queries somebody could not decide; it says so when it starts."""
    _doubted[:] = [doubted]


def doubted(reader: int | None) -> Q:
    """Whether somebody could not decide a query; of one that `reader` is judging that is not told."""
    told = Q(pk=None)
    for each in _doubted:
        told |= each("pk", reader)
    return told


def to_judge(query: str = "") -> Q:
    """Whether a query waits to be judged; `query` leads from the outer rows to it."""
    return Q(**{f"{query}status": Query.Status.READY}) & ~_decision_alone(f"{query}pk")


def to_decide(query: str = "") -> Q:
    """Whether a READY query waits for a lead's decision alone."""
    return Q(**{f"{query}status": Query.Status.READY}) & _decision_alone(f"{query}pk")


def _decision_alone(key: str) -> Q:
    told = Q(Exists(standing_disputes().filter(query=OuterRef(key))))
    for offered in _offered:
        told &= ~offered(key)
    return told
