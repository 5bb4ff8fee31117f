"""Pools: drawn for READY queries from what their retrievers find, and grown by what a reviewer sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet

from curation.actions.refusal import Refused
from curation.models import Corpus, PoolKind, Query
from judging.actions.asking import Asked, Retrievers, renderings, retrievers_of
from judging.actions.drawing import Draw, Place, Shelf, draw, shelf_of
from judging.actions.keeping import keep_findings
from judging.actions.wanted import opinions_wanted
from judging.models import Candidate, Pool, Retriever
from judging.reports.findings import fresh_findings
from judging.reports.pools import without_pool

DEPTHS = {PoolKind.EXACT50: 50, PoolKind.POOLED10: 10}
TOP = 10
"""Canonical ids of every retriever but exact search."""
QUERIES_AT_ONCE = 200

Progress = Callable[[int, int, str], None]
Writing = Callable[[], AbstractContextManager[None]]


@dataclass(slots=True)
class Drawing:
    """What came of drawing. `waiting` queries could not be searched for; `because` is the reason of the first.

    `without` counts the pools that were drawn without a retriever, `without_because` is the reason of its first.
    """

    pools: int = 0
    candidates: int = 0
    waiting: int = 0
    because: str = ""
    without: dict[str, int] = field(default_factory=dict)
    without_because: dict[str, str] = field(default_factory=dict)

    def wait(self, because: str) -> None:
        """Count a query that stays without a pool."""
        self.waiting += 1
        self.because = self.because or because

    def miss(self, unanswered: Mapping[str, str]) -> None:
        """Count a pool that was drawn without these retrievers."""
        for name, because in unanswered.items():
            self.without[name] = self.without.get(name, 0) + 1
            self.without_because.setdefault(name, because)

    @property
    def in_words(self) -> str:
        """How far it is: pools, and those that lack a retriever."""
        lacking = [f"{count:,} without {Retriever(name).label}" for name, count in sorted(self.without.items())]
        return ", ".join([f"{self.pools:,} pools drawn", *lacking])


@dataclass(frozen=True, slots=True)
class Drawn:
    """A pool to be: its kind, its candidates, and why a retriever has none among them."""

    kind: PoolKind
    draw: Draw
    unanswered: Mapping[str, str]


def draw_pools(
    *,
    corpus: Corpus,
    now: datetime,
    progress: Progress | None = None,
    writing: Writing = transaction.atomic,
) -> Drawing:
    """Draw a pool for every READY query of `corpus` without one, those that turn READY meanwhile included.

    Its stratum says of which kind. A retriever that cannot answer is left out, and the pool says so; but an EXACT50
    pool waits for exact search, unless the encoder works here and cannot place the query's text at all. Every
    transaction stands in `writing()`. Done again, it draws nothing.

    Raises:
        Refused: not one of the queries could be searched for; says why.
    """
    retrievers = retrievers_of(corpus)
    drawing, last, total = Drawing(), 0, without_pool(corpus).count()
    while queries := list(without_pool(corpus).filter(pk__gt=last).select_related("stratum")[:QUERIES_AT_ONCE]):
        last = queries[-1].pk
        draws = _draws(retrievers, queries, drawing)
        with writing():
            pools = _store(retrievers, draws, drawing=drawing, now=now)
        done = drawing.pools + drawing.waiting
        total = max(done, total)
        tell = partial(progress or _untold, done, total, f"{done:,} of {total:,} queries searched, {drawing.in_words}")
        tell()
        for pool in _with_queries(pools):
            _keep_findings(pool, writing)
            tell()
    if drawing.waiting and not drawing.pools:
        count = "1 query" if drawing.waiting == 1 else f"{drawing.waiting:,} queries"
        raise Refused(f"No pool could be drawn for {count}: {drawing.because}")
    return drawing


def _draws(retrievers: Retrievers, queries: Sequence[Query], drawing: Drawing) -> dict[int, Drawn]:
    """What is drawn for each query that need not wait."""
    drawn: dict[int, Drawn] = {}
    for kind, depth in DEPTHS.items():
        asking = [query for query in queries if query.stratum.pool_kind == kind]
        asked = retrievers.ask(asking, depth=depth)
        named = {name for each in asked.values() for hits in each.rankings.values() for name, _ in hits}
        shelf = shelf_of(renderings(retrievers.exact.corpus, named))
        for query in asking:
            found = _drawn(query, kind, asked[query.pk], shelf=shelf)
            if found is None:
                drawing.wait(next(iter(asked[query.pk].unanswered.values()), "No retriever finds a document for it."))
            else:
                drawn[query.pk] = found
    return drawn


def _drawn(query: Query, kind: PoolKind, asked: Asked, *, shelf: Shelf) -> Drawn | None:
    if kind == PoolKind.EXACT50 and asked.waits:
        return None
    depths = {**dict.fromkeys(Retriever.values, TOP), Retriever.EXACT: DEPTHS[kind]}
    language = query.stratum.query_language
    drawn = draw(asked.rankings, shelf, depths=depths, language=language, cut_in_tie=asked.cut_in_tie)
    return Drawn(kind, drawn, asked.unanswered) if drawn.places or Retriever.EXACT in asked.rankings else None


def _store(retrievers: Retrievers, draws: Mapping[int, Drawn], *, drawing: Drawing, now: datetime) -> list[Pool]:
    """Write the pools of the queries that still lack one; those pools."""
    corpus = retrievers.exact.corpus
    lacking = set(without_pool(corpus).filter(pk__in=draws).values_list("pk", flat=True))
    fresh = {pk: drawn for pk, drawn in draws.items() if pk in lacking}
    wanted = opinions_wanted(corpus, fresh)
    pools = Pool.objects.bulk_create(
        Pool(
            query_id=pk,
            kind=drawn.kind,
            embedding_space=retrievers.exact.space,
            production=retrievers.production,
            unanswered=drawn.unanswered,
            depth=DEPTHS[drawn.kind],
            cut_in_tie=drawn.draw.cut_in_tie,
            opinions=wanted[pk],
            drawn_at=now,
        )
        for pk, drawn in fresh.items()
    )
    candidates = [candidate for pool in pools for candidate in _candidates(pool, fresh[pool.query_id].draw)]
    Candidate.objects.bulk_create(candidates, batch_size=1000)
    drawing.pools += len(pools)
    drawing.candidates += len(candidates)
    for drawn in fresh.values():
        drawing.miss(drawn.unanswered)
    return pools


def _untold(done: int, total: int, words: str) -> None:
    """Progress that nobody asked for."""


def _with_queries(pools: Sequence[Pool]) -> QuerySet[Pool]:
    keys = [pool.pk for pool in pools]
    return Pool.objects.filter(pk__in=keys).select_related("query__stratum", "query__need").order_by("pk")


def _keep_findings(pool: Pool, writing: Writing) -> None:
    """Read the texts of a pool before anybody opens it; outside of a transaction, because it takes its time."""
    fresh = fresh_findings(pool)
    with writing():
        keep_findings(fresh=fresh)


def _candidates(pool: Pool, drawn: Draw) -> list[Candidate]:
    """The candidates in an order of their own: their keys stand on the page and must not tell their ranks."""
    return [
        Candidate(
            pool=pool,
            document_id=place.shown.pk,
            canonical_id=place.shown.canonical_id,
            exact_rank=place.origins.get(Retriever.EXACT),
            score=place.score,
            origins=place.origins,
            folded=list(place.folded),
        )
        for place in sorted(drawn.places, key=lambda place: _shuffled(pool, place))
    ]


def _shuffled(pool: Pool, place: Place) -> bytes:
    return sha256(f"{pool.pk}:{place.shown.pk}".encode()).digest()
