"""What goes out of a corpus, in ascending id (code point) order, so that the same corpus gives the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from curation.formats.needs import NeedRow
from curation.formats.qrels import QrelRow, graded
from curation.formats.queries import QueryRow
from curation.formats.runs import Ranking
from curation.models import CannotTell, Corpus, Qrel, Query, RankedRun

from .twins import folded, twins_of

HIGHEST = 3
INACTIVE = (Query.Status.DRAFT, Query.Status.RETIRED)


def query_rows(corpus: Corpus) -> list[QueryRow]:
    """The queries that are neither drafts nor retired.

    A gold is named where its settled grade is 3: importing it again settles exactly that. An original is named where
    it goes out too.
    """
    queries = Query.objects.filter(corpus=corpus).exclude(status__in=INACTIVE)
    queries = queries.select_related("stratum", "need", "variant_of")
    highest = Qrel.objects.filter(query__corpus=corpus, grade=HIGHEST).values_list("query_id", "canonical_id")
    full = set(highest)
    return sorted((_query_row(query, full) for query in queries), key=lambda row: row.external_id)


def _query_row(query: Query, full: set[tuple[int, str]]) -> QueryRow:
    need, stratum, original = query.need, query.stratum, query.variant_of
    return QueryRow(
        line=0,
        external_id=query.external_id,
        need_id=(need.external_id or "") if need else "",
        need_text=need.text if need and need.is_english else "",
        text=query.original_text,
        language=stratum.query_language,
        script=stratum.script,
        query_type=stratum.query_type,
        slice=stratum.slice,
        gold_canonical_id=query.gold_canonical_id if (query.pk, query.gold_canonical_id) in full else "",
        gold_document_id="",
        extra=query.metadata,
        variant_of=original.external_id if original and original.status not in INACTIVE else "",
    )


def need_rows(corpus: Corpus) -> list[NeedRow]:
    """The needs, those with an id first."""
    rows = (
        NeedRow(
            line=0,
            external_id=need.external_id or "",
            text=need.text,
            context=need.context,
            gold_canonical_id=need.gold_canonical_id,
            slice=need.slice_hint,
            is_english=need.is_english,
        )
        for need in corpus.needs.all()
    )
    return sorted(rows, key=lambda row: (not row.external_id, row.external_id, row.text))


def run_rankings(run: RankedRun) -> list[Ranking]:
    """The answers of a run, by query id; their scores count down to 1 within each query."""
    scores = run.scores.select_related("query")
    rankings = [
        Ranking(score.query.external_id, tuple(score.hits), tuple(range(len(score.hits), 0, -1)), tied=0)
        for score in scores
    ]
    return sorted(rankings, key=lambda ranking: ranking.query_id)


def qrel_rows(corpus: Corpus, *, fold_twins: bool = False) -> list[QrelRow]:
    """The settled grades, and "cannot tell" where nothing is settled.

    With `fold_twins`, text twins are one answer under the first of their canonical ids: its grade is that of the
    strongest source, of those the highest; a document is named where that one was graded itself.

    Scores are those of the file they came from, as long as reading them again gives the same grades.
    """
    active = {"query__corpus": corpus}
    qrels = Qrel.objects.filter(**active).exclude(query__status__in=INACTIVE).select_related("query", "gold_document")
    doubts = CannotTell.objects.filter(**active).exclude(query__status__in=INACTIVE).select_related("query", "document")
    twins = twins_of(corpus) if fold_twins else {}
    first = {name: names[0] for name, names in twins.items()}
    rows = {
        (qrel.query_id, first.get(qrel.canonical_id, qrel.canonical_id)): _qrel_row(qrel)
        for qrel in folded(qrels, twins)
    }
    for doubt in doubts:
        rows.setdefault((doubt.query_id, first.get(doubt.canonical_id, doubt.canonical_id)), _doubt_row(doubt))
    rows = {key: _under(row, first) for key, row in rows.items()}
    ordered = sorted(rows.values(), key=lambda row: (row.query_id, row.document_id or row.canonical_id))
    return ordered if _readable_again(ordered) else [replace(row, score="") for row in ordered]


def _under(row: QrelRow, first: Mapping[str, str]) -> QrelRow:
    """The row under the first of its twins; which of the first one's documents was graded is not known."""
    if row.canonical_id not in first or first[row.canonical_id] == row.canonical_id:
        return row
    return replace(row, canonical_id=first[row.canonical_id], document_id="")


def _qrel_row(qrel: Qrel) -> QrelRow:
    imported = qrel.source == Qrel.Source.IMPORTED
    return QrelRow(
        line=0,
        query_id=qrel.query.external_id,
        document_id=qrel.gold_document.external_id if qrel.gold_document else "",
        canonical_id=qrel.canonical_id,
        grade=qrel.grade,
        score=qrel.original_score,
        origin="" if imported else qrel.source,
    )


def _doubt_row(doubt: CannotTell) -> QrelRow:
    return QrelRow(
        line=0,
        query_id=doubt.query.external_id,
        document_id=doubt.document.external_id if doubt.document else "",
        canonical_id=doubt.canonical_id,
        grade=None,
        score=doubt.original_score,
    )


def _readable_again(rows: Sequence[QrelRow]) -> bool:
    """Whether the scores as they came in, taken together, mean the grades that are settled."""
    read = [row if row.grade is None or not row.score else replace(row, grade=_number(row)) for row in rows]
    return [row.grade for row in graded(read)] == [row.grade for row in rows]


def _number(row: QrelRow) -> int:
    """The score as a whole number; one that is none differs from every grade."""
    try:
        return int(float(row.score))
    except ValueError:
        return HIGHEST + 1
