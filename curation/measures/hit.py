"""hit@10, the measure of boards: is the gold document among the first ten.

Documents are given as the canonical ids they render, in the order of the run: a translation of the gold article
is a hit, and the list is cut at ten documents before ids are compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from curation.measures.refusals import MeasureRefused
from curation.measures.targets import Status, Use, cell_status
from curation.measures.wilson import wilson

CI_KIND = "wilson"
DEPTH = 10


@dataclass(frozen=True)
class CellScore:
    """What one cell of a board shows: score and 95 % interval are None unless it is reported."""

    n: int
    status: Status
    score: float | None
    ci: tuple[float, float] | None


def gold_rank(ranked_canonicals: Sequence[str], gold: str) -> int | None:
    """Return the rank (from 1) of the first document with the gold canonical id, None where there is none."""
    return next((rank for rank, canonical in enumerate(ranked_canonicals, 1) if canonical == gold), None)


def is_hit(rank: int | None, *, k: int = DEPTH) -> bool:
    """Tell whether a gold rank lies among the first k documents.

    Raises:
        MeasureRefused: k is below 1.
    """
    if k < 1:
        raise MeasureRefused(f"A depth of {k} documents holds no hit; the least depth is 1.")
    return rank is not None and rank <= k


def cell_score(hits: int | None, n: int, *, use: Use) -> CellScore:
    """Return what a cell of `n` counted queries shows; `hits` is None where no run scored it.

    Raises:
        MeasureRefused: hits is below 0 or above n.
    """
    status = cell_status(n, use, measured=hits is not None)
    if hits is None or status != "reported":
        return CellScore(n=n, status=status, score=None, ci=None)
    return CellScore(n=n, status=status, score=hits / n, ci=wilson(hits, n))
