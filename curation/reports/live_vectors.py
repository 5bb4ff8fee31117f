"""Vectors for texts that live traffic asked; runs in jobs and commands only, for it loads the encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curation.models import EmbeddingSpace, QueryVector
from curation.reports.exact_search import encoded
from curation.retrieval.encoders import TextsRefused, names
from curation.retrieval.vectors import Matrix

TOGETHER = 500  # texts in one question to the database


def text_vectors(space: EmbeddingSpace, texts: Sequence[str]) -> dict[str, Matrix]:
    """A vector of shape (dims,) for each text that has one: brought along with a query of that text, else made here.

    Texts that the encoder cannot place are left out, and so are all that nobody brought where it does not run here.

    Raises:
        TextsRefused: not a single text has one, because the encoder does not run here.
    """
    wanted = list(dict.fromkeys(texts))
    found = _brought(space, wanted)
    missing = [text for text in wanted if text not in found]
    try:
        return found | _made(space, missing)
    except TextsRefused:
        if not found:
            raise
        return found


def _brought(space: EmbeddingSpace, texts: Sequence[str]) -> dict[str, Matrix]:
    found: dict[str, Matrix] = {}
    for first in range(0, len(texts), TOGETHER):
        part = texts[first : first + TOGETHER]
        rows = QueryVector.objects.filter(space=space, query__text__in=part).values_list("query__text", "vector")
        found |= {text: np.frombuffer(bytes(vector), dtype="<f4").astype(np.float32) for text, vector in rows}
    return found


def _made(space: EmbeddingSpace, texts: Sequence[str]) -> dict[str, Matrix]:
    if not texts:
        return {}
    try:
        return dict(zip(texts, encoded(space, texts), strict=True))
    except TextsRefused as refusal:
        unplaced = {texts[position] for position in refusal.positions}
        if not unplaced or space.encoder not in names():
            raise
        return _made(space, [text for text in texts if text not in unplaced])
