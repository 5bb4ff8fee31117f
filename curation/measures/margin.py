"""How far the best relevant document of a query stands above its best hard negative, in the scores of one index."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import mean, median


@dataclass(frozen=True)
class Margins:
    """The margins of several queries.

    `n` queries have one, with their `mean` and `median` (None of no query); of `unranked` others the index does not
    rank a relevant document deep enough to score it, so they are harder than any that has a margin.
    """

    n: int
    mean: float | None
    median: float | None
    unranked: int


def margin(
    answer: Sequence[tuple[str, float]], *, relevant: Collection[str], negatives: Collection[str]
) -> float | None:
    """Return best relevant score minus best negative score; None where the answer lacks one of the two.

    Args:
        answer: (canonical id, score) of each document, best first.
        relevant: canonical ids that are settled as relevant.
        negatives: canonical ids of the query's hard negatives.
    """
    best_relevant = next((score for canonical, score in answer if canonical in relevant), None)
    best_negative = next((score for canonical, score in answer if canonical in negatives), None)
    if best_relevant is None or best_negative is None:
        return None
    return best_relevant - best_negative


def margins(found: Collection[float | None]) -> Margins:
    """Sum up the margins of queries that have hard negatives; None stands for an unranked one."""
    known = [value for value in found if value is not None]
    return Margins(
        n=len(known),
        mean=mean(known) if known else None,
        median=median(known) if known else None,
        unranked=len(found) - len(known),
    )
