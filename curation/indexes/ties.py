"""The order of equal scores, for servers that order them as they like."""

from collections.abc import Callable, Iterable, Sequence

from curation.indexes.base import AskedQuery, Ranked

MOST = 10_000  # what Elasticsearch and OpenSearch return at most for one query


def ordered(places: Iterable[Ranked]) -> list[Ranked]:
    """The documents once each with their best score, by score descending, then external id ascending."""
    best: dict[str, float] = {}
    for external_id, score in places:
        best[external_id] = max(score, best.get(external_id, score))
    return sorted((Ranked(*place) for place in best.items()), key=lambda place: (-place.score, place.external_id))


def top_k(
    ask: Callable[[Sequence[AskedQuery], int], Sequence[Sequence[Ranked]]], queries: Sequence[AskedQuery], k: int
) -> list[list[Ranked]]:
    """The first k documents of each query, in the order of `ordered`.

    A server is asked for one more than k. Where the cut falls among equal scores, or the answer names documents
    twice and too few of them, the query is asked again for four times as many, up to 10,000.

    Args:
        ask: what the server answers to some queries, at most so many places each.
        queries: in the order of the rankings.
        k: at least 1.
    """
    rankings: list[list[Ranked]] = [[] for _ in queries]
    waiting, depth = list(range(len(queries))), min(k + 1, MOST)
    while waiting:
        answers = ask([queries[position] for position in waiting], depth)
        for position, answer in zip(waiting, answers, strict=True):
            rankings[position] = ordered(answer)
        if depth == MOST:
            break
        full = zip(waiting, [len(answer) >= depth for answer in answers], strict=True)
        waiting = [position for position, more in full if more and _is_open(rankings[position], k)]
        depth = min(4 * depth, MOST)
    return [ranking[:k] for ranking in rankings]


def _is_open(ranking: Sequence[Ranked], k: int) -> bool:
    """Whether documents that were not returned could belong among the first k."""
    return len(ranking) <= k or ranking[k - 1].score == ranking[-1].score
