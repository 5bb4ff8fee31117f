"""The one GROUP BY behind every board: how many queries each stratum holds, and how many of them a run found.

House rule "Counted": n = JUDGED queries with at least one relevant qrel that somebody settled (AGREED, ADJUDICATED,
IMPORTED or VARIANT). A query judged without any relevant document is in no n and is shown apart as "no answer".
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.expressions import Combinable

from curation.models import Corpus, Qrel, Query, QueryScore, RankedRun

DIMENSIONS = ("query_language", "corpus_language", "script", "query_type", "slice")
COUNTING_SOURCES = (Qrel.Source.AGREED, Qrel.Source.ADJUDICATED, Qrel.Source.IMPORTED, Qrel.Source.VARIANT)


@dataclass(frozen=True, slots=True)
class StratumCount:
    """One stratum's counts: a run answers `answered` of its n queries and finds `hits`; None where no run was asked."""

    query_language: str
    corpus_language: str
    script: str
    query_type: str
    slice: str
    use: str
    planned: int
    n: int
    ready: int
    no_answer: int
    hits: int | None = None
    answered: int | None = None

    @property
    def dimensions(self) -> dict[str, str]:
        """The stratum's place, dimension by dimension."""
        return dict(zip(DIMENSIONS, self.key(DIMENSIONS), strict=True))

    def key(self, by: tuple[str, ...]) -> tuple[str, ...]:
        """The stratum's place in a grid crossed by the dimensions `by`."""
        return tuple(getattr(self, dimension) for dimension in by)


def relevant(corpus: Corpus) -> Exists:
    """Whether the query has a relevant qrel of any source."""
    return Exists(Qrel.objects.filter(query=OuterRef("pk"), grade__gte=corpus.relevant_from))


def counted(corpus: Corpus) -> Exists:
    """Whether the query has a relevant qrel that counts."""
    return Exists(
        Qrel.objects.filter(query=OuterRef("pk"), grade__gte=corpus.relevant_from, source__in=COUNTING_SOURCES)
    )


def found(run: RankedRun, k: int) -> Exists:
    """Whether `run` has the query's gold document among its first `k` documents."""
    return Exists(QueryScore.objects.filter(run=run, query=OuterRef("pk"), gold_rank__lte=k))


def answered(run: RankedRun) -> Exists:
    """Whether `run` answers the query at all."""
    return Exists(QueryScore.objects.filter(run=run, query=OuterRef("pk")))


def missing_from(corpus: Corpus, run: RankedRun) -> list[str]:
    """External ids of the counted queries that `run` does not answer, sorted; they score 0."""
    judged = Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED)
    return sorted(judged.filter(counted(corpus), ~answered(run)).values_list("external_id", flat=True))


def stratum_counts(corpus: Corpus, *, run: RankedRun | None = None, k: int = 10) -> list[StratumCount]:
    """Every stratum of `corpus` that holds or plans queries, in one SQL query, ordered by its dimensions.

    A counted query that is missing from `run` counts as not found (house rule: it scores 0 and is listed).
    """
    judged = Q(status=Query.Status.JUDGED)
    queries = Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED)
    queries = queries.annotate(is_counted=counted(corpus), has_relevant=relevant(corpus))
    counts: dict[str, Combinable] = {
        "n": Count("pk", filter=judged & Q(is_counted=True)),
        "ready": Count("pk", filter=Q(status=Query.Status.READY)),
        "no_answer": Count("pk", filter=judged & Q(has_relevant=False)),
    }
    if run is not None:
        queries = queries.annotate(is_found=found(run, k), is_answered=answered(run))
        counts["hits"] = Count("pk", filter=judged & Q(is_counted=True, is_found=True))
        counts["answered"] = Count("pk", filter=judged & Q(is_counted=True, is_answered=True))
    dimensions = {name: F(f"stratum__{name}") for name in (*DIMENSIONS, "use", "planned")}
    rows = queries.values("stratum_id", **dimensions).annotate(**counts).values("stratum_id", *dimensions, *counts)
    held = {row.pop("stratum_id"): StratumCount(**row) for row in rows}
    return sorted([*held.values(), *planned_only(corpus, held=set(held), measured=run is not None)], key=order)


def planned_only(corpus: Corpus, *, held: set[int], measured: bool) -> list[StratumCount]:
    """Strata that are planned and hold no query yet."""
    rows = corpus.strata.filter(planned__gt=0).exclude(pk__in=held).values(*DIMENSIONS, "use", "planned")
    none = 0 if measured else None
    return [StratumCount(**row, n=0, ready=0, no_answer=0, hits=none, answered=none) for row in rows]


def order(count: StratumCount) -> tuple[str, ...]:
    """The order strata are listed in."""
    return count.key(DIMENSIONS)
