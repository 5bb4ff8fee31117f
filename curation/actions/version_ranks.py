"""Ranking the versions of a near-duplicate group by exact search: asked for by a reviewer, done by a job."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from curation.actions import jobs
from curation.actions.holds import Held
from curation.miners.kept import kept_group
from curation.models import Corpus, Job, NearDuplicateGroup, Proposal, User
from curation.reports.exact_search import current_space
from curation.reports.review_draft import Draft
from curation.reports.source_ranks import Ranking, text_rankings
from curation.reports.version_ranks import KIND, Places, key_of, ranks_of, with_places, wording_of

# With a wording, those that were mined for so many versions are ranked, so that choosing another one waits for nothing.
MINED_TOGETHER = 30


def ask_to_rank(*, corpus: Corpus, draft: Draft, asked_by: User, now: datetime) -> Job | None:
    """The job that ranks a draft's group for its wording; None where that is known, or cannot be.

    One job of a group lives at a time: where it was asked for another wording, ask again when it has ended.
    """
    ranks, wording = ranks_of(corpus, draft), wording_of(draft)
    if ranks is None or draft.group is None or not ranks.may_be_asked:
        return None
    mined = [member.query for member in draft.group.members[:MINED_TOGETHER]]
    return jobs.ask(
        kind=KIND,
        unique_key=key_of(draft.proposal),
        params={"proposal": draft.proposal.pk, "wordings": list(dict.fromkeys([*mined, wording]))},
        corpus=corpus,
        asked_by=asked_by,
        now=now,
    )


def rank(held: Held) -> dict[str, Any]:
    """Search for the wordings of the job, and keep where the versions of its group stand.

    Raises:
        LostHold: the job was cancelled or another worker holds it; nothing was written.
        VectorsRefused: the corpus has no vectors any more, or they cannot be opened.
    """
    proposal = Proposal.objects.select_related("group").get(pk=held.params["proposal"])
    corpus, group = held.corpus, proposal.group
    if group is None:
        raise LookupError(f"Proposal {proposal.pk} has no group.")
    space, wordings = current_space(corpus), held.params["wordings"]
    articles = dict(corpus.documents.filter(gone_at=None).values_list("external_id", "canonical_id"))
    told = held.counting("wordings searched")
    rankings = text_rankings(space, wordings, articles=articles, progress=told)
    versions = {member.canonical_id for member in kept_group(group.facts, group.shared).members}
    found = [(each, places_in(ranking, versions)) for each, ranking in zip(wordings, rankings, strict=True)]
    result = {"wordings": len(wordings)}
    with held.closing(result):
        row = NearDuplicateGroup.objects.select_for_update(no_key=True).get(pk=group.pk)
        row.exact_ranks = with_places(row.exact_ranks, found, vectors=space.sha256)
        row.save(update_fields=["exact_ranks"])
    return result


def places_in(ranking: Ranking | None, versions: set[str]) -> Places:
    """The rank, from 1, of the best document of each of the `versions`, by canonical id, among those of a ranking."""
    if ranking is None:
        return None
    places: dict[str, int] = {}
    for place, (name, _) in enumerate(ranking, 1):
        if name in versions:
            places.setdefault(name, place)
    return places
