"""How deep counted queries were judged, query by query: one SQL query over the settled grades."""

from __future__ import annotations

from collections.abc import Iterable

from curation.models import Corpus, Query

from .footing import Footing, footing_of_query
from .graded import graded


def footings_of(corpus: Corpus, queries: Iterable[Query]) -> dict[int, tuple[Footing, int]]:
    """The footing of each judged one of a page of queries, by its key, and how many documents of it were judged.

    The footing of one that is not counted tells only whether its answer is gone.
    """
    told = graded(corpus, Query.objects.filter(pk__in=[query.pk for query in queries]))
    return {row["query_id"]: (footing_of_query(row), row["deep"] or 0) for row in told.iterator()}


def footings_by_query(corpus: Corpus) -> dict[str, Footing]:
    """The footing of each judged query with a grade that counts, by its external id, sorted."""
    names = dict(Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED).values_list("pk", "external_id"))
    told = graded(corpus, Query.objects.filter(corpus=corpus)).iterator()
    deep = (row for row in told if row["deep"] and row["query_id"] in names)
    return dict(sorted((names[row["query_id"]], footing_of_query(row)) for row in deep))
