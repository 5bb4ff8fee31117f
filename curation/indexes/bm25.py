"""BM25 over the words of a corpus's own documents: the second retriever, which knows no vectors.

The words are `retrieval.tokens`' of the folded text, each in its own language, so Thai and Chinese are cut as well as
English. The scores are those of the library bm25s (method "lucene", k1 1.5, b 0.75: its defaults), computed when the
index is built.
"""

import hashlib
import json
import logging
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from curation.indexes.base import AskedQuery, IndexRefused, Ranked
from curation.retrieval.folding import fold
from curation.retrieval.tokens import SEGMENTER, words
from curation.retrieval.vectors import sha256_of

BUILT_BY = f"bm25s {version('bm25s')}; {SEGMENTER}"
_IDS = "ids.json"


class WordedText(NamedTuple):
    """A document as BM25 reads it."""

    external_id: str
    language: str
    text: str


class Bm25Index:
    """An index that `build` wrote, memory-mapped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ids: list[str] = json.loads((folder / _IDS).read_bytes())
        self._bm25 = _library().BM25.load(folder, mmap=True, show_progress=False)

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """The k documents with the highest scores for each query's text; none that shares no word with it."""
        return [self._ranking(words_of(query.text, query.locale), k) for query in queries]

    def _ranking(self, asked: Sequence[str], k: int) -> list[Ranked]:
        known = self._bm25.get_tokens_ids(asked)
        if not known:
            return []
        scores = self._bm25.get_scores_from_ids(known)
        return [Ranked(self._ids[row], float(scores[row])) for row in _best(scores, k)]

    def ids(self) -> Sequence[str]:
        """The external ids of the documents it was built of, ascending by code point."""
        return self._ids

    def fingerprint(self) -> str:
        """Hash over the files of the index."""
        parts = (f"{path.name} {sha256_of(path)}" for path in sorted(self._folder.iterdir()))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def words_of(text: str, locale: str) -> list[str]:
    """The words that a text is found by."""
    return words(fold(text, locale or "und"), locale or "und")


def build(documents: Iterable[WordedText], folder: Path) -> None:
    """Write the index of `documents`, which come in ascending external id (code point) order, to a new `folder`.

    It appears whole or not at all. Where another has just written the same folder, that one stays.

    Raises:
        IndexRefused: the documents hold no word.
    """
    vocabulary: dict[str, int] = {}
    ids: list[str] = []
    worded: list[list[int]] = []
    for document in documents:
        ids.append(document.external_id)
        found = words_of(document.text, document.language)
        worded.append([vocabulary.setdefault(word, len(vocabulary)) for word in found])
    if not vocabulary:
        raise IndexRefused("The documents hold no word to search by; import documents with text first.")
    bm25 = _library().BM25()
    bm25.index((worded, vocabulary), create_empty_token=False, show_progress=False)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent) as scratch:
        whole = Path(scratch) / "whole"
        bm25.save(whole, show_progress=False)
        (whole / _IDS).write_bytes(json.dumps(ids).encode())
        if not folder.exists():
            whole.rename(folder)


def _library() -> ModuleType:
    import bm25s

    # it sets itself to DEBUG when it is imported
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    module: ModuleType = bm25s
    return module


def _best(scores: npt.NDArray[np.float32], k: int) -> Iterable[int]:
    """The rows of the k highest scores above 0: score descending, row ascending."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > k:
        last = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
        rows = rows[scores[rows] >= last]
    best: list[int] = rows[np.lexsort((rows, -scores[rows]))][:k].tolist()
    return best
