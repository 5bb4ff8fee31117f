"""What a run found and nobody judged: how much of it a report keeps, and where the rest is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

KEPT = 5_000
"""Documents that a report keeps: more than anybody judges for one change, and a fraction of a megabyte."""
COLUMNS = ("query_id", "canonical_id")


def first_of_each(unjudged: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The highest ranked of every query: as many of each as keep the list within `KEPT`, and never none."""
    depth = depth_within([len(found) for found in unjudged.values()], KEPT)
    return {name: list(found[:depth]) for name, found in unjudged.items()}


def depth_within(lengths: Sequence[int], most: int) -> int:
    """To which depth all lists together hold at most `most`; 1 at least."""
    depth = total = 0
    while more := sum(length > depth for length in lengths):
        total += more
        if depth and total > most:
            break
        depth += 1
    return max(1, depth)


def as_lines(unjudged: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """All of it as a table with a header, the documents of a query best first."""
    yield "\t".join(COLUMNS) + "\n"
    for name, found in unjudged.items():
        yield from (f"{name}\t{canonical}\n" for canonical in found)
