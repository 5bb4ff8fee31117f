"""What became of earlier hard negatives: how many of them an index still confuses with what is relevant."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from curation.measures.targets import COUNT_TARGETS


@dataclass(frozen=True)
class Decay:
    """Earlier negatives of the queries that were asked again.

    Of `negatives` pairs (query, canonical id) over `queries` queries, `relevant` have turned out relevant, and `still`
    of the rest stand among the first documents of the newer answer. What is left the index has learnt to tell apart.
    """

    queries: int
    negatives: int
    relevant: int
    still: int

    @property
    def share(self) -> float | None:
        """Still confused, of those that are negatives yet; None under 30 queries, where the counts alone are shown."""
        standing = self.negatives - self.relevant
        if self.queries < COUNT_TARGETS["screen"] or not standing:
            return None
        return self.still / standing


def decay(
    earlier: Mapping[str, Collection[str]],
    answers: Mapping[str, Sequence[str]],
    relevant: Mapping[str, Collection[str]],
) -> Decay:
    """Return what became of the negatives of an earlier generation.

    Args:
        earlier: query id to the canonical ids that were its hard negatives.
        answers: query id to the canonical ids of the index's first documents by now; queries without one are left out.
        relevant: query id to what is settled as relevant by now.
    """
    asked = {query: set(negatives) for query, negatives in earlier.items() if query in answers and negatives}
    standing = {query: negatives.difference(relevant.get(query, ())) for query, negatives in asked.items()}
    return Decay(
        queries=len(asked),
        negatives=sum(map(len, asked.values())),
        relevant=sum(len(asked[query]) - len(standing[query]) for query in asked),
        still=sum(len(standing[query].intersection(answers[query])) for query in asked),
    )
