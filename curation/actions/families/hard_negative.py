"""Hard negatives: what the index ranks high for a settled query without its being relevant."""

from __future__ import annotations

from curation.actions.families.found import Found, documents_named
from curation.actions.refusal import Refused
from curation.miners.hard_negative import DEPTH, WANTED, HardNegatives, mine
from curation.miners.progress import Progress
from curation.models import HardNegative, MiningRun
from curation.reports.gathered import judged_queries, queries_of, search_of, shelf_of


def find(run: MiningRun, progress: Progress) -> Found:
    """Ask the generation's index and keep the first eight documents of its top 20 that are not relevant.

    Raises:
        Refused: an index of imported runs has none.
        VectorsRefused: exact search has no vectors, or cannot encode a query.
    """
    index = run.generation.index
    queries = queries_of(index.corpus)
    try:
        search = search_of(index, queries)
    except LookupError as fault:
        raise Refused(f"The index {index.name} has no run yet; bring one with import_run.") from fault
    judged = judged_queries(index.corpus, list(queries.values()))
    mined = mine(judged, search, shelf=shelf_of(index.corpus), progress=progress)
    documents = documents_named(index.corpus, (each.external_id for one in mined.queries for each in one.negatives))
    return Found(
        params={"depth": DEPTH, "wanted": WANTED},
        summary=figures(mined),
        negatives=[
            HardNegative(
                run=run,
                query=queries[one.query_id],
                document_id=documents[each.external_id],
                canonical_id=each.canonical_id,
                rank=each.rank,
                score=each.score,
                grade=each.grade,
            )
            for one in mined.queries
            for each in one.negatives
        ],
    )


def figures(mined: HardNegatives) -> dict[str, int]:
    """What the run tells about itself."""
    negatives = [each for one in mined.queries for each in one.negatives]
    return {
        "found": len(negatives),
        "judged": sum(each.judged for each in negatives),
        "queries": len(mined.queries),
        "short_queries": len(mined.short),
        "skipped": len(mined.skipped),
        "unknown_documents": sum(len(one.unknown) for one in mined.queries),
    }
