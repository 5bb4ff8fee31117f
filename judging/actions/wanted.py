"""How many opinions a query wants: what its stratum says, else two for a random share of the corpus's queries."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

from curation.actions.lookups import rows_in
from curation.models import Corpus

TWO = 2


def opinions_wanted(corpus: Corpus, query_ids: Collection[int]) -> dict[int, int]:
    """The number of opinions (1 to 3) that settle each of the queries."""
    told = corpus.queries.values_list("pk", "external_id", "stratum__opinions")
    return {
        pk: opinions or (TWO if is_drawn(corpus, external_id) else 1)
        for pk, external_id, opinions in rows_in(told, "pk", query_ids)
    }


def is_drawn(corpus: Corpus, external_id: str) -> bool:
    """Whether the query is in the random share that two people judge: the same answer whenever it is asked.

    The draw is the hash of the corpus and the query, so it depends neither on order nor on what was drawn before.
    """
    drawn = int.from_bytes(sha256(f"{corpus.slug}\0{external_id}".encode()).digest()[:8])
    return drawn % 100 < corpus.double_judged
