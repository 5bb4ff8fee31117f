"""The plan of a corpus: every stratum with what is planned for it and what it has."""

from __future__ import annotations

from dataclasses import dataclass

from curation.models import Corpus, Stratum

from .counts import DIMENSIONS, stratum_counts
from .places import key_of


@dataclass(frozen=True, slots=True)
class Planned:
    """A stratum, and how many wordings it has: judged and counted, or ready."""

    stratum: Stratum
    have: int

    @property
    def dimensions(self) -> dict[str, str]:
        """The stratum's place, dimension by dimension."""
        return key_of(self.stratum).dimensions


def plan_of(corpus: Corpus) -> list[Planned]:
    """The corpus's strata in the order of their dimensions."""
    have = {count.key(DIMENSIONS): count.n + count.ready for count in stratum_counts(corpus)}
    return [Planned(stratum, have.get(key_of(stratum), 0)) for stratum in corpus.strata.order_by(*DIMENSIONS)]
