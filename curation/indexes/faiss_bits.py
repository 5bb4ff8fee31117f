"""An index of FAISS over bits (`IndexBinaryFlat` and its like), asked with numbers as those over floats are."""

from typing import Any

import numpy as np
import numpy.typing as npt

from curation.retrieval.rows import Matrix


class Bits:
    """Bit i of a vector is 1 where its number i is above 0; eight of them lie in a byte as `numpy.packbits` puts them.

    `d` is how many bits a vector has, `ntotal` how many vectors there are.
    """

    def __init__(self, index: Any) -> None:  # noqa: ANN401  (faiss brings no types)
        self._index = index
        self.d = int(index.d)
        self.ntotal = int(index.ntotal)
        self.metric_type = index.metric_type

    def search(self, vectors: Matrix, k: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """How many bits differ, and in which vectors, nearest first: both of shape (n, k); -1 where it found none."""
        distances, numbers = self._index.search(np.packbits(vectors > 0, axis=1), k)
        return distances.astype(np.float32), numbers
