"""The judged queries of a corpus, each a row: how deep it was judged, and what is known of its answers."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, Count, F, Max, Q, QuerySet, When
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import Exact

from curation.measures.depth import POOL_DEPTH
from curation.models import Corpus, Document, Qrel, Query

from .moves import gone_articles, on_changed_text, standing_disputes
from .rows import OfRow, Rows


def graded(corpus: Corpus, queries: QuerySet[Query]) -> QuerySet[Query, Any]:
    """The judged ones of `queries`, each a row: how deep it was judged, what is known of its answers.

    Grouped as the index lists them, by stratum and day first, so that SQLite sorts nothing.
    """
    is_relevant, is_gone = Q(qrels__grade__gte=corpus.relevant_from), Q(qrels__canonical_id__in=gone_articles(corpus))
    settled = Q(~Exact(F("qrels__source"), Qrel.Source.DERIVED))  # the one other source; faster than a list of four
    judged = queries.filter(status=Query.Status.JUDGED).order_by()
    disputed = standing_disputes().filter(query__corpus=corpus).values("query")
    return judged.values("stratum_id", "judged_at", query_id=F("pk")).annotate(
        deep=Greatest(Coalesce(Max("qrels__judged_depth", filter=settled), 0), Count("qrels", filter=settled)),
        relevant=Count("qrels", filter=is_relevant),
        positives=Count("qrels", filter=is_relevant & settled & ~is_gone),
        changed=Count("qrels", filter=is_relevant & settled & on_changed_text("qrels__")),
        answers=Count("qrels", filter=is_relevant & settled),
        articles=_articles(corpus),
        undecided=OfRow(When(pk__in=disputed, then=1), default=0),
    )


def shallow(corpus: Corpus) -> QuerySet[Query, Any]:
    """The counted queries that were judged less deep than a pool has to be."""
    needed = Case(When(articles=0, then=POOL_DEPTH), default=F("articles"))
    return _counted(corpus).filter(deep__lt=needed).values("query_id")


def on_changed_texts(corpus: Corpus) -> QuerySet[Query, Any]:
    """The counted queries with a relevant grade that was given to another text than the present one."""
    return _counted(corpus).filter(changed__gt=0).values("query_id")


def _counted(corpus: Corpus) -> QuerySet[Any, Any]:  # with what it adds to a query
    rows: QuerySet[Any, Any] = graded(corpus, Query.objects.filter(corpus=corpus))
    return rows.filter(positives__gt=0)


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
    "no_answer": "COUNT(*) FILTER (WHERE relevant = 0 AND undecided = 0)",
}
"""What a stratum's judged queries are and rest on, over the rows of `graded` (PostgreSQL sums to a Decimal)."""
FOOTED = ("judged", "positives", "shallow", "changed", "gone")
