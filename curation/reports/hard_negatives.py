"""The hard negatives of the newest run, query by query, in the light of what is settled by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Exists, F, Min, OuterRef, QuerySet, Subquery

from curation.miners.hard_negative import WANTED
from curation.models import CannotTell, Corpus, DocumentText, HardNegative, Miner, MiningRun, Qrel, Query
from curation.reports.negative_standing import Standing, settled, standings

from .review import newest_run

QUERIES_A_PAGE = 20
UNJUDGED, SUSPECTED, UNMINED = "unjudged", "suspected", "unmined"


@dataclass(frozen=True, slots=True)
class Mined:
    """One document of the list with its title and standing, and where the other retrievers rank it."""

    negative: HardNegative
    title: str
    standing: Standing

    @property
    def is_suspected(self) -> bool:
        """Whether it may be a false negative: nobody judged it, and every retriever ranks it high."""
        return self.standing.kind == "unjudged" and self.negative.lowest_place is not None

    @property
    def places(self) -> list[tuple[str, int | None]]:
        """The other retrievers by name, each with the place it gives."""
        return sorted(self.negative.places.items())


@dataclass(frozen=True, slots=True)
class QueryRow:
    """A query, the canonical ids settled relevant for it, its documents by rank, and how many it is short of."""

    query: Query
    relevant: tuple[str, ...]
    mined: tuple[Mined, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the queries that the run found negatives for, or of those that were `unmined` where these are asked.

    `suspected` counts the documents of the run that may be false negatives, `unmined` the queries without a relevant
    document.
    """

    run: MiningRun
    page: Page[Query]
    rows: list[QueryRow]
    suspected: int
    unmined: int


def listing(corpus: Corpus, *, matching: str, show: str, page: str | None) -> Listing | None:
    """The page with the number `page` (the nearest there is); None where no run has finished.

    `show` narrows it: UNJUDGED to queries with a document that nobody has judged, SUSPECTED to those with one that
    every retriever ranks high, too; UNMINED lists the queries that were left out instead.
    """
    run = newest_run(corpus, Miner.HARD_NEGATIVE)
    if run is None:
        return None
    left_out = unmined(corpus)
    asked = left_out if show == UNMINED else queries_with_negatives(run, show=show)
    found = Paginator(_matching(asked, matching), QUERIES_A_PAGE).get_page(page)
    rows = [] if show == UNMINED else rows_of(corpus, run, list(found.object_list))
    return Listing(run, found, rows, suspected=suspects(run).count(), unmined=left_out.count())


def _matching(queries: QuerySet[Query], words: str) -> QuerySet[Query]:
    return queries.filter(text__icontains=words.strip()) if words.strip() else queries


def unmined(corpus: Corpus) -> QuerySet[Query]:
    """The queries for which no relevant document is settled, so that nothing can be a negative of them yet."""
    relevant = Qrel.objects.filter(query=OuterRef("pk"), grade__gte=corpus.relevant_from)
    queries = corpus.queries.exclude(status=Query.Status.RETIRED).filter(~Exists(relevant))
    return queries.select_related("stratum").order_by("pk")


def unjudged(run: MiningRun) -> QuerySet[HardNegative]:
    """What the run found that nobody has judged by now, of the queries that still stand."""
    pair = {"query": OuterRef("query"), "canonical_id": OuterRef("canonical_id")}
    judged, untold = Qrel.objects.filter(**pair), CannotTell.objects.filter(**pair)
    return run.hard_negatives.exclude(query__status=Query.Status.RETIRED).filter(~Exists(judged), ~Exists(untold))


def suspects(run: MiningRun) -> QuerySet[HardNegative]:
    """The unjudged documents that every retriever ranks high, those ranked highest by all first."""
    found = unjudged(run).filter(lowest_place__isnull=False).select_related("query", "document")
    return found.order_by("lowest_place", "pk")


def queries_with_negatives(run: MiningRun, *, show: str = "") -> QuerySet[Query]:
    """Queries the run found negatives for, as `show` narrows them; those with a suspect first."""
    mined = {UNJUDGED: unjudged(run), SUSPECTED: suspects(run)}.get(show, run.hard_negatives.all())
    queries = Query.objects.filter(pk__in=mined.order_by().values("query")).exclude(status=Query.Status.RETIRED)
    own = suspects(run).order_by().filter(query=OuterRef("pk")).values("query")
    first = Subquery(own.annotate(place=Min("lowest_place")).values("place"))
    return queries.select_related("stratum").annotate(first=first).order_by(F("first").asc(nulls_last=True), "pk")


def rows_of(corpus: Corpus, run: MiningRun, queries: Sequence[Query]) -> list[QueryRow]:
    """The queries with their documents. The number of database queries does not depend on how many there are."""
    keys = [query.pk for query in queries]
    negatives = list(run.hard_negatives.filter(query__in=keys).select_related("document").order_by("rank"))
    known = settled(corpus, keys)
    titles, standing = _titles(negatives), standings(corpus, negatives, known)
    wanted = run.params.get("wanted", WANTED)
    mined: Mapping[int, list[Mined]] = {key: [] for key in keys}
    for negative in negatives:
        mined[negative.query_id].append(Mined(negative, titles.get(negative.document_id, ""), standing[negative.pk]))
    return [
        QueryRow(
            query,
            relevant=tuple(known.relevant(query.pk)),
            mined=tuple(mined[query.pk]),
            missing=wanted - len(mined[query.pk]),
        )
        for query in queries
    ]


def _titles(negatives: Sequence[HardNegative]) -> dict[int, str]:
    texts = DocumentText.objects.filter(document__in={negative.document_id for negative in negatives}, current=True)
    return {text.document_id: str(text) for text in texts}
