"""What an index of each kind is asked with."""

from __future__ import annotations

from curation.indexes.elasticsearch import SearchedFields
from curation.models import TargetIndex

Kind = TargetIndex.Kind
VECTORS = frozenset({Kind.EXACT, Kind.FAISS_FILE, Kind.PGVECTOR, Kind.QDRANT})


def needs_vectors(index: TargetIndex) -> bool:
    """Whether the index is asked with vectors."""
    if index.kind == Kind.ELASTICSEARCH:
        return bool(SearchedFields.read(index.location).vector)
    return index.kind in VECTORS
