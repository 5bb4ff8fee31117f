"""What every retriever under test is: asked with queries, it answers with ranked external ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from curation.retrieval.vectors import Matrix


class IndexRefused(ValueError):
    """An index that cannot answer; its text is one sentence for the person who asked."""


@dataclass(frozen=True, slots=True, eq=False)
class AskedQuery:
    """One query as an index is asked it; each backend takes the part it understands.

    `vector`, shape (d,), comes from the corpus's own encoder and the transform of its embedding space. `locale` is the
    query's own, canonical; "und" where nobody knows it.
    """

    external_id: str
    text: str
    vector: Matrix | None = None
    locale: str = "und"


class Ranked(NamedTuple):
    """One place in a ranking."""

    external_id: str
    score: float


class Index(Protocol):
    """A retriever under test. It is only read: what is written to a backend is its manifest (`indexes.manifests`)."""

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """At most k documents for each query, in the order of the queries.

        Each ranking is ordered by score descending, then external id ascending by code point.

        Raises:
            IndexRefused: this index cannot be asked with these queries.
        """

    def ids(self) -> Sequence[str]:
        """The external ids of the documents it holds, ascending by code point."""

    def fingerprint(self) -> str:
        """A hash, in hexadecimal, that differs when what the index holds differs."""
