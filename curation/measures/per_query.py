"""One measure over every query of a set, with the queries a run left out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Judged = TypeVar("Judged")


@dataclass(frozen=True)
class PerQuery:
    """Scores by query id; `missing` are the queries the run holds no list for, which score what nothing scores."""

    scores: Mapping[str, float]
    missing: tuple[str, ...]


def per_query(
    run: Mapping[str, Sequence[str]],
    judged: Mapping[str, Judged],
    measure: Callable[[Sequence[str], Judged], float | None],
) -> PerQuery:
    """Score every judged query of a set against a run.

    Args:
        run: query id to the canonical ids of its ranked documents.
        judged: query id to what the measure compares with: the gold canonical id, or the relevant ones.
        measure: scores one ranked list; a query it answers None for is left out of the scores and of `missing`.
    """
    found = {query: measure(run.get(query, ()), against) for query, against in judged.items()}
    scores = {query: score for query, score in found.items() if score is not None}
    return PerQuery(scores=scores, missing=tuple(query for query in scores if query not in run))
