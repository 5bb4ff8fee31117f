"""Where exact search ranks the versions of a near-duplicate group for a wording: what is known, and what is not.

`exact_ranks` of a group is {"vectors": the hash of those that were searched, "wordings": [[wording, {canonical id:
rank}]]}, the wording asked for last at the end; its ranks are None where the encoder cannot place it, and hold only
articles among the first 50 documents. A job of the kind `KIND` finds them; pages search nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils import timezone

from curation.models import Corpus, EmbeddingSpace, Job, Proposal
from curation.retrieval.encoders import names

from . import workers
from .review_draft import Draft
from .source_ranks import DEPTH

KIND = "rank_versions"
MOST_KEPT = 200  # wordings of one group
MOST_NAMED = 4  # versions that a sentence names

Places = Mapping[str, int] | None
"""The rank of each article found, by canonical id; None where the encoder cannot place the wording."""


class State(StrEnum):
    """What is known of a wording's ranks."""

    KNOWN = "known"
    UNPLACED = "unplaced"
    WAITED_FOR = "waited_for"
    FAILED = "failed"
    UNASKED = "unasked"
    UNKNOWABLE = "unknowable"


@dataclass(frozen=True, slots=True)
class VersionRanks:
    """The ranks of a group's versions, by place; None for one beyond the first 50 documents, and while unknown.

    `words` say what is known in one sentence, "" where there is nothing to say.
    """

    state: State
    words: str
    ranks: tuple[int | None, ...]

    @property
    def may_be_asked(self) -> bool:
        """Whether a job could find them, and none is at it."""
        return self.state in {State.UNASKED, State.FAILED}

    def in_words(self, place: int) -> str:
        """The rank of the version at `place` (from 0), as a table shows it; "" while it is not known."""
        if self.state != State.KNOWN:
            return ""
        rank = self.ranks[place]
        return f"over {DEPTH}" if rank is None else str(rank)


def wording_of(draft: Draft) -> str:
    """The text that is asked for and kept."""
    return draft.text.strip()


def key_of(proposal: Proposal) -> str:
    """By what two jobs rank the same group, of which one at a time is enough."""
    return f"{KIND}:{proposal.pk}"


def ranks_of(corpus: Corpus, draft: Draft) -> VersionRanks | None:
    """What is known of a draft's group today; None for a draft without a group.

    In one SQL query, two where the ranks are not known, four while a job waits for a worker.
    """
    group = draft.proposal.group
    if group is None or draft.group is None:
        return None
    versions = [member.canonical_id for member in draft.group.members]
    unknown = (None,) * len(versions)
    space = corpus.embedding_spaces.filter(current=True).first()
    if why_not := why_unknowable(space):
        return VersionRanks(State.UNKNOWABLE, why_not, unknown)
    kept, wording = kept_places(group.exact_ranks, vectors=space.sha256 if space else ""), wording_of(draft)
    if not wording:
        return VersionRanks(State.UNKNOWABLE, "", unknown)
    if wording not in kept:
        return VersionRanks(*_of_job(corpus, draft.proposal, wording), unknown)
    places = kept[wording]
    if places is None:
        words = "The encoder cannot place this wording, so exact search finds nothing for it."
        return VersionRanks(State.UNPLACED, words, unknown)
    ranks = tuple(places.get(name) for name in versions)
    return VersionRanks(State.KNOWN, standing(ranks, draft.target), ranks)


def why_unknowable(space: EmbeddingSpace | None) -> str:
    """Why no wording of a reviewer can be ranked in `space`, "" where it can.

    An encoder on a server is not asked, as for no draft: these are nobody's queries yet.
    """
    if space is None:
        return "Exact search has no ranks: this corpus has no vectors yet. A lead imports them, or encodes it."
    if space.encoder not in names():
        return (
            f"Exact search has no ranks: the vectors were made by {space.encoder} outside Hardset, which is not asked "
            "about wordings that are no queries yet."
        )
    return ""


def kept_places(kept: Mapping[str, Any], *, vectors: str) -> dict[str, Places]:
    """The places of each wording in a group's `exact_ranks`; none where other vectors were searched."""
    return dict(kept["wordings"]) if kept.get("vectors") == vectors else {}


def with_places(kept: Mapping[str, Any], found: Iterable[tuple[str, Places]], *, vectors: str) -> dict[str, Any]:
    """A group's `exact_ranks` with what was `found` in the space of these vectors; the oldest wordings go."""
    known = kept_places(kept, vectors=vectors)
    for wording, places in found:
        known.pop(wording, None)
        known[wording] = places
    return {"vectors": vectors, "wordings": [[*each] for each in known.items()][-MOST_KEPT:]}


def standing(ranks: Sequence[int | None], target: int | None) -> str:
    """Where the chosen version stands, and behind which others; "" where none is chosen."""
    if target is None or not 0 <= target < len(ranks):
        return ""
    rank = ranks[target]
    if rank is None:
        return f"In exact search version {target + 1} is not among the first {DEPTH} documents."
    ahead = [place + 1 for place, other in enumerate(ranks) if other is not None and other < rank]
    return f"In exact search version {target + 1} is at rank {rank}{_behind(ahead) if rank > 1 else ''}."


def _behind(ahead: Sequence[int]) -> str:
    if not ahead:
        return ", behind no other version"
    if len(ahead) > MOST_NAMED:
        return f", behind {len(ahead)} other versions"
    names_of = " and ".join(filter(None, (", ".join(map(str, ahead[:-1])), str(ahead[-1]))))
    return f", behind version{'s' if len(ahead) > 1 else ''} {names_of}"


def _of_job(corpus: Corpus, proposal: Proposal, wording: str) -> tuple[State, str]:
    """What the newest job of a group says of a wording that has no ranks."""
    open_or_failed = (*Job.LIVE, Job.State.FAILED)
    jobs = corpus.jobs.filter(kind=KIND, state__in=open_or_failed, unique_key=key_of(proposal))
    job = jobs.order_by("-pk").first()
    if job and job.state in Job.LIVE:
        silence = workers.silence(now=timezone.now()) if job.state == Job.State.QUEUED else ""
        return State.WAITED_FOR, f"Exact search ranks the versions; the ranks appear by themselves. {silence}".strip()
    if job and wording in job.params["wordings"]:
        return State.FAILED, f"Exact search could not rank the versions: {job.error}"
    return State.UNASKED, "Exact search has not ranked the versions for this wording yet."
