"""How deep a query was judged, and from which depth on its recall is more than a lower bound.

A relevant document that nobody looked at counts as not found wherever it ranks, so recall over a shallow pool can only
be too low: Buckley and Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004.
"""

from dataclasses import dataclass

POOL_DEPTH = 50


@dataclass(frozen=True, slots=True)
class JudgedDepth:
    """How deep the `queries` under a figure were judged: documents `judged` and `positives` summed over them.

    `shallow` of them are judged less deep than needed.
    """

    queries: int = 0
    judged: int = 0
    positives: int = 0
    shallow: int = 0

    @property
    def is_lower_bound(self) -> bool:
        """Whether recall over these queries may be too low for want of judgments."""
        return self.shallow > 0

    @property
    def mean_judged(self) -> float | None:
        """Documents judged a query; None where there is no query."""
        return self.judged / self.queries if self.queries else None

    @property
    def mean_positives(self) -> float | None:
        """Relevant answers a query; None where there is no query."""
        return self.positives / self.queries if self.queries else None


def depth_needed(articles: int) -> int:
    """The documents that must be judged of a query before its pool is deep: 50, or all that the corpus holds.

    A corpus of which no document is known (`articles` 0) needs 50 like any other.
    """
    return min(POOL_DEPTH, articles) if articles else POOL_DEPTH


def depth_of(judged: int, positives: int, *, articles: int) -> JudgedDepth:
    """The depth of one query."""
    return JudgedDepth(1, judged, positives, shallow=int(is_shallow(judged, articles=articles)))


def is_shallow(judged: int, *, articles: int) -> bool:
    """Whether a query's pool is shallow: so is one that is still open, and a lone gold from a file (depth 1)."""
    return judged < depth_needed(articles)
