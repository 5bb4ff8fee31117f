"""The queries that a gate report names, for a page that leads to each: those with losses, missing, or unjudged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from curation.models import Query

from .gate_exports import LISTED
from .gate_report import Report

SHOWN = 50
"""Queries with unjudged documents that a page lists; the JSON report has the others."""


@dataclass(frozen=True, slots=True)
class UnjudgedRow:
    """A query, by its id in the set, with the canonical ids that nobody judged, best first."""

    name: str
    query: Query | None
    documents: Sequence[str]


def queries_named(told: Report) -> dict[str, Query]:
    """The queries whose ids the report's page shows, by these ids; one SQL query."""
    report = told.report
    names = {name for each in told.slices for name in each.row.lost[:LISTED]}
    names.update(report.missing[:LISTED], islice(report.unjudged, SHOWN))
    rows = Query.objects.filter(frozen__set_version=report.set_version_id, external_id__in=names)
    return {query.external_id: query for query in rows}


def unjudged_rows(told: Report, named: Mapping[str, Query]) -> list[UnjudgedRow]:
    """The first queries with unjudged documents."""
    first = islice(told.report.unjudged.items(), SHOWN)
    return [UnjudgedRow(name, named.get(name), documents) for name, documents in first]
