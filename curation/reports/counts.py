"""The one GROUP BY behind every board: how many queries each stratum holds, and how many of them a run found.

House rule "Counted": n = JUDGED queries with at least one relevant qrel that somebody settled (AGREED, ADJUDICATED,
IMPORTED or VARIANT). A query judged without any relevant document is in no n and is shown apart as "no answer"; so is
one whose relevant documents are all gone from the corpus, as "answer gone".
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable

from curation.models import Corpus, Qrel, Query, QueryScore, RankedRun

from .moves import gone_articles

DIMENSIONS = ("query_language", "corpus_language", "script", "query_type", "slice")
COUNTING_SOURCES = (Qrel.Source.AGREED, Qrel.Source.ADJUDICATED, Qrel.Source.IMPORTED, Qrel.Source.VARIANT)


@dataclass(frozen=True, slots=True)
class StratumCount:
    """One stratum's counts: a run answers `answered` of its n queries and finds `hits`; None where no run was asked."""

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

    @property
    def dimensions(self) -> dict[str, str]:
        """The stratum's place, dimension by dimension."""
        return dict(zip(DIMENSIONS, self.key(DIMENSIONS), strict=True))

    def key(self, by: tuple[str, ...]) -> tuple[str, ...]:
        """The stratum's place in a grid crossed by the dimensions `by`."""
        return tuple(getattr(self, dimension) for dimension in by)


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


def missing_from(corpus: Corpus, run: RankedRun) -> list[str]:
    """External ids of the counted queries that `run` does not answer, sorted; they score 0."""
    judged = Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED)
    return sorted(judged.filter(counted(corpus), ~answered(run)).values_list("external_id", flat=True))


def stratum_counts(corpus: Corpus, *, run: RankedRun | None = None, k: int = 10) -> list[StratumCount]:
    """Every stratum of `corpus` that holds or plans queries, in one SQL query, ordered by its dimensions.

    A counted query that is missing from `run` counts as not found (house rule: it scores 0 and is listed).
    """
    judged, pk = Q(queries__status=Query.Status.JUDGED), "queries__pk"
    asked = {"is_counted": counted(corpus, pk), "has_relevant": relevant(corpus, pk)}
    counts: dict[str, Combinable] = {
        "n": Count(pk, filter=judged & Q(is_counted=True)),
        "ready": Count(pk, filter=Q(queries__status=Query.Status.READY)),
        "no_answer": Count(pk, filter=judged & Q(has_relevant=False)),
    }
    if run is not None:
        asked |= {"is_found": found(run, k, pk), "is_answered": answered(run, pk)}
        counts["hits"] = Count(pk, filter=judged & Q(is_counted=True, is_found=True))
        counts["answered"] = Count(pk, filter=judged & Q(is_counted=True, is_answered=True))
    own = {name: F(name) for name in (*DIMENSIONS, "use", "planned")}
    held = ~Q(queries__status=Query.Status.RETIRED) & Q(queries__isnull=False)
    rows = corpus.strata.annotate(**asked).order_by().values(*own, stratum_id=F("pk")).annotate(**counts)
    standing = rows.annotate(held=Count(pk, filter=held)).filter(Q(planned__gt=0) | Q(held__gt=0))
    return sorted((StratumCount(**row) for row in standing.values("stratum_id", *own, *counts)), key=order)


def order(count: StratumCount) -> tuple[str, ...]:
    """The order strata are listed in."""
    return count.key(DIMENSIONS)
