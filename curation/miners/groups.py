"""Groups in which every member is near every other: complete linkage, so that no chain forms."""

import heapq
from collections.abc import Callable, Iterable

from curation.miners.pairs import Pair
from curation.miners.progress import wanted

_Links = dict[int, dict[int, float]]
_ASKED_EVERY = 10_000


def bounded_groups(pairs: Iterable[Pair], *, still_wanted: Callable[[], None] = wanted) -> list[tuple[int, ...]]:
    """Groups of rows whose every pair is among the given ones; each row in at most one, each of two rows or more.

    The two groups whose least similar pair scores highest are merged first, ties by lowest row, as long as all pairs
    between them were given. The merges at a higher bar are the first merges at a lower one, so a group may be split at
    a tighter bar from its own pair scores alone, without mining again. Groups are ordered by their lowest row.
    `still_wanted` is called now and then; whatever it raises ends the grouping.
    """
    links = _links(pairs)
    heap = [(-cosine, a, b) for a, near in links.items() for b, cosine in near.items() if a < b]
    heapq.heapify(heap)
    members: dict[int, tuple[int, ...]] = {row: (row,) for row in links}
    while heap:
        if len(heap) % _ASKED_EVERY == 0:
            still_wanted()
        negative, a, b = heapq.heappop(heap)
        if links.get(a, {}).get(b) != -negative:
            continue
        members[a] = tuple(sorted(members[a] + members.pop(b)))
        for other, cosine in _merge(links, a, b).items():
            heapq.heappush(heap, (-cosine, min(a, other), max(a, other)))
    return sorted(group for group in members.values() if len(group) > 1)


def _links(pairs: Iterable[Pair]) -> _Links:
    links: _Links = {}
    for a, b, cosine in pairs:
        links.setdefault(a, {})[b] = cosine
        links.setdefault(b, {})[a] = cosine
    return links


def _merge(links: _Links, a: int, b: int) -> dict[int, float]:
    """Give group a the links both had, at the lower score of the two, and drop all other links of a and b."""
    of_a, of_b = links.pop(a), links.pop(b)
    kept = {other: min(cosine, of_b[other]) for other, cosine in of_a.items() if other in of_b}
    for other in of_a.keys() | of_b.keys():
        if other in links:
            links[other].pop(a, None)
            links[other].pop(b, None)
    for other, cosine in kept.items():
        links[other][a] = cosine
    links[a] = kept
    return kept
