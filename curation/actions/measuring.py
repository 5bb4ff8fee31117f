"""Where golds stand in runs: written with the run, when a query is settled, and when documents come, go or move."""

from collections.abc import Collection, Iterable, Sequence
from functools import cache

from curation.actions.lookups import blocks, overwrite, rows_in
from curation.models import Corpus, Query, QueryScore
from curation.reports.prepared import CORPUS, KEY, PreparedRows
from curation.reports.standing import articles_of, articles_standing, rank_of_gold


def rank_golds_again(*, corpus: Corpus, queries: Sequence[Query]) -> None:
    """Look up anew where the gold of `queries` stands in every run that answered them."""
    golds = {query.pk: query.gold_canonical_id for query in queries}
    scores = [score for block in blocks(golds) for score in _scores_asked().rows({CORPUS: corpus.pk, KEY: block})]
    if not scores:
        return
    standing = standing_among(corpus, (external_id for score in scores for external_id in score.hits))
    for score in scores:
        score.gold_rank = rank_of_gold(articles_of(score.hits, standing), golds[score.query_id])
    overwrite(scores, ["gold_rank"])


@cache
def _scores_asked() -> PreparedRows[QueryScore]:
    return PreparedRows(QueryScore.objects.filter(run__corpus=CORPUS, query__in=[KEY]))


def rank_moved_golds(*, corpus: Corpus, articles: Collection[str]) -> None:
    """Look up anew where the golds among `articles` (canonical ids) stand, which other documents render than before.

    Call it in the transaction that wrote the documents, behind `qrels.hold`: a run that is stored meanwhile waits.
    """
    golds = Query.objects.filter(corpus=corpus).exclude(gold_canonical_id="")
    named = golds.values_list("pk", "gold_canonical_id").iterator()
    for block in blocks(query for query, gold in named if gold in articles):
        rank_golds_again(corpus=corpus, queries=list(golds.filter(pk__in=block)))


def standing_among(corpus: Corpus, external_ids: Iterable[str]) -> dict[str, str]:
    """The canonical ids of those of the documents that stand in the corpus, by their external ids."""
    return dict(rows_in(articles_standing(corpus), "external_id", external_ids))
