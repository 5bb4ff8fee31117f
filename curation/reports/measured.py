"""What a run scores on the queries of a set, query by query, beside its exact baseline: recall@k by canonical id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from curation.formats.set_form import FrozenMember
from curation.measures.hit import is_hit
from curation.measures.per_query import per_query
from curation.measures.recall import recall_at
from curation.models import Corpus

from .run_answers import Answers
from .set_content import Content
from .standing import NO_ARTICLE, articles_of, articles_standing, rank_of_gold

DIAL = (10, 50, 200)
Ranked = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Measured:
    """A run and its baseline on the members of a set. `documents` is how many the corpus holds now.

    `strays` are the documents among the run's first k that the corpus does not hold, or not any more.
    """

    content: Content
    candidate: Ranked
    baseline: Ranked
    k: int
    documents: int
    standing: frozenset[str] = field(default_factory=frozenset)
    strays: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def members(self) -> list[FrozenMember]:
        """The queries, by id."""
        return sorted(self.content.members.values(), key=lambda member: member.external_id)

    @cached_property
    def recalls(self) -> Mapping[str, float]:
        """Query id → recall@k of the run; one that it does not answer scores 0."""
        return self.recalls_of(self.candidate, self.k)

    @cached_property
    def baselines(self) -> Mapping[str, float]:
        """The same of the baseline."""
        return self.recalls_of(self.baseline, self.k)

    @cached_property
    def missing(self) -> list[str]:
        """The queries that the run does not answer."""
        return [member.external_id for member in self.members if member.external_id not in self.candidate]

    @cached_property
    def unjudged(self) -> dict[str, list[str]]:
        """Query id → canonical ids among the run's first k documents that nobody settled a grade of, best first."""
        found = {member.external_id: self._ungraded(member) for member in self.members}
        return {name: documents for name, documents in found.items() if documents}

    @property
    def unjudged_documents(self) -> int:
        """How many they are, of all queries together."""
        return sum(map(len, self.unjudged.values()))

    @cached_property
    def relevant(self) -> Mapping[str, frozenset[str]]:
        """Query id → the canonical ids that answer it, by what the set calls relevant."""
        least = self.content.rules.relevant_from
        return {
            member.external_id: frozenset(grade.canonical_id for grade in member.grades if grade.grade >= least)
            for member in self.members
        }

    @property
    def gone(self) -> int:
        """Relevant articles that no document of the corpus renders any more, so that no run finds them."""
        return sum(len(relevant - self.standing) for relevant in self.relevant.values())

    def recalls_of(self, ranked: Ranked, k: int, members: Iterable[FrozenMember] | None = None) -> Mapping[str, float]:
        """Query id → recall at `k` of any of the two, of some of the members or of all."""
        names = (member.external_id for member in (self.members if members is None else members))
        return per_query(ranked, {name: self.relevant[name] for name in names}, partial(recall_at, k=k)).scores

    def is_found(self, member: FrozenMember) -> bool:
        """Whether the gold of a query is among the run's first ten documents."""
        return is_hit(rank_of_gold(self.candidate.get(member.external_id, ()), member.gold_canonical_id))

    def _ungraded(self, member: FrozenMember) -> list[str]:
        graded = {NO_ARTICLE, *(grade.canonical_id for grade in member.grades)}
        first = self.candidate.get(member.external_id, ())[: self.k]
        return [name for name in dict.fromkeys(first) if name not in graded]


def standing_documents(corpus: Corpus) -> int:
    """How many documents the corpus holds now."""
    return corpus.documents.filter(gone_at=None).count()


def measured(
    corpus: Corpus, content: Content, *, candidate: Answers, baseline: Callable[[int], Answers], k: int
) -> Measured:
    """Measure a run; `baseline` is asked for so many documents of each query.

    Documents that the corpus does not hold, or not any more, keep their place, so that no rank improves, and answer
    nothing: an index that still serves what is gone finds no more than exact search can.

    Raises:
        AnswersRefused: a run does not reach as deep as k.
    """
    canonical = dict(articles_standing(corpus).iterator())
    candidate.require_depth(k, documents=len(canonical))
    own = baseline(k)
    own.require_depth(k, documents=len(canonical))
    served = {document for ranked in candidate.documents.values() for document in ranked[:k]}
    return Measured(
        content=content,
        candidate=in_canonicals(candidate.documents, canonical),
        baseline=in_canonicals(own.documents, canonical),
        k=k,
        documents=len(canonical),
        standing=frozenset(canonical.values()),
        strays=frozenset(served - canonical.keys()),
    )


def in_canonicals(documents: Ranked, canonical: Mapping[str, str]) -> dict[str, list[str]]:
    """Each ranking as the canonical ids that its documents render."""
    return {query: articles_of(ranked, canonical) for query, ranked in documents.items()}


def depths(k: int) -> list[int]:
    """The depths of the dial that lie within k, and k."""
    return sorted({*(depth for depth in DIAL if depth < k), k})


def of_members(scores: Mapping[str, float], members: Iterable[FrozenMember]) -> list[float]:
    """The scores of these members, in their order."""
    return [scores[member.external_id] for member in members]
