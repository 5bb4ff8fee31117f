"""The hard negatives of the newest run, query by query, in the light of what is settled by now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, QuerySet

from curation.models import CannotTell, Corpus, DocumentText, HardNegative, Miner, MiningRun, Qrel, Query

from .review import newest_run

QUERIES_A_PAGE = 20


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a mined document by now.

    `kind`: judged (not relevant), derived (grade 0 of a near-duplicate group), relevant, cannot_tell, or unjudged,
    which may be relevant after all and is no negative yet.
    """

    kind: str
    grade: int | None = None


@dataclass(frozen=True, slots=True)
class Mined:
    """One document of the list with its title and standing."""

    negative: HardNegative
    title: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class QueryRow:
    """A query, the canonical ids settled relevant for it, and its documents by rank."""

    query: Query
    relevant: tuple[str, ...]
    mined: tuple[Mined, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the queries that the run found negatives for."""

    run: MiningRun
    page: Page[Query]
    rows: list[QueryRow]


def listing(corpus: Corpus, *, matching: str, doubtful: bool, page: str | None) -> Listing | None:
    """The page with the number `page` (the nearest there is); None where no run has finished.

    With `doubtful`, only queries with a document that nobody has judged.
    """
    run = newest_run(corpus, Miner.HARD_NEGATIVE)
    if run is None:
        return None
    queries = Paginator(queries_with_negatives(run, matching=matching, doubtful=doubtful), QUERIES_A_PAGE)
    found = queries.get_page(page)
    return Listing(run, found, rows_of(corpus, run, list(found.object_list)))


def queries_with_negatives(run: MiningRun, *, matching: str, doubtful: bool) -> QuerySet[Query]:
    """Queries the run found negatives for; only those with an unjudged document where `doubtful`."""
    mined = HardNegative.objects.filter(run=run, query=OuterRef("pk"))
    if doubtful:
        qrels = Qrel.objects.filter(query=OuterRef("query"), canonical_id=OuterRef("canonical_id"))
        untold = CannotTell.objects.filter(query=OuterRef("query"), canonical_id=OuterRef("canonical_id"))
        mined = mined.filter(~Exists(qrels), ~Exists(untold))
    queries = Query.objects.filter(Exists(mined)).exclude(status=Query.Status.RETIRED)
    words = matching.strip()
    return (queries.filter(text__icontains=words) if words else queries).select_related("stratum").order_by("pk")


def rows_of(corpus: Corpus, run: MiningRun, queries: Sequence[Query]) -> list[QueryRow]:
    """The queries with their documents. The number of database queries does not depend on how many there are."""
    keys = [query.pk for query in queries]
    negatives = list(run.hard_negatives.filter(query__in=keys).select_related("document").order_by("rank"))
    titles = _titles(negatives)
    qrels = {(qrel.query_id, qrel.canonical_id): qrel for qrel in Qrel.objects.filter(query__in=keys)}
    untold = set(CannotTell.objects.filter(query__in=keys).values_list("query_id", "canonical_id"))
    known = {negative: _standing(corpus, negative, qrels=qrels, untold=untold) for negative in negatives}
    settled = {pair for pair, qrel in qrels.items() if _relevant(corpus, qrel)}
    return [
        QueryRow(
            query,
            relevant=tuple(sorted(name for key, name in settled if key == query.pk)),
            mined=tuple(Mined(n, titles.get(n.document_id, ""), known[n]) for n in negatives if n.query_id == query.pk),
        )
        for query in queries
    ]


def _titles(negatives: Sequence[HardNegative]) -> dict[int, str]:
    texts = DocumentText.objects.filter(document__in={negative.document_id for negative in negatives}, current=True)
    return {text.document_id: str(text) for text in texts}


def _relevant(corpus: Corpus, qrel: Qrel) -> bool:
    return qrel.grade >= corpus.relevant_from


def _standing(
    corpus: Corpus, negative: HardNegative, *, qrels: dict[tuple[int, str], Qrel], untold: set[tuple[int, str]]
) -> Standing:
    pair = (negative.query_id, negative.canonical_id)
    qrel = qrels.get(pair)
    if qrel is None:
        return Standing("cannot_tell" if pair in untold else "unjudged")
    if _relevant(corpus, qrel):
        return Standing("relevant", qrel.grade)
    return Standing("derived" if qrel.source == Qrel.Source.DERIVED else "judged", qrel.grade)
