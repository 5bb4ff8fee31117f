"""What to write next: the planned strata that are furthest below their next count target.

"Furthest" is the smallest share of the goal, which is the next target or the plan where that is less: 0 of 30 comes
before 31 of 100 (docs/adr/0005). A wording counts as soon as it is READY: its judging is other people's work, and
nobody should write the same query twice. So does one that is on the way to it from where the document language is
unknown (`reports.coming`). Of strata at one share, priority 1 comes before 2 and before none, then the larger plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from curation.measures.targets import next_target
from curation.models import Corpus

from .counts import StratumCount, stratum_counts
from .navigation import Visit


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A planned stratum with how many wordings it has (judged, ready or coming).

    Its goal is the next target, or its plan where that is less.
    """

    count: StratumCount
    have: int
    goal: int

    @property
    def dimensions(self) -> dict[str, str]:
        """The stratum's place, dimension by dimension."""
        return self.count.dimensions

    @property
    def missing(self) -> int:
        """How many wordings the goal still takes."""
        return self.goal - self.have

    @property
    def share(self) -> float:
        """How much of the goal is there, 0 to 1."""
        return self.have / self.goal


def shortfalls(corpus: Corpus, *, languages: Collection[str] | None = None) -> list[Shortfall]:
    """Planned strata below their plan, the emptiest first; only those of `languages` where given."""
    return short_of(stratum_counts(corpus), languages=languages)


def short_of(counts: Iterable[StratumCount], *, languages: Collection[str] | None = None) -> list[Shortfall]:
    """The same of strata already counted."""
    short = []
    for count in counts:
        have = count.have
        if have < count.planned and (languages is None or count.query_language in languages):
            short.append(Shortfall(count, have=have, goal=min(next_target(have) or count.planned, count.planned)))
    return sorted(short, key=emptiest_first)


def emptiest_first(short: Shortfall) -> tuple[float, float, int, tuple[str, ...]]:
    """The order strata are written in (docs/adr/0005, docs/adr/0020)."""
    return short.share, short.count.rank, -short.count.planned, short.count.key(ORDER)


def lacking(counts: Iterable[StratumCount]) -> int:
    """How many wordings the plans of these strata still lack."""
    return sum(max(0, count.planned - count.have) for count in counts)


def to_write(visit: Visit) -> str:
    """What the menu says beside Write: how many wordings the plan lacks in the writer's own languages."""
    if not visit.languages:
        return ""
    counts = stratum_counts(visit.corpus) if visit.counts is None else visit.counts
    return f"{lacking(count for count in counts if count.query_language in visit.languages):,}"


ORDER = ("query_language", "corpus_language", "slice", "query_type", "script")
