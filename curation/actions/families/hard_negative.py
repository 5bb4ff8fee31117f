"""Hard negatives: what the index ranks high for a settled query without its being relevant."""

from __future__ import annotations

from collections.abc import Mapping

from curation.actions.families.found import Found, documents_named
from curation.actions.families.hardness import Answers, hardness, remembered
from curation.miners.false_negative import Pair, Ranked, hunt
from curation.miners.hard_negative import DEPTH, WANTED, HardNegatives, mine
from curation.miners.progress import Progress
from curation.models import HardNegative, MiningRun, Query
from curation.reports.gathered import judged_queries, queries_of, search_of, shelf_of
from curation.reports.indexes import open_index
from curation.reports.retrievers import fingerprint_of, others


def find(run: MiningRun, progress: Progress) -> Found:
    """Ask the generation's index and keep the first eight documents of its top 20 that are not relevant.

    Then every other retriever is asked where it ranks them: what all rank high and nobody has judged may be an answer.

    Raises:
        IndexRefused: the index cannot be opened, or does not answer.
        VectorsRefused: exact search has no vectors, or cannot encode a query.
    """
    index = run.generation.index
    queries = queries_of(index.corpus)
    opened = open_index(index)
    fingerprint, search = fingerprint_of(index, opened=opened), search_of(index, queries, opened=opened)
    shelf, retrievers = shelf_of(index.corpus), others(index, queries)
    judged = judged_queries(index.corpus, list(queries.values()))
    searches, answers = 1 + len(retrievers), Answers()
    told = remembered(search, shelf, answers)
    mined = mine(judged, told, shelf=shelf, progress=lambda done, total: progress(done, total * searches))
    ready = len(mined.queries)
    ranked = hunt(mined, retrievers, shelf=shelf, progress=lambda done, _: progress(ready + done, ready * searches))
    return Found(
        params={
            "depth": DEPTH,
            "wanted": WANTED,
            "fingerprint": fingerprint,
            "retrievers": [index.name, *retrievers],
        },
        summary={**figures(mined, ranked), **hardness(run, mined, answers, judged=judged)},
        negatives=rows_of(run, mined, queries=queries, ranked=ranked),
    )


def rows_of(
    run: MiningRun, mined: HardNegatives, *, queries: Mapping[str, Query], ranked: Mapping[Pair, Ranked]
) -> list[HardNegative]:
    """The negatives as they are stored, query by query, by rank."""
    pairs = [(one.query_id, each) for one in mined.queries for each in one.negatives]
    documents = documents_named(run.generation.index.corpus, (each.external_id for _, each in pairs))
    return [
        HardNegative(
            run=run,
            query=queries[query_id],
            document_id=documents[each.external_id],
            canonical_id=each.canonical_id,
            rank=each.rank,
            score=each.score,
            grade=each.grade,
            places=ranked[query_id, each.external_id].places,
            lowest_place=ranked[query_id, each.external_id].lowest,
        )
        for query_id, each in pairs
    ]


def figures(mined: HardNegatives, ranked: Mapping[Pair, Ranked]) -> dict[str, int]:
    """What the run tells about itself; `agreed_by_all` are unjudged, and every retriever ranks them high."""
    pairs = [(one.query_id, each) for one in mined.queries for each in one.negatives]
    unjudged = [(query_id, each.external_id) for query_id, each in pairs if not each.judged]
    return {
        "found": len(pairs),
        "judged": len(pairs) - len(unjudged),
        "unjudged": len(unjudged),
        "agreed_by_all": sum(ranked[pair].lowest is not None for pair in unjudged),
        "queries": len(mined.queries),
        "short_queries": len(mined.short),
        "missing_negatives": sum(one.missing for one in mined.queries),
        "skipped": len(mined.skipped),
        "unknown_documents": sum(len(one.unknown) for one in mined.queries),
    }
