"""Text twins: a grade that judges mean for every document of the same text, passed on to those that nobody judged."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cache

from curation.actions import qrels
from curation.actions.lookups import blocks, rows_in
from curation.actions.meetings import Grade
from curation.models import CannotTell, Corpus, Document, OpenDispute, Qrel
from curation.reports.prepared import KEY, PreparedRows
from curation.reports.twins import twins_of
from judging.models import COUNTS, Assignment, Judgment, State
from judging.reports.standing import still_standing

Pair = tuple[int, str]  # (query id, canonical id)
Origins = dict[Pair, tuple[str, int]]
"""The article that passes its grade on, with that grade, by the pair that takes it."""


def pass_on(*, corpus: Corpus, query_ids: Collection[int], now: datetime) -> None:
    """Derive the grades of text twins for these queries anew; call it after settling, in the same transaction.

    The settled grade of an article goes to its twins where one of those whose opinion counts graded it by hand and
    meant them too. What anybody said of a twin itself stands in its place, and twins whose grades differ pass nothing
    on. A derived grade never counts.
    """
    qrels.withdraw_for_twins(query_ids=query_ids)
    meant = _meant(query_ids)
    if not meant:
        return
    queries = {query for query, _ in meant}
    settled = {(each.query_id, each.canonical_id): each for each in rows_in(Qrel.objects.all(), "query_id", queries)}
    graded = {pair: settled[pair].grade for pair in meant if pair in settled}
    origins = _origins(graded, twins_of(corpus, articles={name for _, name in graded}))
    told = {*settled, *_undecided(queries)}
    taking = {pair: origin for pair, origin in origins.items() if pair not in told}
    qrels.settle(corpus=corpus, grades=_grades(corpus, taking), now=now)


def _meant(query_ids: Collection[int]) -> set[Pair]:
    """What somebody whose opinion counts graded for its text twins too; a grade of an earlier text has no twins now."""
    found = [each for block in blocks(query_ids) for each in _said_asked().rows({KEY: block})]
    if not found:
        return set()
    counting = Assignment.objects.filter(COUNTS).values_list("pool_id", "assessor_id")
    judges = set(rows_in(counting, "pool_id", {each.candidate.pool_id for each in found if each.candidate}))
    return {
        (each.query_id, each.canonical_id)
        for each in found
        if each.candidate and (each.candidate.pool_id, each.assessor_id) in judges
    }


@cache
def _said_asked() -> PreparedRows[Judgment]:
    said = Judgment.objects.filter(still_standing(), for_twins=True, state=State.GRADED, query__in=[KEY])
    return PreparedRows(said.select_related("candidate"))


def _origins(graded: Mapping[Pair, int], twins: Mapping[str, tuple[str, ...]]) -> Origins:
    """Who passes what on to whom, whether or not the twin has a grade of its own."""
    by_set: dict[tuple[int, tuple[str, ...]], list[tuple[str, int]]] = {}
    for (query, name), grade in sorted(graded.items()):
        by_set.setdefault((query, twins.get(name, ())), []).append((name, grade))
    return {
        (query, twin): origins[0]
        for (query, names), origins in by_set.items()
        if len({grade for _, grade in origins}) == 1
        for twin in names
    }


def _undecided(queries: Collection[int]) -> set[Pair]:
    """What judges could not tell, and what they disagree on."""
    doubts = CannotTell.objects.values_list("query_id", "canonical_id")
    disputes = OpenDispute.objects.values_list("query_id", "canonical_id")
    return {*rows_in(doubts, "query_id", queries), *rows_in(disputes, "query_id", queries)}


def _grades(corpus: Corpus, taking: Origins) -> list[Grade]:
    names = {name for _, name in taking}
    documents = Document.objects.filter(corpus=corpus, gone_at=None).order_by("-external_id")
    shown = dict(rows_in(documents.values_list("canonical_id", "pk"), "canonical_id", names))
    return [
        Grade(query, name, grade, Qrel.Source.DERIVED, document_id=shown.get(name), twin_of=origin)
        for (query, name), (origin, grade) in taking.items()
    ]
