"""Small corpora for the miners, built from the columns a test cares about."""

from collections.abc import Mapping, Sequence

import numpy as np

from curation.miners.documents import Documents
from curation.retrieval.vectors import Matrix


def a_corpus(
    texts: Mapping[str, str],
    *,
    canonical: Mapping[str, str] | None = None,
    language: Mapping[str, str] | None = None,
    sources: Sequence[str] = (),
    facts: Mapping[str, Mapping[str, str]] | None = None,
    titles: Mapping[str, str] | None = None,
) -> Documents:
    """Documents by external id; what is not given is the id itself, English, untitled, no source, no facts."""
    ids = sorted(texts)
    return Documents(
        external_ids=ids,
        canonical_ids=[(canonical or {}).get(name, name) for name in ids],
        languages=[(language or {}).get(name, "en") for name in ids],
        titles=[(titles or {}).get(name, "") for name in ids],
        texts=[texts[name] for name in ids],
        sources=[name in sources for name in ids],
        facts=[(facts or {}).get(name, {}) for name in ids],
    )


def alike(rows: int, cosine: float = 0.95) -> Matrix:
    """Unit vectors of which any two have the given cosine."""
    gram = np.full((rows, rows), cosine) + np.eye(rows) * (1 - cosine)
    return np.linalg.cholesky(gram).astype(np.float32)
