"""Qrels: the one door through which a grade gets settled, whoever gave it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import TypeVar

from django.db import transaction
from django.db.models import Model

from curation.actions.disputes import freed_queries
from curation.actions.golds import Ranks, gold_of, settle_corpus_language
from curation.actions.lookups import blocks, insert, overwrite, rows_in
from curation.actions.measuring import rank_golds_again
from curation.actions.meetings import Grade, Meetings, Outcome, meet
from curation.actions.refusal import Refused
from curation.models import Corpus, DocumentText, Qrel, Query
from curation.reports.moves import gone_articles
from curation.reports.prepared import CORPUS, KEY, NAME, WORD, Prepared, PreparedRows

WRITTEN = [
    *("grade", "source", "swept", "gold_document", "original_score"),
    *("decided_by", "judged_depth", "opinions", "text_sha256", "twin_of", "exact_only", "settled_at"),
]
M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Settlement:
    """What settling did: an outcome for each grade, in their order, and what a lead should read."""

    outcomes: tuple[Outcome, ...]
    notices: tuple[str, ...]


def settle(
    *,
    corpus: Corpus,
    grades: Sequence[Grade],
    now: datetime,
    judged: Collection[int] = (),
    revising: bool = False,
) -> Settlement:
    """Settle `grades`; turn the queries `judged` (by id), and those with an IMPORTED grade, JUDGED with their gold.

    Settling may give a query its corpus language, once. With `revising`, an opinion replaces the earlier one of the
    same source, and the gold is chosen anew. A grade that does not say which text it was given to is one of the
    present text.

    Raises:
        Refused: a grade contradicts a settled one of the same source.
    """
    with transaction.atomic():
        imported = {grade.query_id for grade in grades if grade.source == Qrel.Source.IMPORTED}
        turning = imported | set(judged)
        queries = _held(corpus, {grade.query_id for grade in grades} | turning)
        grades = _with_texts(grades)
        known = list(_rows(_known_asked(), corpus, (query.pk for query in queries)))
        met = meet(known, grades, revising=revising)
        _refuse_contradiction(grades, met)
        insert(met.created)
        overwrite(met.changed, WRITTEN)
        ranks = {grade.pair: grade.exact_rank for grade in grades if grade.exact_rank is not None}
        notices = _turn(corpus, queries, [*known, *met.created], turning=Turning(turning, ranks, now, anew=revising))
    return Settlement(met.outcomes, tuple(notices))


def hold(*, corpus: Corpus, query_ids: Collection[int] | None = None) -> None:
    """Let nobody else settle these queries (by id; without, all that are not retired) until the transaction ends.

    Call it before reading what decides how they settle: whoever settles one at this moment reads neither the documents
    nor the opinions of this transaction, and is not seen by it. Who only marks an answer waits for nothing.
    """
    queries = Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED)
    locked = queries.select_for_update(no_key=True).order_by("pk").values_list("pk")
    for found in [locked] if query_ids is None else (locked.filter(pk__in=each) for each in blocks(sorted(query_ids))):
        list(found)


def settle_golds_again(*, corpus: Corpus, now: datetime) -> None:
    """Give the judged queries whose gold is gone from the corpus another gold, where one of their answers stands.

    Those that waited for nothing but a decision on what is gone turn JUDGED. Call it behind `hold`.
    """
    lost = Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED, gold_canonical_id__in=gone_articles(corpus))
    settle(corpus=corpus, grades=(), now=now, judged={*lost.values_list("pk", flat=True), *freed_queries(corpus)})


def _with_texts(grades: Sequence[Grade]) -> list[Grade]:
    silent = {grade.document_id for grade in grades if grade.document_id and not grade.text_sha256}
    texts = DocumentText.objects.filter(current=True).values_list("document_id", "sha256")
    present = dict(rows_in(texts, "document_id", silent))
    return [
        replace(grade, text_sha256=present.get(grade.document_id or 0, grade.text_sha256))
        if not grade.text_sha256
        else grade
        for grade in grades
    ]


def withdraw(*, query: Query, canonical_ids: Collection[str], source: str = Qrel.Source.AGREED) -> None:
    """Take back what was settled for `canonical_ids` by that `source`: it is not so any more.

    Call `settle` after it in the same transaction, so that the gold is chosen anew.
    """
    for block in blocks(canonical_ids):
        _delete(_settled_asked().rows({KEY: query.pk, WORD: source, NAME: block}))


@cache
def _settled_asked() -> Prepared:
    return Prepared.of(Qrel.objects.filter(query=KEY, source=WORD, canonical_id__in=[NAME]).values_list("pk"))


def _delete(keys: Sequence[tuple[int]]) -> None:
    for block in blocks(key for (key,) in keys):
        Qrel.objects.filter(pk__in=block).delete()


def unjudge(*, query: Query, unless: Collection[str] = (Qrel.Source.IMPORTED, Qrel.Source.ADJUDICATED)) -> None:
    """Turn a JUDGED query READY again, unless a file or a lead settled something of it: then it stays as it is.

    `unless` names the sources that keep it JUDGED.
    """
    others = Qrel.objects.filter(query=query, source__in=unless)
    if not others.exists():
        judged = Query.objects.filter(pk=query.pk, status=Query.Status.JUDGED)
        judged.update(status=Query.Status.READY, judged_at=None, gold_canonical_id="")


def meetings_of(corpus: Corpus, grades: Sequence[Grade], *, revising: bool = False) -> Meetings:
    """What would become of `grades`, read against what is settled now."""
    known = _rows(_known_asked(), corpus, (grade.query_id for grade in grades))
    return meet(known, grades, revising=revising)


def _rows(asked: PreparedRows[M], corpus: Corpus, query_ids: Iterable[int]) -> Iterator[M]:
    for block in blocks(query_ids):
        yield from asked.rows({CORPUS: corpus.pk, KEY: block})


@cache
def _known_asked() -> PreparedRows[Qrel]:
    return PreparedRows(Qrel.objects.filter(query__corpus=CORPUS, query__in=[KEY]))


def withdraw_for_twins(*, query_ids: Iterable[int]) -> None:
    """Take back what text twins passed on for these queries; what is derived otherwise stays."""
    for block in blocks(query_ids):
        _delete(_passed_on_asked().rows({KEY: block}))


@cache
def _passed_on_asked() -> Prepared:
    passed_on = Qrel.objects.filter(source=Qrel.Source.DERIVED, query__in=[KEY]).exclude(twin_of="")
    return Prepared.of(passed_on.values_list("pk"))


@dataclass(frozen=True, slots=True)
class Turning:
    """Which queries turn JUDGED now, and by which pool ranks their golds are chosen."""

    query_ids: Collection[int]
    ranks: Ranks
    now: datetime
    anew: bool


def _refuse_contradiction(grades: Sequence[Grade], met: Meetings) -> None:
    for grade, outcome, before in zip(grades, met.outcomes, met.before, strict=True):
        if outcome == "refused":
            raise Refused(f"{grade.canonical_id} is settled at grade {before} already; this says {grade.grade}.")


def _held(corpus: Corpus, query_ids: Collection[int]) -> list[Query]:
    """The queries under a lock, so that whoever settles or retires one of them meanwhile takes turns.

    By ascending key, as everybody locks several, so that no two wait for each other.
    """
    return list(_rows(_held_asked(), corpus, sorted(query_ids)))


@cache
def _held_asked() -> PreparedRows[Query]:
    rows = Query.objects.select_for_update(of=("self",), no_key=True).filter(corpus=CORPUS, pk__in=[KEY])
    rows = rows.order_by("pk")
    return PreparedRows(rows.select_related("stratum", "need"))


def _turn(corpus: Corpus, queries: Sequence[Query], settled: Iterable[Qrel], *, turning: Turning) -> list[str]:
    qrels: dict[int, list[Qrel]] = {}
    for qrel in settled:
        qrels.setdefault(qrel.query_id, []).append(qrel)
    gone = _gone(corpus, (qrel.canonical_id for known in qrels.values() for qrel in known))
    before = {query.pk: (query.status, query.gold_canonical_id, query.stratum_id) for query in queries}
    for query in queries:
        _turn_one(query, _offered(corpus, qrels.get(query.pk, []), gone), turning, relevant_from=corpus.relevant_from)
    judged = [query for query in queries if query.status == Query.Status.JUDGED]
    notices = settle_corpus_language(corpus, judged, qrels)
    changed = [q for q in queries if (q.status, q.gold_canonical_id, q.stratum_id) != before[q.pk]]
    fields = ["status", "judged_at", "gold_canonical_id", "stratum"]
    overwrite(changed, fields)
    rank_golds_again(
        corpus=corpus, queries=[query for query in changed if query.gold_canonical_id != before[query.pk][1]]
    )
    return notices


def _offered(corpus: Corpus, qrels: Sequence[Qrel], gone: set[str]) -> Sequence[Qrel]:
    """What a gold is chosen from: the relevant answers that stand; where none does, all that is settled.

    A derived grade never counts, so it is no gold either.
    """
    told = [qrel for qrel in qrels if qrel.source != Qrel.Source.DERIVED]
    standing = [qrel for qrel in told if qrel.grade >= corpus.relevant_from and qrel.canonical_id not in gone]
    return standing or told


def _turn_one(query: Query, qrels: Sequence[Qrel], turning: Turning, *, relevant_from: int) -> None:
    """Mark one query JUDGED where it turns; a gold stays as long as it is relevant and nobody judged anew."""
    turns = query.pk in turning.query_ids
    if turns and query.status in {Query.Status.DRAFT, Query.Status.READY}:
        query.status, query.judged_at = Query.Status.JUDGED, turning.now
    if query.status != Query.Status.JUDGED:
        return
    relevant = {qrel.canonical_id for qrel in qrels if qrel.grade >= relevant_from}
    if query.gold_canonical_id not in relevant or (turns and turning.anew):
        query.gold_canonical_id = gold_of(query, qrels, relevant_from=relevant_from, ranks=turning.ranks)


def _gone(corpus: Corpus, names: Iterable[str]) -> set[str]:
    """Those of the articles that are gone from the corpus."""
    found = (_gone_asked().rows({CORPUS: corpus.pk, NAME: block}) for block in blocks(names))
    return {name for rows in found for (name,) in rows}


@cache
def _gone_asked() -> Prepared:
    return Prepared.of(gone_articles(Corpus(pk=CORPUS)).filter(canonical_id__in=[NAME]).values_list("canonical_id"))
