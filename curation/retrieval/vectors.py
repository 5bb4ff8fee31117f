"""Float32 vectors with their ids: checked, transformed alike on both sides, written once, opened read-only.

A vectors file is a `.npy` of little-endian float32 rows in ascending external id (code point) order; the ids
stand beside it as JSON. So "score descending, external id ascending" is "score descending, row ascending"
everywhere.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from curation.retrieval.rows import Matrix, VectorsRefused, as_float32, check_rows, row_blocks
from curation.retrieval.transforms import transform

# rows and their transform are known under this room's name to all who search vectors
__all__ = [
    "Matrix",
    "Vectors",
    "VectorsRefused",
    "as_float32",
    "check_rows",
    "ids_path",
    "open_vectors",
    "replacing",
    "row_blocks",
    "sha256_of",
    "transform",
    "write_vectors",
]


@dataclass(frozen=True, slots=True)
class Vectors:
    """Named vectors: `rows[i]`, shape (n, d), belongs to `ids[i]`.

    `rows` may be memory-mapped and in the float type, byte order and layout of the file it came from.
    `encoder` is the encoder that the file itself names, empty where it names none. `notices` are sentences
    for the person who brought it.
    """

    ids: tuple[str, ...]
    rows: npt.NDArray[np.floating[Any]]
    encoder: str = ""
    notices: tuple[str, ...] = ()

    @property
    def matrix(self) -> Matrix:
        """The rows as float32, shape (n, d): a view where they are float32 already, else a copy in memory."""
        return as_float32(self.rows)


def write_vectors(path: Path, vectors: Vectors, *, dims: int | None = None, order: Sequence[str] = ()) -> str:
    """Write a vectors file and its ids, transformed and in ascending external id order; returns its SHA-256.

    Both files appear whole or not at all. The rows pass through memory in blocks. The same vectors in any
    order give the same bytes.

    Args:
        path: where the `.npy` goes; the ids go beside it (`ids_path`).
        vectors: distinct ids and their rows, shape (n, d).
        dims: width to store, the rows' own where it is None.
        order: see `transform`.

    Raises:
        VectorsRefused: no row, a doubled id, a count of ids that differs, or anything `transform` refuses.
    """
    _require_named_rows(vectors)
    by_id = np.array(sorted(range(len(vectors.ids)), key=vectors.ids.__getitem__), dtype=np.int64)
    width = vectors.rows.shape[1] if dims is None else dims
    ids = [vectors.ids[row] for row in by_id]

    def parts() -> Iterator[bytes]:
        yield _header(len(ids), width)
        for block in row_blocks(*vectors.rows.shape):
            numbers = as_float32(vectors.rows[by_id[block]])
            yield (transform(numbers, dims=width, order=order, ids=ids[block]).astype("<f4", copy=False).tobytes())

    digest = hashlib.sha256()
    with replacing(path) as rows_file, replacing(ids_path(path)) as ids_file:
        ids_file.write(json.dumps(ids, ensure_ascii=True).encode())
        for part in parts():
            digest.update(part)
            rows_file.write(part)
    return digest.hexdigest()


def open_vectors(path: Path) -> Vectors:
    """A written vectors file as a read-only memory map, with its ids.

    Raises:
        VectorsRefused: either is missing or damaged, or they do not belong together.
    """
    try:
        ids = tuple(json.loads(ids_path(path).read_bytes()))
        rows = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError as error:
        raise VectorsRefused(
            f"The vectors file {path.name} is gone, or its ids are; import or encode the vectors again."
        ) from error
    except (ValueError, EOFError) as error:
        raise VectorsRefused(
            f"The vectors file {path.name} is damaged or cut off, or its ids are; import or encode the vectors again."
        ) from error
    if rows.ndim != 2 or rows.dtype != np.float32 or len(rows) != len(ids):
        raise VectorsRefused(f"{path.name} and its ids do not belong together; import or encode the vectors again.")
    return Vectors(ids=ids, rows=rows)


def ids_path(path: Path) -> Path:
    """Where the ids of a vectors file stand."""
    return path.with_suffix(".ids.json")


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` when the block ends well, and leaves nothing when it does not."""
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with partial.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _require_named_rows(vectors: Vectors) -> None:
    if vectors.rows.ndim != 2 or not vectors.rows.size:
        raise VectorsRefused("There are no vectors to store.")
    if len(vectors.ids) != len(vectors.rows):
        raise VectorsRefused(f"There are {len(vectors.rows):,} vectors but {len(vectors.ids):,} ids.")
    if len(set(vectors.ids)) != len(vectors.ids):
        raise VectorsRefused("An id names more than one vector; each document needs one vector of its own.")


def _header(rows: int, dims: int) -> bytes:
    buffer = BytesIO()
    fields = {"descr": "<f4", "fortran_order": False, "shape": (rows, dims)}
    np.lib.format.write_array_header_1_0(buffer, fields)
    return buffer.getvalue()
