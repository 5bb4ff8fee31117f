"""The gold of a judged query: which settled answer it is, and the corpus language that follows from it."""

from collections.abc import Iterable, Sequence

from curation.actions.lookups import rows_in
from curation.actions.strata import strata_for
from curation.models import Corpus, Document, Qrel, Query
from curation.reports.places import UNKNOWN_LANGUAGE, Rendering, StratumKey, corpus_language_of, key_of

Ranks = dict[tuple[int, str], int]
"""Exact rank by (query id, canonical id), for the queries that have a pool."""

LAST = 2**31


def gold_of(query: Query, qrels: Sequence[Qrel], *, relevant_from: int, ranks: Ranks) -> str:
    """The gold canonical id of a query by its settled grades, "" where none of them is relevant.

    The need's gold where it is settled relevant, else the highest grade; ties go by exact rank in the query's pool,
    then by canonical id.
    """
    relevant = [qrel for qrel in qrels if qrel.grade >= relevant_from]
    wanted = query.need.gold_canonical_id if query.need else ""
    if any(qrel.canonical_id == wanted for qrel in relevant):
        return wanted
    best = min(
        relevant,
        key=lambda qrel: (-qrel.grade, ranks.get((query.pk, qrel.canonical_id), LAST), qrel.canonical_id),
        default=None,
    )
    return best.canonical_id if best else ""


def renderings_of(corpus: Corpus, canonical_ids: Iterable[str]) -> dict[str, list[Rendering]]:
    """The documents that still stand in the corpus, by canonical id."""
    found: dict[str, list[Rendering]] = {}
    rows = Document.objects.filter(corpus=corpus, gone_at=None).values_list("canonical_id", "language", "is_source")
    for canonical_id, language, is_source in rows_in(rows, "canonical_id", canonical_ids):
        found.setdefault(canonical_id, []).append(Rendering(language, is_source))
    return found


def settle_corpus_language(corpus: Corpus, queries: Sequence[Query], qrels: dict[int, list[Qrel]]) -> list[str]:
    """Give each query whose corpus language is unknown the stratum that its gold names; nothing is saved here.

    Returns a sentence for each query that stays, because another wording of its need holds its place.
    """
    open_queries = [
        query for query in queries if query.gold_canonical_id and query.stratum.corpus_language == UNKNOWN_LANGUAGE
    ]
    if not open_queries:
        return []
    renderings = renderings_of(corpus, (query.gold_canonical_id for query in open_queries))
    told = _languages_of_golds(open_queries, qrels)
    moves: list[tuple[Query, StratumKey]] = []
    for query in open_queries:
        settled = told.get(query.pk, UNKNOWN_LANGUAGE)
        language = corpus_language_of(renderings.get(query.gold_canonical_id, ()), settled)
        if language != UNKNOWN_LANGUAGE:
            moves.append((query, key_of(query.stratum)._replace(corpus_language=language)))
    return _moved(corpus, moves)


def _languages_of_golds(queries: Iterable[Query], qrels: dict[int, list[Qrel]]) -> dict[int, str]:
    """The language of the document that the gold of each query was settled for, where that is known."""
    settled = {
        query.pk: qrel.gold_document_id
        for query in queries
        for qrel in qrels.get(query.pk, ())
        if qrel.canonical_id == query.gold_canonical_id and qrel.gold_document_id
    }
    languages = dict(rows_in(Document.objects.values_list("pk", "language"), "pk", settled.values()))
    return {query: languages[document] for query, document in settled.items()}


def _moved(corpus: Corpus, moves: Sequence[tuple[Query, StratumKey]]) -> list[str]:
    strata = strata_for(corpus=corpus, keys=(key for _, key in moves))
    rows = Query.objects.exclude(status=Query.Status.RETIRED).values_list("need_id", "stratum_id", "external_id")
    needs = (query.need_id for query, _ in moves if query.need_id)
    found = rows_in(rows, "need_id", needs)
    held: dict[tuple[int | None, int], str] = {(need, stratum): name for need, stratum, name in found}
    collisions = []
    for query, key in moves:
        holder = held.get((query.need_id, strata[key].pk))
        if holder is not None:
            collisions.append(
                f"Query {query.external_id} stays without a corpus language: query {holder} already words the same "
                f"need in {strata[key]}. Retire one of the two."
            )
            continue
        if query.need_id:
            held[query.need_id, strata[key].pk] = query.external_id
        query.stratum = strata[key]
    return collisions
