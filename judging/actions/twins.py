"""Text twins: a grade that judges mean for every document of the same text, passed on to those that nobody judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache

from curation.actions import qrels
from curation.actions.lookups import blocks, rows_in
from curation.actions.meetings import Grade
from curation.models import CannotTell, Corpus, Document, OpenDispute, Qrel
from curation.reports.prepared import KEY, PreparedRows
from curation.reports.twins_as_read import twins_as_read
from judging.models import COUNTS, Assignment, Judgment, State
from judging.reports.meant import texts_read
from judging.reports.opinions import of_counted_opinions, on_newest_text

Pair = tuple[int, str]  # (query id, canonical id)
Origins = dict[Pair, tuple[str, int]]
"""The article that passes its grade on, with that grade, by the pair that takes it."""


def pass_on(*, corpus: Corpus, query_ids: Collection[int], now: datetime) -> None:
    """Derive the grades of text twins for these queries anew; call it after settling, in the same transaction.

    The settled grade of an article goes to its twins where one of those whose opinion counts graded it by hand and
    meant them too: to those whose present text is the one that was graded, whatever text the graded one has since. What
    anybody said of a twin itself stands in its place, and twins whose grades differ pass nothing on. A derived grade
    never counts.
    """
    qrels.withdraw_for_twins(query_ids=query_ids)
    marks = _meant(query_ids)
    if not marks:
        return
    queries = {mark.query_id for mark in marks}
    settled = {(each.query_id, each.canonical_id): each for each in rows_in(Qrel.objects.all(), "query_id", queries)}
    standing = [mark for mark in marks if _is_settled(mark, settled.get((mark.query_id, mark.canonical_id)))]
    origins = _origins(corpus, standing, {pair: qrel.grade for pair, qrel in settled.items()})
    told = {*settled, *_undecided(queries)}
    taking = {pair: origin for pair, origin in origins.items() if pair not in told}
    qrels.settle(corpus=corpus, grades=_grades(corpus, taking), now=now)


def _meant(query_ids: Collection[int]) -> list[Judgment]:
    """What somebody whose opinion counts graded for its text twins too, of the newest text that anybody spoke of."""
    found = [each for block in blocks(query_ids) for each in _said_asked().rows({KEY: block})]
    if not found:
        return []
    counting = Assignment.objects.filter(COUNTS).values_list("pool_id", "assessor_id")
    judges = set(rows_in(counting, "pool_id", {each.candidate.pool_id for each in found if each.candidate}))
    marks = [each for each in found if each.candidate and (each.candidate.pool_id, each.assessor_id) in judges]
    said = Judgment.objects.filter(of_counted_opinions(), document__in={each.document_id for each in marks})
    newest = on_newest_text(list(rows_in(said, "query_id", {each.query_id for each in marks})))
    standing = {each.pk for each in newest}
    return [each for each in marks if each.pk in standing]


@cache
def _said_asked() -> PreparedRows[Judgment]:
    said = Judgment.objects.filter(for_twins=True, state=State.GRADED, query__in=[KEY])
    return PreparedRows(said.select_related("candidate"))


def _is_settled(mark: Judgment, settled: Qrel | None) -> bool:
    """Whether its article has a grade, and that was not given to another text of the document than the one marked."""
    if settled is None:
        return False
    return settled.gold_document_id != mark.document_id or settled.text_sha256 in {"", mark.text_sha256}


def _origins(corpus: Corpus, marks: Sequence[Judgment], grades: Mapping[Pair, int]) -> Origins:
    """Who passes what on to whom, whether or not the twin has a grade of its own."""
    reads = [texts_read([mark]) for mark in marks]
    sets = twins_as_read(corpus, reads, articles={mark.canonical_id for mark in marks})
    taken: defaultdict[Pair, set[tuple[str, int]]] = defaultdict(set)
    for mark, twins in zip(marks, sets, strict=True):
        for twin in twins.get(mark.canonical_id, ()):
            taken[mark.query_id, twin].add((mark.canonical_id, grades[mark.query_id, mark.canonical_id]))
    return {pair: min(given) for pair, given in taken.items() if len({grade for _, grade in given}) == 1}


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
