"""The lists that judges read in a blind order, as they stood on screen when they were judged."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from curation.models import Corpus, Miner, MiningRun, NearDuplicateMember
from curation.reports.twins import twins_of
from judging.models import COUNTS, Assignment, Candidate, Judgment
from judging.reports.groups import group_in, together, with_twins
from judging.reports.pool_page import beside_their_twin, blind_order


class BlindList(NamedTuple):
    """What one judge read for one query: the canonical id of each candidate, from the top."""

    query: int
    judge: int
    order: Sequence[str]


def blind_lists(corpus: Corpus) -> Iterator[BlindList]:
    """The list of each opinion that counts and was given in a blind order; the number of SQL queries is fixed.

    Text twins and near-duplicates stand together, by the mining run that was the newest when the query was opened.
    What joined the pool after the judge had finished was not in their list; nor was what another judge unfolded.
    """
    blind = Assignment.objects.filter(COUNTS, reopened_at=None, blind=True, pool__query__corpus=corpus)
    pools: defaultdict[int, list[Candidate]] = defaultdict(list)
    for candidate in _candidates(blind):
        pools[candidate.pool_id].append(candidate)
    judged = _judged(blind)
    grouping = Grouping.of(corpus)
    for opinion in blind.select_related("pool"):
        spoken_of = judged[opinion.pool.query_id, opinion.assessor_id]
        candidates = [each for each in pools[opinion.pool_id] if each.document_id in spoken_of]
        order = grouping.on_screen(blind_order(candidates, order_seed=opinion.order_seed), at=opinion.opened_at)
        yield BlindList(opinion.pool.query_id, opinion.assessor_id, [each.canonical_id for each in order])


def _candidates(blind: QuerySet[Assignment]) -> QuerySet[Candidate]:
    candidates = Candidate.objects.filter(pool__in=blind.values("pool")).order_by("pk")
    return candidates.only("pool_id", "document_id", "canonical_id", "origins", "folded")


def _judged(blind: QuerySet[Assignment]) -> dict[tuple[int, int], set[int]]:
    """The documents that each judge spoke of, by query and judge: finishing speaks of all that were in the list."""
    judged: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    said = Judgment.objects.filter(query__in=blind.values("pool__query"))
    for query, judge, document in said.values_list("query_id", "assessor_id", "document_id"):
        judged[query, judge].add(document)
    return judged


@dataclass(frozen=True)
class Grouping:
    """What stands together on screen: text twins, and the groups that each mining run found, runs by their end."""

    twins: Mapping[str, tuple[str, ...]]
    ends: Sequence[datetime]
    groups: Sequence[Mapping[str, int]]

    @classmethod
    def of(cls, corpus: Corpus) -> Grouping:
        """That of `corpus`."""
        done = MiningRun.objects.filter(miner=Miner.NEAR_DUPLICATE, state=MiningRun.State.DONE)
        ended = done.filter(generation__index__corpus=corpus).order_by("finished_at", "pk")
        runs = [(run, end) for run, end in ended.values_list("pk", "finished_at") if end is not None]
        found: defaultdict[int, dict[str, int]] = defaultdict(dict)
        members = NearDuplicateMember.objects.filter(group__run__in=[run for run, _ in runs]).order_by("-group")
        for run, name, group in members.values_list("group__run", "document__canonical_id", "group"):
            found[run][name] = group
        twins = twins_of(corpus)
        groups = [with_twins(found[run], twins) for run, _ in runs]
        return cls(twins, [end for _, end in runs], groups)

    def on_screen(self, candidates: Sequence[Candidate], *, at: datetime) -> list[Candidate]:
        """`candidates` in the order in which they stood on screen at a moment."""
        newest = bisect_right(self.ends, at)
        groups = self.groups[newest - 1] if newest else {}
        ordered = beside_their_twin(candidates, self.twins)
        return [each for block in together(ordered, lambda one: group_in(groups, one)) for each in block]
