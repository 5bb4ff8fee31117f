"""The one GROUP BY behind every board: how many queries each stratum holds, and how many of them a run found.

House rule "Counted": n = JUDGED queries with at least one relevant qrel that somebody settled (AGREED, ADJUDICATED,
IMPORTED or VARIANT). A query judged without any relevant document is in no n and is shown apart as "no answer",
unless opinions on an answer of it differ and nobody has decided: then it waits. One whose relevant documents are all
gone from the corpus is shown apart as "answer gone".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from math import inf
from operator import attrgetter
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from curation.measures.depth import JudgedDepth
from curation.models import Corpus, PoolKind, Qrel, Query, QueryScore, RankedRun, Stratum

from .coming import ways
from .footing import Footing, together
from .graded import COUNTED, FOOTED, SUMS, graded
from .moves import gone_articles
from .on_the_way import NOTHING_COMES, OnTheWay, on_the_way
from .places import UNKNOWN_LANGUAGE, StratumKey
from .prepared import Prepared
from .rows import Listed, OfRow, Rows, Sums, beside_sums
from .to_judge import to_decide, to_judge

DIMENSIONS = ("query_language", "corpus_language", "script", "query_type", "slice")
NOTHING = Footing()
OWN = (*DIMENSIONS, "use", "planned", "priority", "pool_kind")
COUNTING_SOURCES = (Qrel.Source.AGREED, Qrel.Source.ADJUDICATED, Qrel.Source.IMPORTED, Qrel.Source.VARIANT)


@dataclass(frozen=True, slots=True)
class StratumCount:
    """One stratum's counts: a run answers `answered` of its n queries and finds `hits`; None where no run was asked.

    The same of a second run is `beside_answered` and `beside_hits`. `footing` tells what the n queries rest on.
    `way` tells which queries wait elsewhere on the way to its plan, and which of its own are on the way to others.
    `ready` ones wait to be judged, `undecided` ones for a lead's decision alone.
    `respelt` are those of the n queries that are other spellings of queries that count in other strata.
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
    respelt: tuple[Respelt, ...] = ()
    way: OnTheWay = NOTHING_COMES
    undecided: int = 0

    @property
    def rank(self) -> float:
        """Its place among equally empty strata: priority 1 before 2, none (0) after all."""
        return self.priority or inf

    @property
    def waiting(self) -> int:
        """Written queries that are to be judged for it, wherever they wait."""
        return self.ready + self.way.coming - self.way.passing

    @property
    def have(self) -> int:
        """Wordings that its plan has: judged and counted, or waiting to be judged for it or to be decided."""
        return self.n + self.waiting + self.undecided

    @property
    def is_passage(self) -> bool:
        """Whether it holds nothing but what is bound for other cells, and nobody planned it."""
        is_unknown = self.corpus_language == UNKNOWN_LANGUAGE
        return is_unknown and not self.planned and not self.n and not self.undecided and self.ready == self.way.bound

    @property
    def dimensions(self) -> dict[str, str]:
        """The stratum's place, dimension by dimension."""
        return dict(zip(DIMENSIONS, self.key(DIMENSIONS), strict=True))

    def key(self, by: tuple[str, ...]) -> tuple[str, ...]:
        """The stratum's place in a grid crossed by the dimensions `by`."""
        return place_in(by)(self)


@dataclass(frozen=True, slots=True)
class Respelt:
    """Queries of a stratum that are other spellings of queries counted in the stratum `first`: what they count."""

    first: int
    counts: StratumCount


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


def first_spelling(corpus: Corpus, told: str) -> Coalesce:
    """The counted query in another stratum that a variant is one more spelling of, by its column `told`; None if none.

    That is its original where this counts, else the first of the original's variants that do.
    """
    others = Query.objects.filter(counted(corpus), status=Query.Status.JUDGED).exclude(stratum=OuterRef("stratum"))
    original = others.filter(pk=OuterRef("variant_of")).order_by()
    earlier = others.filter(variant_of=OuterRef("variant_of"), pk__lt=OuterRef("pk")).order_by("pk")
    return Coalesce(Subquery(original.values(told)), Subquery(earlier.values(told)[:1]))


def answer_gone(corpus: Corpus) -> Q:
    """Whether the query has relevant qrels that would count, and each is of an article that is gone."""
    return Q(Exists(_answers(corpus, "pk"))) & ~Q(counted(corpus))


def _answers(corpus: Corpus, query: str) -> QuerySet[Qrel]:
    counting = Qrel.objects.filter(source__in=COUNTING_SOURCES, grade__gte=corpus.relevant_from)
    return counting.filter(query=OuterRef(query))


def found(run: RankedRun, k: int, query: str = "pk") -> Exists:
    """Whether `run` has the query's gold document among its first `k` documents."""
    return Exists(QueryScore.objects.filter(run=run, query=OuterRef(query), gold_rank__lte=k))


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
    groups = groups.annotate(apart=_other_spelling(corpus))
    for name, each in asked.runs.items():
        answers[f"{name}answer"] = answers_of(each)
        of_runs[f"{name}hits"] = f"{COUNTED} AND {name}answer.gold_rank <= {asked.k:d})"
        of_runs[f"{name}answered"] = f"{COUNTED} AND {name}answer.query_id IS NOT NULL)"
    before = [f"before_{place}" for place in range(len(asked.moments))]
    grown = dict.fromkeys(before, f"{COUNTED} AND (judged_at IS NULL OR judged_at < %s))")
    grouped = Sums(groups, "query_id", answers, SUMS | of_runs | grown, moments=asked.moments)
    of_count = ("stratum_id", *OWN, "ready", "undecided", "n", "no_answer", *of_runs)
    told = (*of_count, *FOOTED, *before, "ways", "apart")
    rows = beside_sums(_standing(corpus.pk, corpus.relevant_from), grouped, on="stratum_id", told=told)
    count = _counting(of_count)
    counts = _whole((row[-1], count(row)) for row in rows)
    return sorted(_with_ways(counts, {row[0]: row[-2] for row in rows}), key=order)


def _other_spelling(corpus: Corpus) -> OfRow:
    """The stratum of a variant's first spelling; None where none counts, and unasked where a query is no variant."""
    return OfRow(When(variant_of__isnull=False, then=first_spelling(corpus, "stratum")))


def _whole(parts: Iterable[tuple[int | None, StratumCount]]) -> list[StratumCount]:
    """One count a stratum, of its queries set apart by where their first spelling counts."""
    strata: dict[int, list[tuple[int | None, StratumCount]]] = {}
    for first, count in parts:
        strata.setdefault(count.stratum_id, []).append((first, count))
    return [_joined(each) if len(each) > 1 or each[0][0] else each[0][1] for each in strata.values()]


def _joined(parts: Sequence[tuple[int | None, StratumCount]]) -> StratumCount:
    counts = [count for _, count in parts]
    return replace(
        counts[0],
        n=sum(count.n for count in counts),
        no_answer=sum(count.no_answer for count in counts),
        hits=total([count.hits for count in counts]),
        answered=total([count.answered for count in counts]),
        beside_hits=total([count.beside_hits for count in counts]),
        beside_answered=total([count.beside_answered for count in counts]),
        footing=together([count.footing for count in counts]),
        respelt=tuple(Respelt(first, count) for first, count in parts if first and count.n),
    )


def total(figures: Sequence[int | None]) -> int | None:
    """The sum, None where one of them was not measured."""
    known = [each for each in figures if each is not None]
    return sum(known) if len(known) == len(figures) and known else None


def _with_ways(counts: Sequence[StratumCount], listed: Mapping[int, str | None]) -> list[StratumCount]:
    """The counts with what comes and what leaves: each query that is on the way to a plan counts for that alone."""
    given = {key: told for key, told in listed.items() if told and told != "[]"}
    if not given:
        return list(counts)
    told = on_the_way({each.stratum_id: (StratumKey(*each.key(DIMENSIONS)), each.planned) for each in counts}, given)
    return [replace(each, way=told[each.stratum_id]) if each.stratum_id in told else each for each in counts]


def answers_of(run: RankedRun) -> QuerySet[QueryScore, Any]:
    """The one answer of `run` to each query."""
    return QueryScore.objects.filter(run=run, k=run.k).values("query_id", "gold_rank")


@lru_cache(64)
def _standing(corpus: int, relevant_from: int) -> Prepared:
    """The strata that hold or plan queries, with those that are in no n."""
    asked = Corpus(pk=corpus, relevant_from=relevant_from)
    queries = Query.objects.filter(stratum=OuterRef("pk")).order_by()
    held, ready = Exists(queries.exclude(status=Query.Status.RETIRED)), queries.filter(to_judge())
    own = asked.strata.filter(Q(planned__gt=0) | held).order_by()
    undecided = Rows(queries.filter(to_decide()).values("pk"))
    waiting = {
        "ready": Rows(ready.values("pk")),
        "undecided": undecided,
        "ways": Listed(ways(corpus, _original_stands(asked))),
    }
    standing: QuerySet[Stratum, Any] = own.values(*OWN, stratum_id=F("pk"), **waiting)
    return Prepared(*standing.query.sql_with_params())


def _original_stands(corpus: Corpus) -> Q:
    """Whether a query's original counts or is ready."""
    judged = Q(counted(corpus, "variant_of"), variant_of__status=Query.Status.JUDGED)
    return Q(variant_of__status=Query.Status.READY) | judged


def _counting(columns: Sequence[str]) -> Callable[[Sequence[Any]], StratumCount]:
    """What makes a count of a row: `columns`, which are the count's own, `FOOTED`, how it grew, and two more aside."""
    n, own = columns.index("n"), len(columns)
    since = own + len(FOOTED)

    def count(row: Sequence[Any]) -> StratumCount:
        judged, positives, shallow, changed, gone = row[own:since]
        footing = Footing(JudgedDepth(row[n], judged, positives, shallow), changed, gone, tuple(row[since:-2]))
        return StratumCount(**dict(zip(columns, row[:own], strict=True)), footing=footing)

    return count


def order(count: StratumCount) -> tuple[str, ...]:
    """The order strata are listed in."""
    return count.key(DIMENSIONS)
