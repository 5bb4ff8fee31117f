"""Ways to store vectors, and what search answers in each: documents and queries go the product's one road."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

import numpy as np

from curation.measures.overlap import overlap_at_10
from curation.models import Corpus, Query, QueryVector
from curation.reports.embeddings import vectors_path
from curation.reports.exact_search import current_space, placed_vectors
from curation.retrieval.exact import Rows, row_scores, top_k
from curation.retrieval.quantisation import BINARY, CLIP, INT8, Calibration, Clip
from curation.retrieval.rows import Matrix
from curation.retrieval.transforms import calibrated, transform
from curation.retrieval.vectors import Vectors, open_vectors

DEPTH = 200
SAMPLED = 1_000
SEED = 6


@dataclass(frozen=True, slots=True)
class Way:
    """A way to store vectors: the part of the width that is kept, and what becomes of each number.

    With `drawn`, so many candidates are drawn by the small vectors and put in order by the float32 originals.
    """

    name: str
    part: int = 1
    quantisation: str = ""
    drawn: int = 0

    @property
    def order(self) -> tuple[str, ...]:
        """The transform order. Whole float32 vectors are those that the baseline searches, so nothing is done."""
        if self.part == 1 and not self.quantisation:
            return ()
        cut, quantised = self.part > 1, bool(self.quantisation)
        return (*("truncate",) * cut, "l2_normalise", *("centre", "quantise") * quantised)

    def bytes_of(self, native: int) -> int:
        """What one vector takes, without its original."""
        dims = native // self.part
        return {"": 4 * dims, INT8: dims, BINARY: dims // 8}[self.quantisation]


FLOAT32 = Way("float32")
INT8_WHOLE = Way("int8", quantisation=INT8)
BINARY_WHOLE = Way("binary", quantisation=BINARY)
BINARY_RESCORED = Way("binary, 400 drawn, then float32", quantisation=BINARY, drawn=400)
WAYS = (
    FLOAT32,
    INT8_WHOLE,
    Way("float32, half the width", 2),
    Way("int8, half the width", 2, INT8),
    Way("float32, a quarter", 4),
    Way("int8, a quarter", 4, INT8),
    BINARY_WHOLE,
    BINARY_RESCORED,
)


@dataclass(frozen=True, slots=True)
class Scene:
    """A corpus's vectors, and those of its queries that the encoder can place, in the order of `queries`."""

    held: Vectors
    queries: list[str]
    asked: Matrix

    @classmethod
    def of(cls, slug: str) -> Scene:
        """The queries are encoded once and stored, so that each gate's own baseline searches with the same bits."""
        space = current_space(Corpus.objects.get(slug=slug))
        queries = list(Query.objects.filter(corpus__slug=slug).order_by("external_id"))
        placed = placed_vectors(space, queries)
        QueryVector.objects.bulk_create(
            (QueryVector(space=space, query_id=key, vector=row.astype("<f4").tobytes()) for key, row in placed.items()),
            batch_size=500,
        )
        kept = [query for query in queries if query.pk in placed]
        asked = np.stack([placed[query.pk] for query in kept])
        return cls(open_vectors(vectors_path(space)), [query.external_id for query in kept], asked)

    @property
    def native(self) -> int:
        """The encoder's full width."""
        return int(self.held.matrix.shape[1])

    def sample(self) -> Matrix:
        """The calibration sample: documents drawn at random, always the same."""
        drawn = np.random.default_rng(SEED).permutation(len(self.held.ids))[:SAMPLED]
        return np.asarray(self.held.matrix[np.sort(drawn)])

    def calibration(self, way: Way, clip: Clip = CLIP) -> Calibration:
        """What the sample teaches about a way."""
        dims = self.native // way.part
        return calibrated(self.sample(), dims=dims, order=way.order, quantisation=way.quantisation, clip=clip)

    def stored(self, way: Way, vectors: Matrix) -> Matrix:
        """The numbers that `vectors` are searched by when they are stored in a way."""
        dims, calibration = self.native // way.part, self.calibration(way)
        return transform(vectors, dims=dims, order=way.order, calibration=calibration)

    def answers(self, way: Way) -> list[list[str]]:
        """The first 200 documents of each query."""
        index, asked = self.stored(way, self.held.matrix), self.stored(way, self.asked)
        found = top_k(index, asked, max(DEPTH, way.drawn)).rows
        if way.drawn:
            found = np.stack([self._rescored(*each) for each in zip(found, self.asked, strict=True)])
        return [[self.held.ids[row] for row in rows] for rows in found]

    def _rescored(self, drawn: Rows, query: Matrix) -> Rows:
        scores = row_scores(self.held.matrix[drawn], query)
        best_first: Rows = drawn[np.lexsort((drawn, -scores))]
        return best_first[:DEPTH]


def mean_overlap(served: list[list[str]], exact: list[list[str]]) -> float:
    """Overlap@10 over all queries."""
    return fmean(overlap_at_10(one, other) or 0.0 for one, other in zip(served, exact, strict=True))
