"""The one GROUP BY behind every board: how many queries each stratum holds, and how many of them a run found.

House rule "Counted": n = JUDGED queries with at least one relevant qrel that somebody settled (AGREED, ADJUDICATED,
IMPORTED or VARIANT). A query judged without any relevant document is in no n and is shown apart as "no answer"; so is
one whose relevant documents are all gone from the corpus, as "answer gone".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, reduce
from math import inf
from operator import attrgetter, or_
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import Exact

from curation.measures.depth import POOL_DEPTH, JudgedDepth
from curation.models import Corpus, Document, PoolKind, Qrel, Query, QueryScore, RankedRun, Stratum

from .coming import SHARED, asked_for_others, coming_to
from .footing import Footing
from .moves import gone_articles, on_changed_text
from .places import UNKNOWN_LANGUAGE
from .rows import Rows, Sums, beside_sums

DIMENSIONS = ("query_language", "corpus_language", "script", "query_type", "slice")
NOTHING = Footing()
COUNTING_SOURCES = (Qrel.Source.AGREED, Qrel.Source.ADJUDICATED, Qrel.Source.IMPORTED, Qrel.Source.VARIANT)


@dataclass(frozen=True, slots=True)
class StratumCount:
    """One stratum's counts: a run answers `answered` of its n queries and finds `hits`; None where no run was asked.

    The same of a second run is `beside_answered` and `beside_hits`. `footing` tells what the n queries rest on.
    `coming` queries wait elsewhere on the way to its plan; of its own ready ones `passing` are on the way to other
    plans, and `asked` were written for another cell, planned or not.
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
    asked: int = 0
    coming: int = 0
    passing: int = 0
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
    def waiting(self) -> int:
        """Written queries that are to be judged for it, wherever they wait."""
        return self.ready + self.coming - self.passing

    @property
    def have(self) -> int:
        """Wordings that its plan has: judged and counted, or waiting to be judged for it."""
        return self.n + self.waiting

    @property
    def is_passage(self) -> bool:
        """Whether it holds nothing but what was written for other cells, and nobody planned it."""
        is_unknown = self.corpus_language == UNKNOWN_LANGUAGE
        return is_unknown and not self.planned and not self.n and self.ready == self.asked

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


def graded(corpus: Corpus, queries: QuerySet[Query]) -> QuerySet[Query, Any]:
    """The judged ones of `queries`, each a row: how deep it was judged, what is known of its answers.

    Grouped as the index lists them, by stratum and day first, so that SQLite sorts nothing.
    """
    is_relevant, is_gone = Q(qrels__grade__gte=corpus.relevant_from), Q(qrels__canonical_id__in=gone_articles(corpus))
    settled = Q(~Exact(F("qrels__source"), Qrel.Source.DERIVED))  # the one other source; faster than a list of four
    judged = queries.filter(status=Query.Status.JUDGED).order_by()
    return judged.values("stratum_id", "judged_at", query_id=F("pk")).annotate(
        deep=Greatest(Coalesce(Max("qrels__judged_depth", filter=settled), 0), Count("qrels", filter=settled)),
        relevant=Count("qrels", filter=is_relevant),
        positives=Count("qrels", filter=is_relevant & settled & ~is_gone),
        changed=Count("qrels", filter=is_relevant & settled & on_changed_text("qrels__")),
        answers=Count("qrels", filter=is_relevant & settled),
        articles=_articles(corpus),
    )


def _articles(corpus: Corpus) -> Rows:
    """How many articles the corpus holds, counted no further than a pool is deep."""
    standing = Document.objects.filter(corpus=corpus, gone_at=None).order_by()
    return Rows(standing.values("canonical_id").distinct()[:POOL_DEPTH])


COUNTED = "COUNT(*) FILTER (WHERE positives > 0"
SUMS = {
    "n": f"{COUNTED})",
    "judged": "CAST(SUM(deep) FILTER (WHERE positives > 0) AS BIGINT)",
    "positives": "CAST(SUM(positives) AS BIGINT)",
    "shallow": f"{COUNTED} AND deep < CASE articles WHEN 0 THEN {POOL_DEPTH} ELSE articles END)",
    "changed": f"{COUNTED} AND changed > 0)",
    "gone": "COUNT(*) FILTER (WHERE positives = 0 AND answers > 0)",
    "no_answer": "COUNT(*) FILTER (WHERE relevant = 0)",
}
"""What a stratum's judged queries are and rest on, over the rows of `graded` (PostgreSQL sums to a Decimal)."""
FOOTED = ("judged", "positives", "shallow", "changed", "gone")
OWN = (*DIMENSIONS, "use", "planned", "priority", "pool_kind")


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
    groups, of_runs, answers = graded(corpus, Query.objects.filter(corpus=corpus)), {}, {}
    for name, each in asked.runs.items():
        answers[f"{name}answer"] = answers_of(each)
        of_runs[f"{name}hits"] = f"{COUNTED} AND {name}answer.gold_rank <= {asked.k:d})"
        of_runs[f"{name}answered"] = f"{COUNTED} AND {name}answer.query_id IS NOT NULL)"
    before = [f"before_{place}" for place in range(len(asked.moments))]
    grown = dict.fromkeys(before, f"{COUNTED} AND (judged_at IS NULL OR judged_at < %s))")
    grouped = Sums(groups, "query_id", answers, SUMS | of_runs | grown, moments=asked.moments)
    of_count = ("stratum_id", *OWN, "ready", "asked", "coming", "n", "no_answer", *of_runs)
    rows = beside_sums(_standing(corpus), grouped, on="stratum_id", told=(*of_count, *FOOTED, *before))
    return sorted(_on_the_way([*map(_counting(of_count), rows)]), key=order)


def _on_the_way(counts: Sequence[StratumCount]) -> list[StratumCount]:
    """The counts with each query that is on the way to a plan counted for that plan alone."""
    leaving: Counter[tuple[str, ...]] = Counter()
    shared = place_in(SHARED)
    for each in counts:
        leaving[shared(each)] += each.coming if each.planned else 0
    told = []
    for each in counts:
        coming = each.coming if each.planned else 0
        passing = leaving[shared(each)] if each.corpus_language == UNKNOWN_LANGUAGE else 0
        is_same = (coming, passing) == (each.coming, each.passing)
        told.append(each if is_same else replace(each, coming=coming, passing=passing))
    return told


def answers_of(run: RankedRun) -> QuerySet[QueryScore, Any]:
    """The one answer of `run` to each query."""
    return QueryScore.objects.filter(run=run, k=run.k).values("query_id", "gold_rank")


def _standing(corpus: Corpus) -> QuerySet[Stratum, Any]:
    """The strata that hold or plan queries, with those that are in no n."""
    queries = Query.objects.filter(stratum=OuterRef("pk")).order_by()
    held, ready = Exists(queries.exclude(status=Query.Status.RETIRED)), queries.filter(status=Query.Status.READY)
    own = Stratum.objects.filter(Q(planned__gt=0) | held, corpus=corpus).order_by()
    waiting = {"ready": ready, "asked": asked_for_others(), "coming": coming_to()}
    rows = {name: Rows(held.values("pk")) for name, held in waiting.items()}
    standing: QuerySet[Stratum, Any] = own.values(*OWN, stratum_id=F("pk"), **rows)
    return standing


def _counting(columns: Sequence[str]) -> Callable[[Sequence[Any]], StratumCount]:
    """What makes a count of a row: of `columns`, which are the count's own, then of `FOOTED`, then of how it grew."""
    n, own = columns.index("n"), len(columns)
    since = own + len(FOOTED)

    def count(row: Sequence[Any]) -> StratumCount:
        judged, positives, shallow, changed, gone = row[own:since]
        footing = Footing(JudgedDepth(row[n], judged, positives, shallow), changed, gone, tuple(row[since:]))
        return StratumCount(**dict(zip(columns, row[:own], strict=True)), footing=footing)

    return count


def order(count: StratumCount) -> tuple[str, ...]:
    """The order strata are listed in."""
    return count.key(DIMENSIONS)
