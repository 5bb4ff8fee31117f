"""Candidates that are near-duplicates of each other: their group, and the blocks in which they stand on a page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache

from curation.models import Miner, MiningRun, NearDuplicateMember, Query
from curation.reports.prepared import CORPUS, NAME, Prepared
from judging.models import Candidate
from judging.reports.mismatches import UNFOLDED


def groups_of(corpus_id: int, articles: Collection[str]) -> dict[str, int]:
    """The near-duplicate group of each canonical id, by the newest run that looked for them; one SQL query."""
    return dict(_groups_asked().rows({CORPUS: corpus_id, NAME: list(articles)}))


@cache
def _groups_asked() -> Prepared:
    runs = MiningRun.objects.filter(miner=Miner.NEAR_DUPLICATE, state=MiningRun.State.DONE)
    newest = runs.filter(generation__index__corpus=CORPUS).order_by("-finished_at", "-pk").values("pk")[:1]
    members = NearDuplicateMember.objects.filter(group__run__in=newest, document__canonical_id__in=[NAME])
    return Prepared.of(members.order_by("-group").values_list("document__canonical_id", "group"))


def near_duplicates(query: Query, articles: Collection[str]) -> dict[str, list[Candidate]]:
    """The other candidates of the query that are near-duplicates of each of the articles; three SQL queries at most."""
    groups = groups_of(query.corpus_id, articles)
    if not groups:
        return {}
    named = NearDuplicateMember.objects.filter(group__in=groups.values()).values_list("document__canonical_id", "group")
    members = dict(named)
    found = Candidate.objects.filter(pool__query=query, document__gone_at=None, canonical_id__in=members)
    standing = {each.document_id: each for each in found.select_related("document").order_by("pk")}
    return {
        name: [each for each in standing.values() if each.canonical_id != name and group_in(members, each) == group]
        for name, group in groups.items()
    }


def with_twins(groups: Mapping[str, int], twins: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """`groups` with the text twins of their members, which are no members themselves."""
    joined = {twin: group for name, group in groups.items() for twin in twins.get(name, ())}
    return {**joined, **groups}


def group_in(groups: Mapping[str, int], candidate: Candidate) -> int | None:
    """The group of the candidate's article; what was unfolded, because it is not the same document, has none."""
    return None if UNFOLDED in candidate.origins else groups.get(candidate.canonical_id)


def together(candidates: Iterable[Candidate], group_of: Callable[[Candidate], int | None]) -> list[list[Candidate]]:
    """`candidates` in blocks: those of one group where its first member stands, every other one (None) alone."""
    blocks: dict[object, list[Candidate]] = {}
    for candidate in candidates:
        group = group_of(candidate)
        place = ("alone", candidate.pk) if group is None else ("group", group)
        blocks.setdefault(place, []).append(candidate)
    return list(blocks.values())


def versions_together(candidates: Iterable[Candidate], groups: Mapping[str, int]) -> list[list[Candidate]]:
    """The same, by `groups` of canonical ids; what is gone from the corpus stands alone."""

    def group_of(candidate: Candidate) -> int | None:
        return None if candidate.document.gone_at is not None else group_in(groups, candidate)

    return together(candidates, group_of)
