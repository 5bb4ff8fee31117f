"""An index asked as it was made: a query's vector goes the road that the manifest says the documents went."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from curation.formats.manifest import Embedding, Manifest
from curation.indexes.asked import stacked
from curation.indexes.base import AskedQuery, Index, IndexRefused, Ranked
from curation.retrieval.quantisation import Calibration
from curation.retrieval.transforms import transform


class AskedAsMade:
    """`index`, which is asked with the numbers that its manifest makes of a query's vector."""

    def __init__(self, index: Index, manifest: Manifest, calibration: Calibration) -> None:
        """Asks nothing yet; `calibration` is the scale and the centre that the manifest names."""
        self._index = index
        self._manifest = manifest
        self._calibration = calibration

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """As `Index.search`; the vectors of the queries are those of the corpus's space.

        Raises:
            IndexRefused: as the index itself, or a query has no vector.
            VectorsRefused: a vector that no search can rank, before or after the steps.
        """
        if not queries:
            return []
        made = self._manifest.embedding
        rows = transform(
            stacked(queries),
            dims=made.truncate_to,
            order=made.transform_order,
            ids=[query.external_id for query in queries],
            calibration=self._calibration,
        )
        return self._index.search([replace(query, vector=row) for query, row in zip(queries, rows, strict=True)], k)

    def ids(self) -> Sequence[str]:
        """As `Index.ids`."""
        return self._index.ids()

    def fingerprint(self) -> str:
        """Hash over what the index holds and over how it is asked."""
        made = self._manifest.embedding
        asked = [made.truncate_to, made.transform_order, self._manifest.scale_sha256, self._manifest.centre_sha256]
        return hashlib.sha256(json.dumps([self._index.fingerprint(), asked]).encode()).hexdigest()


def check_begins(made: Embedding, *, native_dims: int, dims: int, index: str) -> None:
    """Refuse a road that does not begin where the vectors of a space stand.

    Those are an encoder's output of `native_dims` numbers, cut to the first `dims`, of length 1. So its steps give the
    same as on the output itself where nothing that was cut off is missed, and where lengths count only once they are 1.

    Raises:
        IndexRefused: the sentence says what of the two does not meet; `index` is the name in it.
    """
    if made.native_dims != native_dims:
        raise IndexRefused(
            f"The manifest of {index} names {made.model}, an encoder of {made.native_dims:,} dimensions, and queries"
            f" are encoded by one of {native_dims:,}; encode the corpus with the encoder of the index."
        )
    if made.truncate_to > dims or (dims < native_dims and made.transform_order[:1] != ["truncate"]):
        raise IndexRefused(
            f"The vectors of the corpus were cut to {dims:,} of {native_dims:,} dimensions, and the manifest of {index}"
            f" needs more of them than that; bring them in whole."
        )
    lengths = [step for step in made.transform_order if step != "truncate"]
    if lengths and lengths[0] != "l2_normalise":
        raise IndexRefused(
            f"The manifest of {index} takes the step {lengths[0]} before l2_normalise, and queries are normalised"
            " already, so they cannot be asked alike; build the index with l2_normalise before it."
        )
