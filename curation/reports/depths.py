"""How deep the counted queries were judged, how many rest on changed texts, and whose answers are gone.

One SQL query over the settled grades of a corpus.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from curation.measures.depth import POOL_DEPTH, JudgedDepth, depth_of
from curation.models import Corpus, Document, Qrel, Query

from .counts import COUNTING_SOURCES
from .moves import gone_articles, on_changed_text
from .rows import Rows

NO_DEPTH = JudgedDepth()


@dataclass(frozen=True, slots=True)
class Footing:
    """What the counted queries of a stratum or cell rest on.

    `on_changed_text` of them have a relevant grade that was given to another text than the present one. `answer_gone`
    queries are not among them: all their relevant documents are gone.
    """

    depth: JudgedDepth = NO_DEPTH
    on_changed_text: int = 0
    answer_gone: int = 0


def footings(corpus: Corpus) -> dict[int, Footing]:
    """The footing of each stratum of `corpus` (by its key) that holds judged queries with a grade that counts."""
    found: defaultdict[int, list[Footing]] = defaultdict(list)
    for _, stratum, footing in _told(corpus, Qrel.objects.filter(query__corpus=corpus)):
        found[stratum].append(footing)
    return {stratum: together(told) for stratum, told in found.items()}


def together(told: Iterable[Footing]) -> Footing:
    """What several queries, strata or cells rest on."""
    each = list(told)
    depth = JudgedDepth(
        queries=sum(one.depth.queries for one in each),
        judged=sum(one.depth.judged for one in each),
        positives=sum(one.depth.positives for one in each),
        shallow=sum(one.depth.shallow for one in each),
    )
    return Footing(depth, sum(one.on_changed_text for one in each), sum(one.answer_gone for one in each))


def footings_of(corpus: Corpus, queries: Iterable[Query]) -> dict[int, Footing]:
    """The footing of each of a page of queries, by its key; of one not counted, only whether its answer is gone."""
    told = _told(corpus, Qrel.objects.filter(query__in=[query.pk for query in queries]))
    return {query: footing for query, _, footing in told}


def footings_by_query(corpus: Corpus) -> dict[str, Footing]:
    """The footing of each judged query with a grade that counts, by its external id, sorted."""
    names = dict(Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED).values_list("pk", "external_id"))
    told = _told(corpus, Qrel.objects.filter(query__corpus=corpus))
    return dict(sorted((names[query], footing) for query, _, footing in told if query in names))


def _articles(corpus: Corpus) -> Rows:
    """How many articles the corpus holds, counted no further than a pool is deep."""
    standing = Document.objects.filter(corpus=corpus, gone_at=None).order_by()
    return Rows(standing.values("canonical_id").distinct()[:POOL_DEPTH])


def _told(corpus: Corpus, qrels: QuerySet[Qrel]) -> Iterator[tuple[int, int, Footing]]:
    """Each judged query with its stratum and what its grades that count say."""
    relevant = Q(grade__gte=corpus.relevant_from)
    gone = Q(canonical_id__in=gone_articles(corpus))
    counting = qrels.filter(query__status=Query.Status.JUDGED, source__in=COUNTING_SOURCES).order_by()
    told = counting.values("query_id", "query__stratum_id").annotate(
        deepest=Max("judged_depth"),
        judged=Count("pk"),
        positives=Count("pk", filter=relevant & ~gone),
        changed=Count("pk", filter=relevant & on_changed_text()),
        gone=Count("pk", filter=relevant & gone),
        articles=_articles(corpus),
    )
    for row in told.iterator():
        yield row["query_id"], row["query__stratum_id"], _footing(row)


def _footing(row: Mapping[str, Any]) -> Footing:
    """What is told of one query; each grade from a file is one document judged."""
    if not row["positives"]:
        return Footing(answer_gone=int(row["gone"] > 0))
    depth = depth_of(max(row["deepest"] or 0, row["judged"]), row["positives"], articles=row["articles"])
    return Footing(depth, on_changed_text=int(row["changed"] > 0))
