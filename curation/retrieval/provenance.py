"""Which encoder made a set of vectors, and whether two sets may be compared at all."""

from dataclasses import dataclass

from curation.retrieval.vectors import VectorsRefused


@dataclass(frozen=True, slots=True)
class Provenance:
    """The encoder behind some vectors, as far as it is known.

    `revision` and `sha256` (of the encoder's weights) are empty where nobody said. `dims` is the width of the
    vectors.
    """

    name: str
    dims: int
    revision: str = ""
    sha256: str = ""

    def __str__(self) -> str:
        name = self.name or "an encoder that is not named"
        return f"{name} ({self.revision})" if self.revision else name


def require_dims(index: Provenance, queries: Provenance) -> None:
    """Refuse to search an index with query vectors of another width.

    Raises:
        VectorsRefused: naming both widths, both encoders and the way out.
    """
    if index.dims != queries.dims:
        raise VectorsRefused(
            f"The index holds {index.dims:,} dimensions from {index}, the queries have {queries.dims:,} from {queries};"
            f" {_way_out(index, queries)}."
        )


def require_same_space(index: Provenance, queries: Provenance) -> None:
    """Refuse query vectors that another encoder, or another revision of it, made: their cosines mean nothing.

    Names and revisions are compared only where both sides know theirs.

    Raises:
        VectorsRefused: as `require_dims`, and for vectors of the same width from elsewhere.
    """
    require_dims(index, queries)
    other_name = index.name and queries.name and index.name != queries.name
    other_revision = index.revision and queries.revision and index.revision != queries.revision
    if other_name or other_revision:
        raise VectorsRefused(
            f"The index was made by {index}, the queries by {queries}, and vectors of different encoders cannot be"
            f" compared; {_way_out(index, queries)}."
        )


def _way_out(index: Provenance, queries: Provenance) -> str:
    return f"encode the queries with {index}, or encode the corpus again with {queries}"
