"""What a run scores for a query: written with the run, and again when a query is settled."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from curation.actions.lookups import blocks, overwrite, rows_in
from curation.measures.hit import gold_rank
from curation.models import Corpus, Document, Query, QueryScore
from curation.reports.prepared import CORPUS, KEY, PreparedRows

BATCH = 500


def rank_golds_again(*, corpus: Corpus, queries: Sequence[Query]) -> None:
    """Look up anew where the gold of `queries` stands in every run that answered them."""
    golds = {query.pk: query.gold_canonical_id for query in queries}
    scores = [score for block in blocks(golds) for score in _scores_asked().rows({CORPUS: corpus.pk, KEY: block})]
    if not scores:
        return
    canonical = canonical_ids(corpus, (external_id for score in scores for external_id in score.hits))
    for score in scores:
        score.gold_rank = rank_of_gold(score.hits, golds[score.query_id], canonical)
    overwrite(scores, ["gold_rank"])


@cache
def _scores_asked() -> PreparedRows[QueryScore]:
    return PreparedRows(QueryScore.objects.filter(run__corpus=CORPUS, query__in=[KEY]))


def canonical_ids(corpus: Corpus, external_ids: Iterable[str]) -> dict[str, str]:
    """The canonical ids of documents by their external ids, those that are gone included."""
    rows = Document.objects.filter(corpus=corpus).values_list("external_id", "canonical_id")
    return dict(rows_in(rows, "external_id", external_ids))


def rank_of_gold(hits: Sequence[str], gold: str, canonical: Mapping[str, str]) -> int | None:
    """Where `gold` first stands among `hits` (external ids, best first), from 1; None where it does not."""
    return gold_rank([canonical.get(hit, hit) for hit in hits], gold) if gold else None
