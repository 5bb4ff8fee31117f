"""What a gated run found and nobody judged, sent to the judges: the highest ranked of every query first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from curation.actions.hunting import Sent, send_at_once
from curation.models import Document, GateReport, Query

ORIGIN = "gate"


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A document to be judged as an answer to a query."""

    query: Query
    document: Document


def send_unjudged(
    *,
    report: GateReport,
    waiting: Callable[[Collection[int]], set[tuple[int, str]]],
    send: Callable[[Unjudged], object],
) -> Sent:
    """Send the documents of `report` that nobody has judged since and that do not wait yet, so many at once.

    `waiting` tells the pairs that wait, of the queries with these keys; `send` raises Refused where nobody can judge.
    """
    queries = {query.external_id: query for query in _queries(report)}
    settled = {(qrel.query_id, qrel.canonical_id) for query in queries.values() for qrel in query.qrels.all()}
    known = settled | waiting({query.pk for query in queries.values()})
    wanted = [
        (queries[name], canonical)
        for name, canonical in _round_by_round(report)
        if name in queries and (queries[name].pk, canonical) not in known
    ]
    documents = _documents(report, {canonical for _, canonical in wanted})
    found = [Unjudged(query, documents[canonical]) for query, canonical in wanted if canonical in documents]
    return send_at_once(found, send)


def _queries(report: GateReport) -> Iterator[Query]:
    corpus = report.set_version.corpus_id
    rows = Query.objects.filter(corpus=corpus, frozen__set_version=report.set_version).prefetch_related("qrels")
    return (query for query in rows if query.external_id in report.unjudged)


def _round_by_round(report: GateReport) -> Iterator[tuple[str, str]]:
    lists = [[(name, canonical) for canonical in found] for name, found in sorted(report.unjudged.items())]
    return (pair for rank in zip_longest(*lists) for pair in rank if pair is not None)


def _documents(report: GateReport, canonicals: Collection[str]) -> dict[str, Document]:
    """One standing document of each canonical id: the source where there is one."""
    standing = Document.objects.filter(corpus=report.set_version.corpus_id, gone_at=None)
    rows = standing.order_by("is_source", "-external_id").iterator()
    return {document.canonical_id: document for document in rows if document.canonical_id in canonicals}
