"""The partition: every query that stands lies in one slice, and the slices together are all of them.

The database holds it (a query has one stratum, a stratum has one slice, neither may be empty); this report counts
both sides apart, so that whoever reads it need not believe that.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q

from curation.models import Corpus, Query, Slice


@dataclass(frozen=True, slots=True)
class SliceCount:
    """One slice: how many queries that stand it holds, and where they came from (origin → count)."""

    slice: str
    n: int
    origins: dict[str, int]


@dataclass(frozen=True, slots=True)
class Partition:
    """The slices, the number of queries counted without them, and how many lie in a stratum of another corpus."""

    slices: tuple[SliceCount, ...]
    queries: int
    astray: int

    @property
    def summed(self) -> int:
        """The queries of all slices."""
        return sum(each.n for each in self.slices)

    @property
    def holds(self) -> bool:
        """Whether the slices sum to all queries, with none astray."""
        return self.summed == self.queries and not self.astray

    @property
    def words(self) -> str:
        """The sum as it is shown: "distinctive 120 + near_duplicate 40 = 160"."""
        return f"{' + '.join(f'{each.slice} {each.n:,}' for each in self.slices)} = {self.summed:,}"

    @property
    def fault(self) -> str:
        """What is wrong where it does not hold: one sentence."""
        held = f"The slices hold {self.summed:,} of {self.queries:,} queries"
        return f"{held}; {self.astray:,} lie in a stratum of another corpus."

    def as_json(self) -> dict[str, Any]:
        """The counts as a mining run keeps them."""
        return {**{each.slice: each.n for each in self.slices}, "queries": self.queries, "astray": self.astray}


def partition_of(corpus: Corpus) -> Partition:
    """Count the queries that are not retired by slice and origin, and apart from that all together; two SQL queries."""
    standing = Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED)
    origins: defaultdict[str, dict[str, int]] = defaultdict(dict)
    counted = standing.values_list("stratum__slice", "origin").order_by("stratum__slice", "origin")
    for name, origin, count in counted.annotate(n=Count("pk")):
        origins[name][Query.Origin(origin).label.lower()] = count
    slices = tuple(SliceCount(name, sum(origins[name].values()), origins[name]) for name in Slice.values)
    astray = Count("pk", filter=~Q(stratum__corpus=F("corpus")))
    return Partition(slices, **standing.aggregate(queries=Count("pk"), astray=astray))
