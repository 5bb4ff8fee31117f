"""A near-duplicate group as it is described: its members with their facts, what they share, how near they are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from curation.miners.differences import Column, Passage, set_aside
from curation.miners.documents import Documents
from curation.miners.drafts import draft_query, topic
from curation.miners.facts import Difference, Fact
from curation.miners.pairs import Pair
from curation.miners.versions import side_by_side

Together = tuple[int, ...]
"""Rows that stand in one group, ascending."""


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
class Rendering:
    """The same articles near one another in another language: not shown, and scored for when the bar is tightened."""

    documents: tuple[str, ...]
    twins: tuple[tuple[str, ...], ...]
    scores: tuple[PairScore, ...]


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
    renderings: tuple[Rendering, ...] = ()

    @property
    def min_cosine(self) -> float:
        """The cosine of the least similar pair."""
        return min(score.cosine for score in self.scores)

    @property
    def set_aside(self) -> bool:
        """Whether members differ in nothing people ask for; such a group is stored and not reviewed."""
        return set_aside(self.differs_in)


@dataclass(frozen=True)
class Scene:
    """What describing groups takes: the corpus, the rows with the same text by row, and the cosines in a group.

    `places` are the jurisdictions that the corpus declares.
    """

    documents: Documents
    twins: Mapping[int, Sequence[str]]
    cosines: Mapping[tuple[int, int], float]
    places: frozenset[str]

    @cached_property
    def ids(self) -> Sequence[str]:
        """External ids by row."""
        return self.documents.external_ids

    def scores(self, rows: Together) -> tuple[PairScore, ...]:
        """The cosine of every two of the rows."""
        return tuple(
            PairScore(self.ids[first], self.ids[second], self.cosines[first, second])
            for first, second in combinations(rows, 2)
        )

    def twins_of(self, row: int) -> tuple[str, ...]:
        """Other documents with the text of a row."""
        return tuple(self.twins.get(row, ()))

    def rendering(self, rows: Together) -> Rendering:
        """A group that is another one in another language."""
        return Rendering(
            tuple(self.ids[row] for row in rows), tuple(self.twins_of(row) for row in rows), self.scores(rows)
        )


def cosines_within(groups: Iterable[Together], pairs: Iterable[Pair]) -> dict[tuple[int, int], float]:
    """The cosines of the pairs that stand in one group."""
    group_of = {row: number for number, rows in enumerate(groups) for row in rows}
    return {
        (first, second): cosine
        for first, second, cosine in pairs
        if first in group_of and group_of[first] == group_of.get(second)
    }


def describe(rows: Together, scene: Scene, *, renderings: Iterable[Together] = ()) -> Group:
    """The group of some rows of one language, two or more."""
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
                twins=scene.twins_of(row),
                facts=versions.facts[place],
                min_cosine=min(scene.cosines[min(row, other), max(row, other)] for other in rows if other != row),
                query="" if aside else draft_query(about, versions.telling, member=place),
            )
            for place, row in enumerate(rows)
        ),
        scores=scene.scores(rows),
        columns=versions.columns,
        shared=versions.shared,
        same=versions.same,
        differs_in=versions.differs_in,
        renderings=tuple(scene.rendering(other) for other in renderings),
    )
