"""Near-duplicate groups: documents that read almost alike, with the facts that set each one apart.

Groups hold documents of one language: a pair is counted only between documents of one language and different canonical
ids, so renderings of an article never meet. The same articles found near in two languages are one group; it is kept in
the language in which more of its members are the source rendering, then in the larger one, then by language code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations

import numpy as np

from curation.miners.differences import Column, Passage, set_aside
from curation.miners.documents import Documents, DocumentsRefused
from curation.miners.drafts import draft_query, topic
from curation.miners.facts import Difference, Fact
from curation.miners.groups import bounded_groups
from curation.miners.pairs import Pair, block_count, near_pairs
from curation.miners.progress import Progress, silent
from curation.miners.twins import Twins, find_twins
from curation.miners.versions import side_by_side
from curation.miners.wording import read_alike
from curation.retrieval.vectors import Matrix


@dataclass(frozen=True)
class PairScore:
    """Two members of a group and the cosine of their vectors."""

    first: str
    second: str
    cosine: float


@dataclass(frozen=True)
class Member:
    """One document of a group.

    `facts` are those read from its text, `twins` the documents with the very same text, `min_cosine` its lowest cosine
    to another member, `query` a draft of a query that must retrieve this member and no other (empty for a group that is
    set aside).
    """

    external_id: str
    canonical_id: str
    title: str
    twins: tuple[str, ...]
    facts: tuple[Fact, ...]
    min_cosine: float
    query: str


@dataclass(frozen=True)
class Group:
    """Members in ascending order of external id, every pair of them at or above the bar."""

    language: str
    topic: str
    members: tuple[Member, ...]
    scores: tuple[PairScore, ...]
    columns: tuple[Column, ...]
    shared: tuple[Passage, ...]
    same: tuple[Fact, ...]
    differs_in: tuple[Difference, ...]

    @property
    def min_cosine(self) -> float:
        """The cosine of the least similar pair."""
        return min(score.cosine for score in self.scores)

    @property
    def set_aside(self) -> bool:
        """Whether members differ in nothing people ask for; such a group is stored and not reviewed."""
        return set_aside(self.differs_in)


@dataclass(frozen=True)
class NearDuplicates:
    """Groups in order of their first member's external id; apart from them `twins`, sets of ids with the same text."""

    threshold: float
    pairs: int
    groups: tuple[Group, ...]
    twins: tuple[tuple[str, ...], ...]

    @property
    def largest(self) -> int:
        """Members of the largest group; 0 without groups."""
        return max((len(group.members) for group in self.groups), default=0)


def mine(vectors: Matrix, documents: Documents, *, threshold: float, progress: Progress = silent) -> NearDuplicates:
    """Find the near-duplicate groups of a corpus.

    Args:
        vectors: (n, d) float32, row i for `documents.external_ids[i]`; a memory-mapped file as a rule.
        documents: the corpus, n rows.
        threshold: the lowest cosine of any two members.
        progress: called with steps done and steps in all (blocks of rows compared, then groups described); groups are
            added to the steps once they are known.

    The result depends neither on the order the corpus was imported in nor on the number of threads.

    Raises:
        DocumentsRefused: the vectors have another number of rows than there are documents.
        TooManyPairs: the threshold lets through more pairs than can be grouped.
    """
    if len(vectors) != len(documents):
        raise DocumentsRefused(f"There are {len(documents)} documents and {len(vectors)} vectors.")
    twins = find_twins(documents)
    blocks = sum(block_count(len(rows)) for rows in twins.alone.values())
    pairs = _pairs(vectors, documents, twins=twins, threshold=threshold, progress=progress)
    found = _one_language_each(bounded_groups(pairs), documents)
    scene = _Scene(documents, twins, {(first, second): cosine for first, second, cosine in pairs})
    groups = []
    for done, rows in enumerate(found, 1):
        groups.append(_describe(rows, scene))
        progress(blocks + done, blocks + len(found))
    return NearDuplicates(threshold, len(pairs), tuple(groups), twins.sets)


@dataclass(frozen=True)
class _Scene:
    """What describing a group takes."""

    documents: Documents
    twins: Twins
    cosines: Mapping[tuple[int, int], float]

    @cached_property
    def places(self) -> frozenset[str]:
        """Every jurisdiction the corpus declares."""
        return frozenset(own["jurisdiction"] for own in self.documents.facts if own.get("jurisdiction"))


def _pairs(vectors: Matrix, documents: Documents, *, twins: Twins, threshold: float, progress: Progress) -> list[Pair]:
    """Pairs of every language, counted as one piece of work."""
    folds = np.unique(np.array(documents.canonical_ids), return_inverse=True)[1]
    total = sum(block_count(len(rows)) for rows in twins.alone.values())
    pairs: list[Pair] = []
    before = 0
    for rows in twins.alone.values():
        near = near_pairs(vectors, rows, bar=threshold, folds=folds, progress=_after(before, total, progress))
        before += block_count(len(rows))
        pairs += read_alike(near, documents.body, still_wanted=partial(progress, before, total))
    return pairs


def _after(before: int, total: int, progress: Progress) -> Progress:
    """The progress of one language, as part of all of them."""
    return lambda done, _own: progress(before + done, total)


def _one_language_each(groups: list[tuple[int, ...]], documents: Documents) -> list[tuple[int, ...]]:
    """The groups without those whose articles all stand in one group of another language."""
    kept: list[tuple[int, ...]] = []
    holders: dict[str, list[tuple[int, ...]]] = {}
    for group in sorted(groups, key=lambda rows: _standing(rows, documents)):
        articles = {documents.canonical_ids[row] for row in group}
        if not any(_renders(group, other, documents) for other in holders.get(min(articles), [])):
            kept.append(group)
            for article in articles:
                holders.setdefault(article, []).append(group)
    return sorted(kept)


def _standing(rows: tuple[int, ...], documents: Documents) -> tuple[int, int, str, tuple[int, ...]]:
    sources = sum(documents.sources[row] for row in rows)
    return -sources, -len(rows), documents.languages[rows[0]], rows


def _renders(group: tuple[int, ...], other: tuple[int, ...], documents: Documents) -> bool:
    same_language = documents.languages[group[0]] == documents.languages[other[0]]
    articles = {documents.canonical_ids[row] for row in other}
    return not same_language and all(documents.canonical_ids[row] in articles for row in group)


def _describe(rows: tuple[int, ...], scene: _Scene) -> Group:
    documents = scene.documents
    versions = side_by_side(rows, documents, places=scene.places)
    about = topic([documents.titles[row] for row in rows], versions.shared)
    aside = set_aside(versions.differs_in)
    return Group(
        language=documents.languages[rows[0]],
        topic=about,
        members=tuple(
            Member(
                external_id=documents.external_ids[row],
                canonical_id=documents.canonical_ids[row],
                title=documents.titles[row],
                twins=tuple(documents.external_ids[twin] for twin in scene.twins.of[row]),
                facts=versions.facts[place],
                min_cosine=min(scene.cosines[min(row, other), max(row, other)] for other in rows if other != row),
                query="" if aside else draft_query(about, versions.telling, member=place),
            )
            for place, row in enumerate(rows)
        ),
        scores=tuple(
            PairScore(documents.external_ids[first], documents.external_ids[second], scene.cosines[first, second])
            for first, second in combinations(rows, 2)
        ),
        columns=versions.columns,
        shared=versions.shared,
        same=versions.same,
        differs_in=versions.differs_in,
    )
