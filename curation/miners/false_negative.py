"""False negatives: mined documents that nobody has judged and that every retriever ranks high may be answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from curation.miners.hard_negative import HardNegatives, QueryNegatives, Search, Shelf
from curation.miners.progress import Progress, silent

HIGH = 10  # a place that counts as high: as deep as pools take from each retriever
_ASKED_AT_ONCE = 256
Pair = tuple[str, str]


@dataclass(frozen=True)
class Ranked:
    """A mined document at `rank` of the mined index, and where each other retriever that answered ranks it.

    `places` hold None where a retriever does not rank it as deep as was mined; one that gave the query no answer has no
    say and is left out.
    """

    rank: int
    places: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def lowest(self) -> int | None:
        """The lowest place of all retrievers; None where one does not rank it HIGH, or where there is no second."""
        found = [place for place in self.places.values() if place is not None]
        if not found or len(found) < len(self.places):
            return None
        lowest = max(self.rank, *found)
        return lowest if lowest <= HIGH else None


def hunt(
    mined: HardNegatives, retrievers: Mapping[str, Search], *, shelf: Shelf, progress: Progress = silent
) -> dict[Pair, Ranked]:
    """Ask every other retriever, as deep as was mined, where it ranks each mined document.

    An article stands where its best rendering, chunk or text twin stands.

    Args:
        mined: the hard negatives of one index.
        retrievers: the others, by name, each asked up to 256 query ids at a time.
        shelf: the corpus.
        progress: called with queries asked and queries to ask, each counted once a retriever.

    Returns:
        By (query id, external id), every negative of `mined`.
    """
    places: dict[Pair, dict[str, int | None]] = {}
    total = len(mined.queries) * len(retrievers)
    for number, (name, search) in enumerate(retrievers.items()):
        for start in range(0, len(mined.queries), _ASKED_AT_ONCE):
            batch = mined.queries[start : start + _ASKED_AT_ONCE]
            answers = search([query.query_id for query in batch], mined.depth)
            for query, answer in zip(batch, answers, strict=True):
                for external_id, place in _places(query, answer[: mined.depth], shelf):
                    places.setdefault((query.query_id, external_id), {})[name] = place
            progress(number * len(mined.queries) + start + len(batch), total)
    return {
        (query.query_id, each.external_id): Ranked(each.rank, places.get((query.query_id, each.external_id), {}))
        for query in mined.queries
        for each in query.negatives
    }


def _places(
    query: QueryNegatives, answer: Sequence[tuple[str, float]], shelf: Shelf
) -> Iterator[tuple[str, int | None]]:
    if not answer:
        return
    articles: dict[str, int] = {}
    texts: dict[str, int] = {}
    for place, (name, _) in enumerate(answer, 1):
        if name in shelf.canonical_ids:
            articles.setdefault(shelf.canonical_ids[name], place)
            texts.setdefault(shelf.fingerprints[name], place)
    for each in query.negatives:
        found = [articles[each.canonical_id]] if each.canonical_id in articles else []
        found += [texts[text] for text in shelf.texts_of([each.canonical_id]) if text in texts]
        yield each.external_id, min(found, default=None)
