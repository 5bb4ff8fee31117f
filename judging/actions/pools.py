"""Pools: drawn by exact search for READY queries, and grown by what a reviewer sends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from curation.actions.lookups import rows_in
from curation.actions.refusal import Refused
from curation.models import Corpus, Document, EmbeddingSpace, Query
from curation.reports.exact_search import Answer, current_space, exact_answers
from curation.retrieval.encoders import EncoderAway, TextsRefused
from curation.retrieval.vectors import VectorsRefused
from judging.actions.drawing import Draw, Rendering, draw, reach
from judging.actions.wanted import opinions_wanted
from judging.models import Candidate, Pool
from judging.reports.pools import without_pool

DEPTH = 50
# Documents asked for at first; four times as many each time translations fold them into too few canonical ids.
FIRST_LOOK, DEEPER = 200, 4
QUERIES_AT_ONCE = 200
EXACT = "exact"

Progress = Callable[[int, int, str], None]
Writing = Callable[[], AbstractContextManager[None]]


@dataclass(slots=True)
class Drawing:
    """What came of drawing. `waiting` queries could not be searched for; `because` is the reason of the first."""

    pools: int = 0
    candidates: int = 0
    waiting: int = 0
    because: str = ""

    def wait(self, queries: int, because: str) -> None:
        """Count queries that stay without a pool."""
        self.waiting += queries
        self.because = self.because or because


def draw_pools(
    *,
    corpus: Corpus,
    now: datetime,
    progress: Progress | None = None,
    writing: Writing = transaction.atomic,
) -> Drawing:
    """Draw a pool for every READY query of `corpus` without one, those that turn READY meanwhile included.

    Every transaction stands in `writing()`. Done again, it draws nothing.

    Raises:
        VectorsRefused: the corpus has no vectors.
        Refused: not one of the queries could be searched for; says why.
    """
    space = current_space(corpus)
    drawing, last, total = Drawing(), 0, without_pool(corpus).count()
    while queries := list(without_pool(corpus).filter(pk__gt=last)[:QUERIES_AT_ONCE]):
        last = queries[-1].pk
        draws = _Search(space, drawing).draws(queries)
        with writing():
            _store(space, draws, drawing=drawing, now=now)
        if progress:
            done = drawing.pools + drawing.waiting
            progress(
                done,
                max(done, total),
                f"{done:,} of {max(done, total):,} queries searched, {drawing.pools:,} pools drawn",
            )
    if drawing.waiting and not drawing.pools:
        raise Refused(f"No pool could be drawn for {drawing.waiting:,} queries: {drawing.because}")
    return drawing


@dataclass(slots=True)
class _Search:
    """Exact search for some queries, deeper for those whose first documents are translations of each other."""

    space: EmbeddingSpace
    drawing: Drawing
    found: dict[int, Draw] = field(default_factory=dict)

    def draws(self, queries: Sequence[Query]) -> dict[int, Draw]:
        look = FIRST_LOOK
        while queries:
            answers = self._answers(queries, k=min(look, self.space.rows))
            shallow = self._take(answers, last_look=look >= self.space.rows)
            queries = [query for query in queries if query.pk in shallow]
            look *= DEEPER
        return self.found

    def _answers(self, queries: Sequence[Query], *, k: int) -> list[Answer]:
        """The answers; where the queries are refused, those of each half, so that one refused query stops no other."""
        try:
            return list(exact_answers(self.space, queries, k=k))
        except EncoderAway as away:
            raise Refused(str(away)) from away
        except (TextsRefused, VectorsRefused) as refusal:
            if len(queries) == 1:
                self.drawing.wait(1, str(refusal))
                return []
        half = len(queries) // 2
        return [*self._answers(queries[:half], k=k), *self._answers(queries[half:], k=k)]

    def _take(self, answers: Sequence[Answer], *, last_look: bool) -> set[int]:
        """Draw from the answers that reach deep enough; the keys of the other queries."""
        known = self._renderings({external_id for answer in answers for external_id, _ in answer.hits})
        shallow = set()
        for answer in answers:
            if last_look or reach(answer.hits, known, depth=DEPTH):
                self.found[answer.query_pk] = draw(answer.hits, known, depth=DEPTH, cut_in_tie=answer.cut_in_tie)
            else:
                shallow.add(answer.query_pk)
        return shallow

    def _renderings(self, external_ids: set[str]) -> dict[str, Rendering]:
        """The documents that stand, by external id, and the other renderings of their articles."""
        rows = Document.objects.filter(corpus=self.space.corpus, gone_at=None)
        told = rows.values_list("external_id", "pk", "canonical_id", "language")
        ranked = {row[0]: Rendering(*row[1:]) for row in rows_in(told, "external_id", external_ids)}
        articles = {rendering.canonical_id for rendering in ranked.values()}
        return {row[0]: Rendering(*row[1:]) for row in rows_in(told, "canonical_id", articles)}


def _store(space: EmbeddingSpace, draws: dict[int, Draw], *, drawing: Drawing, now: datetime) -> None:
    """Write the pools of the queries that still lack one."""
    lacking = set(without_pool(space.corpus).filter(pk__in=draws).values_list("pk", flat=True))
    fresh = {pk: drawn for pk, drawn in draws.items() if pk in lacking}
    wanted = opinions_wanted(space.corpus, fresh)
    pools = [
        Pool(
            query_id=pk,
            embedding_space=space,
            depth=DEPTH,
            cut_in_tie=drawn.cut_in_tie,
            opinions=wanted[pk],
            drawn_at=now,
        )
        for pk, drawn in fresh.items()
    ]
    pools = Pool.objects.bulk_create(pools)
    candidates = [candidate for pool in pools for candidate in _candidates(pool, fresh[pool.query_id])]
    Candidate.objects.bulk_create(candidates, batch_size=1000)
    drawing.pools += len(pools)
    drawing.candidates += len(candidates)


def _candidates(pool: Pool, drawn: Draw) -> list[Candidate]:
    return [
        Candidate(
            pool=pool,
            document_id=place.shown.pk,
            canonical_id=place.shown.canonical_id,
            exact_rank=place.rank,
            score=place.score,
            origins=[EXACT],
            folded=list(place.folded),
        )
        for place in drawn.places
    ]
