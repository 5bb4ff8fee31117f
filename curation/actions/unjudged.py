"""What a gated run found and nobody judged, sent to the judges: the highest ranked of every query first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from curation.actions.hunting import AT_ONCE, Sent, send_at_once
from curation.actions.lookups import rows_in
from curation.models import Document, GateReport, Qrel, Query

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
    keys = dict(_keys(report))
    settled = Qrel.objects.filter(query__frozen__set_version=report.set_version)
    known = {*settled.values_list("query_id", "canonical_id"), *waiting(keys.values())}
    wanted = [(keys[name], canonical) for name, canonical in _round_by_round(report) if name in keys]
    fresh = [pair for pair in wanted if pair not in known]
    documents = _documents(report, {canonical for _, canonical in fresh})
    found = [pair for pair in fresh if pair[1] in documents]
    queries = Query.objects.in_bulk({key for key, _ in found[:AT_ONCE]})
    return send_at_once(found, lambda pair: send(Unjudged(queries[pair[0]], documents[pair[1]])))


def _keys(report: GateReport) -> Iterator[tuple[str, int]]:
    """The queries of the report's list by their ids, each with its key."""
    rows = Query.objects.filter(frozen__set_version=report.set_version).values_list("external_id", "pk")
    return ((name, key) for name, key in rows if name in report.unjudged)


def _round_by_round(report: GateReport) -> Iterator[tuple[str, str]]:
    lists = [[(name, canonical) for canonical in found] for name, found in sorted(report.unjudged.items())]
    return (pair for rank in zip_longest(*lists) for pair in rank if pair is not None)


def _documents(report: GateReport, canonicals: Collection[str]) -> dict[str, Document]:
    """One standing document of each canonical id: the source where there is one."""
    standing = Document.objects.filter(corpus=report.set_version.corpus_id, gone_at=None)
    rows = rows_in(standing.order_by("is_source", "-external_id"), "canonical_id", canonicals)
    return {document.canonical_id: document for document in rows}
