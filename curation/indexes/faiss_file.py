"""An index file of FAISS that the operator placed beside its ids.

Only files below one folder of the operator's are opened: FAISS trusts what it reads, so nobody uploads one.
"""

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.indexes.asked import vectors_of
from curation.indexes.base import AskedQuery, IndexRefused, Ranked
from curation.indexes.faiss_bits import Bits
from curation.indexes.ties import top_k
from curation.retrieval.vectors import sha256_of

_PLACE = "name a file below the folder of INDEX_FOLDER, such as laws/current.faiss"


class FaissFileIndex:
    """`folder / location`, searched by FAISS; line n of `location + ".ids"` names the vector that FAISS calls n - 1.

    A document may have several vectors; its nearest one counts. The score is FAISS's inner product, or the
    squared distance (of bits: how many differ) with its sign turned. What FAISS leaves out of an approximate answer is
    left out here.
    """

    def __init__(self, folder: Path, location: str) -> None:
        """Open it.

        Raises:
            IndexRefused: no such pair of files lies in `folder`, they cannot be read, or do not belong together.
        """
        self._name = location
        self._path = placed(folder, location)
        self._ids_path = placed(folder, f"{location}.ids")
        self._ids = _ids_in(self._ids_path)
        self._faiss = _read(self._path, location)
        if len(self._ids) != self._faiss.ntotal:
            raise IndexRefused(
                f"The index {location} holds {self._faiss.ntotal:,} vectors and {location}.ids names"
                f" {len(self._ids):,}; write the ids again, one a line, in the order of the vectors."
            )
        self._sign = _sign_of(self._faiss.metric_type, location)

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """What FAISS answers to each query's vector; fewer than k where it finds fewer.

        Raises:
            IndexRefused: a query has no vector, one of another width, or FAISS answers with a vector without an id.
            VectorsRefused: a vector that no search can rank.
        """
        return top_k(self._answers, queries, k)

    def _answers(self, queries: Sequence[AskedQuery], depth: int) -> list[list[Ranked]]:
        if not self._ids:
            return [[] for _ in queries]
        vectors = vectors_of(queries, dims=self._faiss.d, index=self._name)
        found = zip(*self._faiss.search(vectors, min(depth, len(self._ids))), strict=True)
        return [self._places(distances, numbers) for distances, numbers in found]

    def _places(self, distances: npt.NDArray[np.float32], numbers: npt.NDArray[np.int64]) -> list[Ranked]:
        stray = numbers[(numbers < -1) | (numbers >= len(self._ids))]
        if len(stray):
            raise IndexRefused(
                f"The index {self._name} answers with the number {stray[0]}, and {self._name}.ids has no such line;"
                " number its vectors from 0 in the order of the ids."
            )
        # FAISS fills up with -1 where it found too few; a score that is no number ranks nothing
        found = (numbers != -1) & np.isfinite(distances)
        pairs = zip(numbers[found], distances[found], strict=True)
        return [Ranked(self._ids[number], float(self._sign * distance)) for number, distance in pairs]

    def ids(self) -> Sequence[str]:
        """The external ids of its sidecar file, ascending by code point."""
        return sorted(set(self._ids))

    def fingerprint(self) -> str:
        """Hash over the index file and the ids."""
        parts = (sha256_of(self._path), sha256_of(self._ids_path))
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()


def check_location(location: str) -> None:
    """Refuse what cannot be a file below the operator's folder.

    Raises:
        IndexRefused: it is empty, absolute, or leads upward.
    """
    path = Path(location)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in location:
        raise IndexRefused(f"{location or 'Nothing'} is no place for a FAISS index; {_PLACE}.")


def placed(folder: Path, location: str) -> Path:
    """The file that a location leads to, links followed.

    Raises:
        IndexRefused: it is no file of the operator's folder.
    """
    check_location(location)
    root = folder.resolve()
    try:
        path = (root / location).resolve()
        is_here = path.is_file()
    except (OSError, RuntimeError) as fault:  # a name that is too long, a link that leads to itself
        raise IndexRefused(f"{location} is no file in the folder of INDEX_FOLDER; correct its name.") from fault
    if not path.is_relative_to(root):
        raise IndexRefused(f"{location} leads out of the folder of INDEX_FOLDER; put the file itself there.")
    if not is_here:
        raise IndexRefused(f"There is no file {location} in the folder of INDEX_FOLDER; put it there first.")
    return path


def _ids_in(path: Path) -> list[str]:
    try:
        ids = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as fault:
        raise IndexRefused(f"{path.name} is not UTF-8; write the ids again, one a line.") from fault
    if ids[-1] == "":
        ids.pop()
    ids = [line.removesuffix("\r") for line in ids]
    if "" in ids:
        raise IndexRefused(
            f"Line {ids.index('') + 1:,} of {path.name} is empty; each vector needs the id of its document."
        )
    return ids


def _read(path: Path, location: str) -> Any:  # noqa: ANN401  (faiss brings no types)
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)  # it tells of every processor that this one is not
    import faiss

    try:
        return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
    except RuntimeError:
        pass  # it may hold bits, which FAISS reads by another name
    try:
        return Bits(faiss.read_index_binary(str(path)))
    except RuntimeError as fault:
        raise IndexRefused(f"{location} cannot be read as a FAISS index; write it with faiss.write_index.") from fault


def _sign_of(metric: int, location: str) -> int:
    import faiss

    signs = {faiss.METRIC_INNER_PRODUCT: 1, faiss.METRIC_L2: -1}
    if metric not in signs:
        raise IndexRefused(f"The index {location} measures neither inner product nor L2; build it with one of the two.")
    return signs[metric]
