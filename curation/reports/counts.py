"""The one GROUP BY behind every board: how many queries each stratum holds, and how many of them a run found.

House rule "Counted": n = JUDGED queries with at least one relevant qrel that somebody settled (AGREED, ADJUDICATED,
IMPORTED or VARIANT). A query judged without any relevant document is in no n and is shown apart as "no answer"; so is
one whose relevant documents are all gone from the corpus, as "answer gone".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, reduce
from math import inf
from operator import attrgetter, or_
from typing import Any

from django.db.models import Count, Exists, F, FilteredRelation, Max, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest

from curation.measures.depth import POOL_DEPTH, JudgedDepth
from curation.models import Corpus, Document, PoolKind, Qrel, Query, QueryScore, RankedRun, Stratum

from .footing import Footing
from .moves import gone_articles, on_changed_text
from .rows import Rows, beside_sums

DIMENSIONS = ("query_language", "corpus_language", "script", "query_type", "slice")
NOTHING = Footing()
COUNTING_SOURCES = (Qrel.Source.AGREED, Qrel.Source.ADJUDICATED, Qrel.Source.IMPORTED, Qrel.Source.VARIANT)


@dataclass(frozen=True, slots=True)
class StratumCount:
    """One stratum's counts: a run answers `answered` of its n queries and finds `hits`; None where no run was asked.

    The same of a second run is `beside_answered` and `beside_hits`. `footing` tells what the n queries rest on.
    """

    stratum_id: int
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
    beside_hits: int | None = None
    beside_answered: int | None = None
    footing: Footing = NOTHING
    priority: int = 0
    pool_kind: str = PoolKind.EXACT50

    @property
    def rank(self) -> float:
        """Its place among equally empty strata: priority 1 before 2, none (0) after all."""
        return self.priority or inf

    @property
    def dimensions(self) -> dict[str, str]:
        """The stratum's place, dimension by dimension."""
        return dict(zip(DIMENSIONS, self.key(DIMENSIONS), strict=True))

    def key(self, by: tuple[str, ...]) -> tuple[str, ...]:
        """The stratum's place in a grid crossed by the dimensions `by`."""
        return place_in(by)(self)


@cache
def place_in(by: tuple[str, ...]) -> Callable[[StratumCount], tuple[str, ...]]:
    """What tells a stratum's place in a grid crossed by `by`; a board asks it ten times of each stratum."""
    if len(by) == 1:
        [dimension] = by
        return lambda count: (getattr(count, dimension),)
    return attrgetter(*by)


def relevant(corpus: Corpus, query: str = "pk") -> Exists:
    """Whether the query has a relevant qrel of any source, its documents gone or not.

    `query` is where the outer rows name their query, here and below.
    """
    return Exists(Qrel.objects.filter(query=OuterRef(query), grade__gte=corpus.relevant_from))


def counted(corpus: Corpus, query: str = "pk") -> Exists:
    """Whether the query has a relevant qrel that counts, of an article that stands."""
    return Exists(_answers(corpus, query).exclude(canonical_id__in=gone_articles(corpus)))


def answer_gone(corpus: Corpus) -> Q:
    """Whether the query has relevant qrels that would count, and each is of an article that is gone."""
    return Q(Exists(_answers(corpus, "pk"))) & ~Q(counted(corpus))


def _answers(corpus: Corpus, query: str) -> QuerySet[Qrel]:
    counting = Qrel.objects.filter(source__in=COUNTING_SOURCES, grade__gte=corpus.relevant_from)
    return counting.filter(query=OuterRef(query))


def found(run: RankedRun, k: int, query: str = "pk") -> Exists:
    """Whether `run` has the query's gold document among its first `k` documents."""
    return Exists(QueryScore.objects.filter(run=run, query=OuterRef(query), gold_rank__lte=k))


def answered(run: RankedRun, query: str = "pk") -> Exists:
    """Whether `run` answers the query at all."""
    return Exists(QueryScore.objects.filter(run=run, query=OuterRef(query)))


def missing_from(corpus: Corpus, runs: Sequence[RankedRun]) -> list[str]:
    """External ids of the counted queries that one of `runs` (at least one) does not answer, sorted; they score 0."""
    judged = Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED)
    lacking = reduce(or_, (~Q(answered(run)) for run in runs))
    return sorted(judged.filter(lacking, counted(corpus)).values_list("external_id", flat=True))


def graded(corpus: Corpus, qrels: QuerySet[Qrel]) -> QuerySet[Qrel, Any]:
    """`qrels` that count, grouped by their judged queries: how deep each was judged, what is known of its answers."""
    is_relevant = Q(grade__gte=corpus.relevant_from)
    is_gone = Q(canonical_id__in=gone_articles(corpus))
    counting = qrels.filter(query__status=Query.Status.JUDGED, source__in=COUNTING_SOURCES).order_by()
    return counting.values("query_id", stratum_id=F("query__stratum_id")).annotate(
        deep=Greatest(Coalesce(Max("judged_depth"), 0), Count("pk")),
        positives=Count("pk", filter=is_relevant & ~is_gone),
        changed=Count("pk", filter=is_relevant & on_changed_text()),
        gone=Count("pk", filter=is_relevant & is_gone),
        articles=_articles(corpus),
        judged_at=Min("query__judged_at"),
    )


def _articles(corpus: Corpus) -> Rows:
    """How many articles the corpus holds, counted no further than a pool is deep."""
    standing = Document.objects.filter(corpus=corpus, gone_at=None).order_by()
    return Rows(standing.values("canonical_id").distinct()[:POOL_DEPTH])


COUNTED = "COUNT(*) FILTER (WHERE positives > 0"
SUMS = {
    "n": f"{COUNTED})",
    "judged": "SUM(deep) FILTER (WHERE positives > 0)",
    "positives": "SUM(positives)",
    "shallow": f"{COUNTED} AND deep < CASE articles WHEN 0 THEN {POOL_DEPTH} ELSE articles END)",
    "changed": f"{COUNTED} AND changed > 0)",
    "gone": "COUNT(*) FILTER (WHERE positives = 0 AND gone > 0)",
}
"""What a stratum's counted queries rest on, over the rows of `graded`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked beside the counts: hits of a run among the first `k` documents, and of a second run `beside` it.

    Of each of `moments`: how many of the counted queries were judged before it.
    """

    run: RankedRun | None = None
    k: int = 10
    beside: RankedRun | None = None
    moments: Sequence[datetime] = ()

    @property
    def runs(self) -> dict[str, RankedRun]:
        """Each run by what its columns start with."""
        given = {"": self.run, "beside_": self.beside}
        return {name: run for name, run in given.items() if run is not None}


def stratum_counts(
    corpus: Corpus, *, run: RankedRun | None = None, k: int = 10, asked: Asked | None = None
) -> list[StratumCount]:
    """Every stratum of `corpus` that holds or plans queries, in one SQL query, ordered by its dimensions.

    A counted query that is missing from a run counts as not found (house rule: it scores 0 and is listed).
    """
    asked = asked or Asked(run=run, k=k)
    groups, sums = graded(corpus, Qrel.objects.filter(query__corpus=corpus)), dict(SUMS)
    for name, each in asked.runs.items():
        groups = groups.annotate(**{f"{name}answer": answers_of(each)})
        groups = groups.annotate(
            **{f"{name}of": Min(f"{name}answer__pk"), f"{name}rank": Min(f"{name}answer__gold_rank")}
        )
        sums[f"{name}hits"] = f"{COUNTED} AND {name}rank <= {asked.k:d})"
        sums[f"{name}answered"] = f"{COUNTED} AND {name}of IS NOT NULL)"
    before = [f"before_{place}" for place in range(len(asked.moments))]
    sums |= dict.fromkeys(before, f"{COUNTED} AND (judged_at IS NULL OR judged_at < %s))")
    rows = beside_sums(_standing(corpus), groups, sums, on="stratum_id", moments=asked.moments)
    return sorted((_count(row, runs=asked.runs, before=before) for row in rows), key=order)


def answers_of(run: RankedRun) -> FilteredRelation:
    """The one answer of `run` to each qrel's query."""
    return FilteredRelation("query__scores", condition=Q(query__scores__run=run, query__scores__k=run.k))


def _standing(corpus: Corpus) -> QuerySet[Stratum, Any]:
    """The strata that hold or plan queries, with those that are in no n."""
    pk, status = "queries__pk", "queries__status"
    judged, held = Q(**{status: Query.Status.JUDGED}), Q(queries__isnull=False) & ~Q(**{status: Query.Status.RETIRED})
    plan = ("use", "planned", "priority", "pool_kind")
    own = Stratum.objects.filter(corpus=corpus).order_by().values(*DIMENSIONS, *plan, stratum_id=F("pk"))
    counts: dict[str, Any] = {
        "ready": Count(pk, filter=Q(**{status: Query.Status.READY})),
        "no_answer": Count(pk, filter=judged & ~Q(relevant(corpus, pk))),
        "held": Count(pk, filter=held),
    }
    counted_by: QuerySet[Stratum, Any] = own.annotate(**counts)
    return counted_by.filter(Q(planned__gt=0) | Q(held__gt=0))


def _count(row: dict[str, Any], *, runs: Mapping[str, RankedRun], before: Sequence[str]) -> StratumCount:
    """A row of strata with its sums; nothing is NULL but what a run that was not asked would say."""
    told = {name: int(row.pop(name) or 0) for name in (*SUMS, *before)}  # PostgreSQL sums to a Decimal
    of_runs: dict[str, Any] = {
        f"{name}{what}": int(row.pop(f"{name}{what}") or 0) for name in runs for what in ("hits", "answered")
    }
    row.pop("held")
    footing = Footing(
        JudgedDepth(told["n"], told["judged"], told["positives"], told["shallow"]),
        on_changed_text=told["changed"],
        answer_gone=told["gone"],
        grown=tuple([told[name] for name in before]),
    )
    return StratumCount(**row, **of_runs, n=told["n"], footing=footing)


def order(count: StratumCount) -> tuple[str, ...]:
    """The order strata are listed in."""
    return count.key(DIMENSIONS)
