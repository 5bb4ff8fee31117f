"""The retrievers of a corpus as pools ask them: exact search as deep as it takes, BM25 and the production index beside.

A retriever that cannot answer stops no other. Runs in jobs and commands only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from curation.actions.lookups import rows_in
from curation.indexes.base import Index, IndexRefused
from curation.models import Corpus, Document, EmbeddingSpace, Query, TargetIndex
from curation.reports.exact_search import exact_answers
from curation.reports.indexes import answers, open_index, space_of
from curation.retrieval.encoders import EncoderAway, TextsRefused, names
from curation.retrieval.vectors import VectorsRefused
from judging.actions.drawing import Hit, Rendering, reach
from judging.models import Retriever

Kind = TargetIndex.Kind
# Documents asked for at first; four times as many each time translations fold them into too few canonical ids.
FIRST_LOOK, DEEPER = 200, 4
LOOK = 100  # documents of any other retriever, among which its first ten canonical ids are taken


@dataclass(slots=True)
class Asked:
    """What came of asking for one query: hits by retriever, and the reason of each that could not answer.

    `waits` tells that exact search could answer once something is brought or is up again.
    """

    rankings: dict[str, Sequence[Hit]] = field(default_factory=dict)
    unanswered: dict[str, str] = field(default_factory=dict)
    cut_in_tie: int = 0
    waits: bool = False


@dataclass(slots=True)
class Beside:
    """A retriever beside exact search, opened once; `because` is why it cannot be asked (any more)."""

    index: TargetIndex
    opened: Index | None = None
    because: str = ""

    def ask(self, queries: Sequence[Query], asked: dict[int, Asked], *, name: str) -> None:
        """Note its first documents for each query; where it refuses several, each half is asked alone."""
        try:
            rankings = self._rankings(queries)
        except (IndexRefused, EncoderAway) as refusal:
            self.because = str(refusal)  # it is not waited for again
            rankings = []
        except (TextsRefused, VectorsRefused) as refusal:
            if len(queries) > 1:
                half = len(queries) // 2
                self.ask(queries[:half], asked, name=name)
                self.ask(queries[half:], asked, name=name)
            else:
                asked[queries[0].pk].unanswered[name] = str(refusal)
            return
        for number, query in enumerate(queries):
            if self.because:
                asked[query.pk].unanswered[name] = self.because
            elif rankings[number] or self.index.kind != Kind.RUN:
                asked[query.pk].rankings[name] = rankings[number]
            else:
                asked[query.pk].unanswered[name] = f"The run of {self.index.name} does not hold this query."

    def _rankings(self, queries: Sequence[Query]) -> Sequence[Sequence[Hit]]:
        if self.because:
            return []
        self.opened = self.opened or open_index(self.index)
        return answers(self.index, queries, LOOK, opened=self.opened)


@dataclass(slots=True)
class ExactSearch:
    """Exact search in the present space, None where there are no vectors; `because` is why it cannot be asked."""

    corpus: Corpus
    space: EmbeddingSpace | None
    because: str = ""

    def ask(self, queries: Sequence[Query], asked: dict[int, Asked], *, depth: int) -> None:
        """Note its documents for each query until they hold `depth` canonical ids, or why it has none.

        It looks deeper where translations take the first places.
        """
        if self.space is None:
            self.because = f"Corpus {self.corpus.slug} has no vectors yet: import them, or encode it with an encoder."
        look, rows = FIRST_LOOK, self.space.rows if self.space else 0
        while queries:
            self._look(queries, asked, k=min(look, rows))
            queries = [] if look >= rows else self._shallow(queries, asked, depth)
            look *= DEEPER

    def _look(self, queries: Sequence[Query], asked: dict[int, Asked], *, k: int) -> None:
        if self.space is None or self.because:
            return _refuse(queries, asked, self.because, waits=True)
        try:
            for answer in exact_answers(self.space, queries, k=k):
                asked[answer.query_pk].rankings[Retriever.EXACT] = answer.hits
                asked[answer.query_pk].cut_in_tie = answer.cut_in_tie
        except EncoderAway as away:
            self.because = str(away)  # it is not waited for again
            _refuse(queries, asked, self.because, waits=True)
        except (TextsRefused, VectorsRefused) as refusal:
            if len(queries) == 1:
                return _refuse(queries, asked, str(refusal), waits=not _is_unplaced(self.space, refusal))
            half = len(queries) // 2
            self._look(queries[:half], asked, k=k)
            self._look(queries[half:], asked, k=k)

    def _shallow(self, queries: Sequence[Query], asked: dict[int, Asked], depth: int) -> list[Query]:
        """The queries whose hits do not reach the depth."""
        hits = {query.pk: asked[query.pk].rankings.get(Retriever.EXACT, ()) for query in queries}
        known = renderings(self.corpus, {name for found in hits.values() for name, _ in found})
        return [query for query in queries if (found := hits[query.pk]) and not reach(found, known, depth=depth)]


def _refuse(queries: Sequence[Query], asked: dict[int, Asked], because: str, *, waits: bool) -> None:
    for query in queries:
        asked[query.pk].unanswered[Retriever.EXACT] = because
        asked[query.pk].waits = waits


def _is_unplaced(space: EmbeddingSpace, refusal: ValueError) -> bool:
    """Whether the encoder works here and cannot place this one text, now or later."""
    return isinstance(refusal, TextsRefused) and bool(refusal.positions) and space.encoder in names()


@dataclass(slots=True)
class Retrievers:
    """The retrievers of a corpus: exact search, and the others by name."""

    exact: ExactSearch
    production: TargetIndex | None
    beside: dict[str, Beside]

    def ask(self, queries: Sequence[Query], *, depth: int) -> dict[int, Asked]:
        """What each retriever answers to the queries (with their strata), by their keys; exact search to `depth`."""
        asked = {query.pk: Asked() for query in queries}
        self.exact.ask(queries, asked, depth=depth)
        for name, retriever in self.beside.items():
            retriever.ask(queries, asked, name=name)
        return asked


def retrievers_of(corpus: Corpus) -> Retrievers:
    """The retrievers that pools of `corpus` are drawn from now; the production index where it is another one."""
    space = corpus.embedding_spaces.filter(current=True).first()
    production = corpus.indexes.filter(is_production=True).first()
    beside = {str(Retriever.BM25): Beside(TargetIndex(corpus=corpus, name="bm25", kind=Kind.BM25))}
    if production is not None and production.kind != Kind.BM25 and not _is_exact(production, space):
        beside[Retriever.PRODUCTION] = Beside(production)
    return Retrievers(ExactSearch(corpus, space), production, beside)


def _is_exact(index: TargetIndex, space: EmbeddingSpace | None) -> bool:
    return index.kind == Kind.EXACT and (space is None or space_of(index) == space)


def renderings(corpus: Corpus, external_ids: set[str]) -> dict[str, Rendering]:
    """The documents that stand, by external id, and the other renderings of their articles."""
    rows = Document.objects.filter(corpus=corpus, gone_at=None)
    told = rows.values_list("external_id", "pk", "canonical_id", "language", "is_source")
    ranked = {row[0]: Rendering(*row[1:]) for row in rows_in(told, "external_id", external_ids)}
    articles = {rendering.canonical_id for rendering in ranked.values()}
    return {row[0]: Rendering(*row[1:]) for row in rows_in(told, "canonical_id", articles)}
