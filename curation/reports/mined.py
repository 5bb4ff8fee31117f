"""What a mining run found, as the lines of its export: the same run gives the same lines in the same order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from curation.models import (
    Corpus,
    HardNegative,
    Miner,
    MiningRun,
    NearDuplicateGroup,
    NearDuplicateMember,
    Proposal,
)
from curation.reports.gathered import judged_queries, queries_of, shelf_of

Line = dict[str, Any]


def newest_run(corpus: Corpus, miner: Miner, *, generation: int | None = None) -> MiningRun | None:
    """The run that is read: the newest finished one, of one generation where its number is given."""
    runs = MiningRun.objects.filter(generation__index__corpus=corpus, miner=miner, state=MiningRun.State.DONE)
    if generation is not None:
        runs = runs.filter(generation__number=generation)
    return runs.select_related("generation__index__corpus").order_by("-pk").first()


def lines_of(run: MiningRun) -> Iterator[Line]:
    """The export of a run, line by line."""
    return LINES[Miner(run.miner)](run)


def groups(run: MiningRun) -> Iterator[Line]:
    """Every near-duplicate group, those set aside too; members by external id in code point order."""
    members = defaultdict(list)
    for key, name in NearDuplicateMember.objects.filter(group__run=run).values_list(
        "group_id", "document__external_id"
    ):
        members[key].append(name)
    for group in NearDuplicateGroup.objects.filter(run=run).order_by("pk").defer("facts", "shared"):
        yield {
            "group": group.key,
            "members": sorted(members[group.pk]),
            "differs_in": group.differs_in,
            "set_aside": group.set_aside,
            "min_cosine": group.min_cosine,
        }


def negatives(run: MiningRun) -> Iterator[Line]:
    """The hard negatives of each query, by rank, in the light of what is settled by now.

    Only a document judged not relevant is a negative; one that nobody has judged stands apart as unjudged, and one
    that turned out relevant, or that a judge could not tell about, is left out.
    """
    corpus: Corpus = run.generation.index.corpus
    queries, shelf = queries_of(corpus), shelf_of(corpus)
    judged = {each.query_id: each for each in judged_queries(corpus, list(queries.values()))}
    by_query = defaultdict(list)
    for negative in HardNegative.objects.filter(run=run).select_related("query", "document").order_by("pk"):
        by_query[negative.query.external_id].append(negative)
    for query_id in sorted(by_query.keys() & judged.keys()):
        told = judged[query_id]
        out = told.relevant | told.cannot_tell
        kept = [each for each in by_query[query_id] if each.canonical_id not in out]
        yield {
            "query_id": query_id,
            "positives": sorted(name for name, canonical in shelf.canonical_ids.items() if canonical in told.relevant),
            "negatives": [each.document.external_id for each in kept if each.canonical_id in told.grades],
            "unjudged": [each.document.external_id for each in kept if each.canonical_id not in told.grades],
        }


def terms(run: MiningRun) -> Iterator[Line]:
    """Rare terms with the chunk that holds each and the query drafted from it."""
    for proposal in Proposal.objects.filter(run=run).select_related("document").order_by("rank"):
        yield {
            "term": proposal.evidence["term"],
            "df": proposal.evidence["df"],
            "document": proposal.document and proposal.document.external_id,
            "text": proposal.text,
        }


def keywords(run: MiningRun) -> Iterator[Line]:
    """Short keyword queries, the most asked first."""
    for proposal in Proposal.objects.filter(run=run).order_by("rank"):
        yield {
            "text": proposal.text,
            "locale": proposal.locale,
            "count": proposal.evidence["count"],
            "tokens": proposal.evidence["tokens"],
        }


LINES: Mapping[Miner, Callable[[MiningRun], Iterator[Line]]] = {
    Miner.NEAR_DUPLICATE: groups,
    Miner.HARD_NEGATIVE: negatives,
    Miner.RARE_ENTITY: terms,
    Miner.SHORT_KEYWORD: keywords,
}
