"""What exact search finds for texts that are no queries yet: where it ranks the article that each was drafted from.

Runs in jobs and commands only: it loads the encoder and the vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from curation.miners.progress import Progress
from curation.models import Corpus, EmbeddingSpace
from curation.reports.embeddings import encoder_of, vectors_path
from curation.retrieval.encoders import Encoder, TextsRefused, names
from curation.retrieval.exact import top_k
from curation.retrieval.vectors import Matrix, Vectors, open_vectors, transform

DEPTH = 50
BATCH = 32  # texts encoded between two calls of progress
Ranking = Sequence[tuple[str, float]]  # (canonical id, score), best first


@dataclass(frozen=True, slots=True)
class Draft:
    """A query and the canonical id of the article it was drafted from."""

    text: str
    article: str


@dataclass(frozen=True, slots=True)
class SourceRank:
    """The rank of the article's best document, from 1; None where none is among the first 50.

    `lead` is how much higher that one scores than the best document of any other article, negative where another one is
    ahead; None where there is nothing to compare.
    """

    rank: int | None
    lead: float | None


def source_ranks(
    corpus: Corpus, drafts: Sequence[Draft], *, articles: Mapping[str, str], progress: Progress
) -> list[SourceRank | None]:
    """The rank of each draft's article; None where the encoder cannot place the draft, or does not run here.

    An encoder on a server is not asked: the drafts are nobody's queries yet.

    Args:
        corpus: its current space is searched.
        drafts: what is asked.
        articles: the canonical id of every document; the vectors of others are passed over.
        progress: called with drafts ranked and drafts to rank.

    Raises:
        VectorsRefused: the vectors of the space cannot be opened.
    """
    space = corpus.embedding_spaces.filter(current=True).first()
    if space is None or space.encoder not in names():
        return [None] * len(drafts)
    rankings = text_rankings(space, [draft.text for draft in drafts], articles=articles, progress=progress)
    return [
        None if ranking is None else rank_in(ranking, draft.article)
        for draft, ranking in zip(drafts, rankings, strict=True)
    ]


def text_rankings(
    space: EmbeddingSpace, texts: Sequence[str], *, articles: Mapping[str, str], progress: Progress
) -> list[Ranking | None]:
    """The first 50 documents that exact search finds for each text; None for one that the encoder cannot place.

    Args:
        space: its encoder runs here.
        texts: what is asked.
        articles: as those of `source_ranks`.
        progress: called with texts ranked and texts to rank.

    Raises:
        VectorsRefused: the vectors of the space cannot be opened.
    """
    indexed, encoder = open_vectors(vectors_path(space)), encoder_of(space)
    found: list[Ranking | None] = []
    for start in range(0, len(texts), BATCH):
        part = texts[start : start + BATCH]
        vectors = _encoded(space, encoder, part)
        rankings = dict(zip(vectors, _rankings(indexed, [*vectors.values()], articles), strict=True))
        found += [rankings.get(text) for text in part]
        progress(len(found), len(texts))
    return found


def rank_in(ranking: Ranking, article: str) -> SourceRank:
    """Where `article` stands in a ranking of documents, and by how much it leads or is behind."""
    own = next((place for place, (name, _) in enumerate(ranking) if name == article), None)
    if own is None:
        return SourceRank(None, None)
    other = next((score for name, score in ranking if name != article), None)
    return SourceRank(own + 1, None if other is None else ranking[own][1] - other)


def _encoded(space: EmbeddingSpace, encoder: Encoder, texts: Sequence[str]) -> dict[str, Matrix]:
    """The vector of each text, shape (1, dims), without those that the encoder cannot place."""
    vectors: dict[str, Matrix] = {}
    for text in texts:
        with suppress(TextsRefused):  # one such text would refuse them all
            made = encoder.encode([text])
            vectors[text] = transform(made, dims=space.dims, order=space.transform_order)
    return vectors


def _rankings(indexed: Vectors, queries: Sequence[Matrix], articles: Mapping[str, str]) -> Iterator[Ranking]:
    if not queries:
        return
    hits = top_k(indexed.matrix, np.concatenate(queries), DEPTH)
    for rows, scores in zip(hits.rows, hits.scores, strict=True):
        ids = (indexed.ids[row] for row in rows)
        yield [(articles[name], float(score)) for name, score in zip(ids, scores, strict=True) if name in articles]
