"""Who put each candidate of a query into its pool, and what judges noted.

Leads alone read it, and not while they are judging the query. An adjuster never does: what they finished they may open
again, and whoever has seen a rank judges by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from curation.models import DocumentText, Query, TargetIndex, User
from judging.models import HOLDS, Assignment, Candidate, Judgment, Pool, Retriever
from judging.models.pools import best_place
from judging.reports.mismatches import folded_back

BESIDE = (TargetIndex.Kind.EXACT, TargetIndex.Kind.BM25)
"""Kinds of a production index that answer as another retriever of a pool does, mostly."""


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate with its title, the rank each retriever gave it, and whoever else sent it.

    `notes` are what judges wrote beside it, without their names.
    """

    candidate: Candidate
    title: str
    ranks: Mapping[str, int | None]
    sent_by: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PoolOrigins:
    """A pool, its candidates the best-ranked first, and why a retriever has none among them."""

    pool: Pool
    found: tuple[Found, ...]

    @property
    def asked(self) -> list[str]:
        """The retrievers that were asked when it was drawn."""
        return [name for name in Retriever.values if self._was_asked(name)]

    @property
    def retrievers(self) -> list[str]:
        """The same in words."""
        return [Retriever(name).label for name in self.asked]

    @property
    def rows(self) -> list[tuple[Found, list[int | None]]]:
        """Each candidate with its rank by each of `asked` (None where it was not found)."""
        return [(each, [each.ranks.get(name) for name in self.asked]) for each in self.found]

    @property
    def same_as(self) -> str:
        """Which retriever the index in production was itself; "" where it was another one, or none was."""
        production = self.pool.production
        is_beside = production is None or Retriever.PRODUCTION in self.asked
        return "" if is_beside or production is None else production.get_kind_display()

    def _was_asked(self, name: str) -> bool:
        if name in self.pool.unanswered or any(name in each.ranks for each in self.found):
            return True
        if name != Retriever.PRODUCTION:
            return self.pool.kind != Pool.Kind.SENT
        production = self.pool.production
        return self.pool.kind != Pool.Kind.SENT and production is not None and production.kind not in BESIDE

    @property
    def unanswered(self) -> list[tuple[str, str]]:
        """Each retriever that could not answer, and its reason."""
        return [(Retriever(name).label, because) for name, because in sorted(self.pool.unanswered.items())]


def origins_of(query: Query) -> list[PoolOrigins]:
    """The pools of `query`, the drawn one first; what was unfolded and is folded again is in none."""
    pools = list(query.pools.select_related("production").order_by("pk"))
    shown = Candidate.objects.filter(pool__in=pools).exclude(pk__in=folded_back([query.pk]))
    candidates = list(shown.select_related("document"))
    texts = DocumentText.objects.filter(current=True, document__in=[each.document_id for each in candidates])
    titles, notes = {text.document_id: str(text) for text in texts}, _notes(query)
    found = [_found([each for each in candidates if each.pool_id == pool.pk], titles, notes) for pool in pools]
    return [PoolOrigins(pool, rows) for pool, rows in zip(pools, found, strict=True)]


def _notes(query: Query) -> dict[int, list[str]]:
    """Document → the notes on it; none while the query wants opinions, which they would lead."""
    if query.pools.filter(closed_at=None).exists():
        return {}
    notes: dict[int, list[str]] = {}
    noted = Judgment.objects.filter(query=query).exclude(note="").order_by("assessor", "pk")
    for document, note in noted.values_list("document", "note"):
        notes.setdefault(document, []).append(note)
    return notes


def is_judging(person: User, query: Query) -> bool:
    """Whether the person is in the middle of judging `query`."""
    own = Assignment.objects.filter(assessor=person, pool__query=query)
    return own.filter(HOLDS | Q(reopened_at__isnull=False)).exists()


def _found(
    candidates: Sequence[Candidate], titles: Mapping[int, str], notes: Mapping[int, Sequence[str]]
) -> tuple[Found, ...]:
    ordered = sorted(candidates, key=lambda each: (best_place(each.origins), each.pk))
    return tuple(
        Found(
            each,
            titles.get(each.document_id, ""),
            {name: rank for name, rank in each.origins.items() if name in Retriever.values},
            tuple(name.replace("_", " ") for name in each.origins if name not in Retriever.values),
            tuple(notes.get(each.document_id, ())),
        )
        for each in ordered
    )
