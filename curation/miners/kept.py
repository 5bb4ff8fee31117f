"""What is kept of a mined group for those who review it: plain JSON to store, and read back from there.

`facts` of a group is {"language", "topic", "members": [{"document", "canonical_id", "title", "twins", "query",
"version", "described"}], "columns": [{"kind", "name", "values", "keys", "declared", "stated"}], "same": [{"kind",
"value", "written"}], "scores": [[place, place, cosine]], "renderings": [{"documents", "twins", "scores"}]}, its
`shared` text [{"text", "kind", "values"}]. Members stand in ascending order of external id, and every list of values
too. "scores" hold every two members by place, so that a tighter bar needs no vectors; a group stored before they were
kept has none. "version" is the hash of a member's text as it was read, and "described" that of what was declared of it,
each "" where it was not kept.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from curation.miners.differences import Column, Passage
from curation.miners.facts import Kind
from curation.miners.group import Group, PairScore


@dataclass(frozen=True)
class KeptMember:
    """One document of a group: `twins` have the very same text, `query` is the draft that must retrieve it.

    `version` is the hash of the text that its facts were read from, `described` that of what else was declared of it
    (`curation.miners.documents.description`); each "" where it was not kept.
    """

    document: str
    canonical_id: str
    title: str
    twins: tuple[str, ...]
    query: str
    version: str = ""
    described: str = ""


@dataclass(frozen=True)
class AsRead:
    """The hashes of documents as they were read, by external id: of their texts, and of what was declared of them."""

    versions: Mapping[str, str] = field(default_factory=dict)
    described: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class KeptFact:
    """A fact that every member states, as compared and as written."""

    kind: Kind
    value: str
    written: str


Scored = tuple[int, int, float]
"""Two members by place, from 0, and their cosine."""


@dataclass(frozen=True)
class KeptScores:
    """Documents of one language with the same-text twins of each, and the cosine of every two of them."""

    documents: tuple[str, ...]
    twins: tuple[tuple[str, ...], ...]
    scores: tuple[Scored, ...]


@dataclass(frozen=True)
class KeptGroup:
    """A group as it is reviewed: see `curation.miners.group.Group` for what the fields say."""

    language: str
    topic: str
    members: tuple[KeptMember, ...]
    columns: tuple[Column, ...]
    same: tuple[KeptFact, ...]
    shared: tuple[Passage, ...]
    scores: tuple[Scored, ...] = ()
    renderings: tuple[KeptScores, ...] = ()

    @property
    def scored(self) -> KeptScores:
        """The members with their scores alone."""
        documents = tuple(member.document for member in self.members)
        return KeptScores(documents, tuple(member.twins for member in self.members), self.scores)

    @property
    def lowest(self) -> Scored | None:
        """The two members furthest apart, the first such pair; None in a group stored before scores were kept."""
        return min(self.scores, key=lambda scored: scored[2], default=None)

    @property
    def highest(self) -> float | None:
        """The cosine of the two members nearest to each other."""
        return max((cosine for _, _, cosine in self.scores), default=None)


def facts_of(group: Group, *, read: AsRead) -> dict[str, Any]:
    """The JSON of a group's `facts`, whose members were `read` so."""
    members = (
        KeptMember(
            each.external_id,
            each.canonical_id,
            each.title,
            each.twins,
            each.query,
            read.versions.get(each.external_id, ""),
            read.described.get(each.external_id, ""),
        )
        for each in group.members
    )
    same = (KeptFact(fact.kind, fact.value, fact.written) for fact in group.same)
    return {
        "language": group.language,
        "topic": group.topic,
        "members": [asdict(member) for member in members],
        "columns": [asdict(column) for column in group.columns],
        "same": [asdict(fact) for fact in same],
        "scores": _by_place([member.external_id for member in group.members], group.scores),
        "renderings": [
            {"documents": each.documents, "twins": each.twins, "scores": _by_place(each.documents, each.scores)}
            for each in group.renderings
        ],
    }


def _by_place(documents: Sequence[str], scores: Iterable[PairScore]) -> list[Scored]:
    place = {name: number for number, name in enumerate(documents)}
    return [(place[score.first], place[score.second], score.cosine) for score in scores]


def shared_of(group: Group) -> list[dict[str, Any]]:
    """The JSON of a group's `shared` text."""
    return [asdict(passage) for passage in group.shared]


def kept_group(facts: Mapping[str, Any], shared: Sequence[Mapping[str, Any]]) -> KeptGroup:
    """The group that `facts_of` and `shared_of` wrote."""
    return KeptGroup(
        language=facts["language"],
        topic=facts["topic"],
        members=tuple(KeptMember(**{**each, "twins": tuple(each["twins"])}) for each in facts["members"]),
        columns=tuple(
            Column(**{**each, "values": tuple(each["values"]), "keys": tuple(each["keys"])})
            for each in facts["columns"]
        ),
        same=tuple(KeptFact(**each) for each in facts["same"]),
        shared=tuple(Passage(each["text"], each["kind"], tuple(each["values"])) for each in shared),
        scores=_scores(facts),
        renderings=tuple(
            KeptScores(tuple(each["documents"]), tuple(map(tuple, each["twins"])), _scores(each))
            for each in facts.get("renderings", ())
        ),
    )


def _scores(kept: Mapping[str, Any]) -> tuple[Scored, ...]:
    return tuple((first, second, cosine) for first, second, cosine in kept.get("scores", ()))
