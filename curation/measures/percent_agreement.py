"""How often people who graded the same document said the same. Says nothing of how often chance would."""

from __future__ import annotations

from dataclasses import dataclass

from curation.measures.ratings import Counts, told_twice


@dataclass(frozen=True)
class PercentAgreement:
    """Counts of what at least two people graded.

    Of `units` documents all people said the same on `unanimous`; of `pairs` of opinions (three people on a document
    make three) `agree` are equal.
    """

    units: int
    unanimous: int
    pairs: int
    agree: int

    @property
    def share(self) -> float | None:
        """The equal pairs among all; None without one."""
        return self.agree / self.pairs if self.pairs else None

    @property
    def unanimous_share(self) -> float | None:
        """The documents of one mind among all; None without one."""
        return self.unanimous / self.units if self.units else None


def percent_agreement(counts: Counts) -> PercentAgreement:
    """Count agreement in a table of documents by categories (`ratings.Counts`).

    Raises:
        MeasureRefused: `counts` is no table of counts.
    """
    told = told_twice(counts)
    people = told.sum(axis=1)
    return PercentAgreement(
        units=len(told),
        unanimous=int((told.max(axis=1, initial=0) == people).sum()),
        pairs=int((people * (people - 1) // 2).sum()),
        agree=int((told * (told - 1) // 2).sum()),
    )
