"""What answers a corpus's queries: how each retriever is asked, and which there are beside the one that is mined.

Runs in jobs and commands only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curation.indexes.base import Index
from curation.miners.hard_negative import Search
from curation.models import Corpus, EmbeddingSpace, Query, QueryScore, RankedRun, TargetIndex
from curation.reports.exact_search import placed_answers
from curation.reports.indexes import answers, open_index
from curation.retrieval.encoders import TextsRefused

Answers = Sequence[Sequence[tuple[str, float]]]
ELSEWHERE = frozenset(TargetIndex.Kind) - {TargetIndex.Kind.EXACT, TargetIndex.Kind.RUN}


def fingerprint_of(index: TargetIndex, *, opened: Index) -> str:
    """The hash of what the index answers from, asked of the `opened` index where the database does not know it.

    Ask before the first search: an index may be replaced while it is searched, and the hash is that of its answers.

    Raises:
        IndexRefused: it does not answer.
    """
    return opened.fingerprint() if index.kind in ELSEWHERE else stored_fingerprint(index)


def stored_fingerprint(index: TargetIndex) -> str:
    """The hash of what the index answers from, as far as the database knows: of its run, or of its vectors, else ""."""
    if index.kind in ELSEWHERE:
        return ""
    if index.kind == TargetIndex.Kind.RUN:
        run = RankedRun.objects.filter(index=index).order_by("-measured_at", "-pk").first()
        return run.sha256 if run else ""
    space = index.embedding_space or EmbeddingSpace.objects.filter(corpus=index.corpus_id, current=True).first()
    return space.sha256 if space else ""


def exact_search(space: EmbeddingSpace, queries: Mapping[str, Query]) -> Search:
    """Exact search over `space` for queries by external id; one whose text cannot be placed has no answer.

    What it returns raises TextsRefused where the encoder does not run here and a query brought no vector.
    """

    def search(names: Sequence[str], k: int) -> Answers:
        asked = [queries[name] for name in names]
        found = {answer.query_pk: answer.hits for answer in placed_answers(space, asked, k=k)}
        return [found.get(query.pk, ()) for query in asked]

    return search


def run_search(run: RankedRun, queries: Mapping[str, Query]) -> Search:
    """The answers of a run for queries by external id. It keeps ranks and no scores, so these count down to 1."""

    def search(names: Sequence[str], k: int) -> Answers:
        asked = [queries[name].pk for name in names]
        rows = QueryScore.objects.filter(run=run, query__in=asked).order_by("k")
        found = dict(rows.values_list("query_id", "hits"))
        return [_counted_down(found.get(key, [])[:k]) for key in asked]

    return search


def _counted_down(hits: Sequence[str]) -> list[tuple[str, float]]:
    return [(external_id, float(len(hits) - place)) for place, external_id in enumerate(hits)]


def others(index: TargetIndex, queries: Mapping[str, Query]) -> dict[str, Search]:
    """By name, every retriever of the corpus beside `index`: exact search, its BM25, the newest run of each other."""
    found: dict[str, Search] = {}
    space = index.corpus.embedding_spaces.filter(current=True).first()
    if space and index.kind != TargetIndex.Kind.EXACT:
        found["exact"] = _where_placed(exact_search(space, queries))
    for by_words in index.corpus.indexes.filter(kind=TargetIndex.Kind.BM25).exclude(pk=index.pk):
        found[by_words.name] = _word_search(by_words, queries)
    return found | {run.name: run_search(run, queries) for run in _runs(index.corpus, beside=index)}


def _word_search(index: TargetIndex, queries: Mapping[str, Query]) -> Search:
    opened = open_index(index)
    return lambda names, k: answers(index, [queries[name] for name in names], k, opened=opened)


def _where_placed(search: Search) -> Search:
    """`search` without the queries that it cannot encode here: a retriever has no say where it cannot be asked."""

    def placed(names: Sequence[str], k: int) -> Answers:
        try:
            return search(names, k)
        except TextsRefused:
            return [_alone(search, name, k) for name in names]

    return placed


def _alone(search: Search, name: str, k: int) -> Sequence[tuple[str, float]]:
    try:
        return search([name], k)[0]
    except TextsRefused:
        return ()


def _runs(corpus: Corpus, *, beside: TargetIndex) -> list[RankedRun]:
    """The newest imported run of each index but `beside`, and each that belongs to none, by name."""
    imported = RankedRun.objects.filter(corpus=corpus, embedding_space=None).exclude(index=beside)
    imported = imported.exclude(index__kind=TargetIndex.Kind.BM25)  # that one answers itself
    newest: dict[object, RankedRun] = {}
    for run in imported.order_by("measured_at", "pk"):
        newest[run.index_id or run.name] = run
    return sorted(newest.values(), key=lambda run: run.name)
