"""The answers of an imported run, as if the index that gave them were still here."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from curation.indexes.base import AskedQuery, Ranked


class RankedRunIndex:
    """What a run file answered, query by query; it knows no other query and no rank below its last."""

    def __init__(self, answers: Mapping[str, Mapping[str, float]]) -> None:
        """Takes the score of each document by query id and document id; ranks in the file give way to scores."""
        self._rankings = {
            query_id: sorted((Ranked(*answer) for answer in scores.items()), key=lambda place: (-place.score, place[0]))
            for query_id, scores in answers.items()
        }

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """The first k documents of each query's ranking; none for a query that the run does not hold."""
        return [self._rankings.get(query.external_id, [])[:k] for query in queries]

    def ids(self) -> Sequence[str]:
        """The external ids that the run names anywhere, ascending by code point."""
        return sorted({place.external_id for ranking in self._rankings.values() for place in ranking})

    def fingerprint(self) -> str:
        """Hash over every query, document and score."""
        return hashlib.sha256(json.dumps(sorted(self._rankings.items())).encode()).hexdigest()
