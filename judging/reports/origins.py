"""Who put each candidate of a query into its pool. Nobody reads it who is judging the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from curation.models import DocumentText, Query, User
from judging.models import HOLDS, Assignment, Candidate, Pool, Retriever
from judging.models.pools import best_place


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate with its title, the rank each retriever gave it (None for none), and whoever else sent it."""

    candidate: Candidate
    title: str
    ranks: tuple[int | None, ...]
    sent_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PoolOrigins:
    """A pool, its candidates the best-ranked first, and why a retriever has none among them."""

    retrievers = tuple(Retriever.labels)

    pool: Pool
    found: tuple[Found, ...]

    @property
    def unanswered(self) -> list[tuple[str, str]]:
        """Each retriever that could not answer, and its reason."""
        return [(Retriever(name).label, because) for name, because in sorted(self.pool.unanswered.items())]


def origins_of(query: Query) -> list[PoolOrigins]:
    """The pools of `query`, the drawn one first."""
    pools = list(query.pools.select_related("production").order_by("pk"))
    candidates = list(Candidate.objects.filter(pool__in=pools).select_related("document"))
    texts = DocumentText.objects.filter(current=True, document__in=[each.document_id for each in candidates])
    titles = {text.document_id: str(text) for text in texts}
    return [
        PoolOrigins(pool, _found([each for each in candidates if each.pool_id == pool.pk], titles)) for pool in pools
    ]


def is_judging(person: User, query: Query) -> bool:
    """Whether the person is in the middle of judging `query`."""
    own = Assignment.objects.filter(assessor=person, pool__query=query)
    return own.filter(HOLDS | Q(reopened_at__isnull=False)).exists()


def _found(candidates: Sequence[Candidate], titles: dict[int, str]) -> tuple[Found, ...]:
    ordered = sorted(candidates, key=lambda each: (best_place(each.origins), each.pk))
    return tuple(
        Found(
            each,
            titles.get(each.document_id, ""),
            tuple(each.origins.get(name) for name in Retriever.values),
            tuple(name.replace("_", " ") for name in each.origins if name not in Retriever.values),
        )
        for each in ordered
    )
