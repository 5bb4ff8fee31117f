"""Vectors that people bring, as `.npy` with an id list or as JSON Lines, checked before they are read."""

import ast
import json
import math
import os
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from curation.retrieval.vectors import Matrix, Vectors, VectorsRefused, as_float32, check_rows

_MAGIC = b"\x93NUMPY"
_HEADER_LIMIT = 10_000  # as numpy: a longer one could exhaust the literal parser
_FLOAT = re.compile(r"[<>=|]?f[248]")


def read_ids(path: Path) -> tuple[str, ...]:
    """The ids of a UTF-8 text file, one a line, exactly as written, leading zeros and spaces included.

    Raises:
        VectorsRefused: the file is not UTF-8, or a line is empty, holds NUL or repeats an id.
    """
    lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    seen: dict[str, int] = {}
    for number, raw in enumerate(lines, start=1):
        try:
            external_id = raw.removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            raise VectorsRefused(f"{path.name}, line {number}: not UTF-8 text; save the id list as UTF-8.") from error
        if not external_id or "\0" in external_id:
            raise VectorsRefused(f"{path.name}, line {number}: an id cannot be empty or hold NUL.")
        if external_id in seen:
            raise VectorsRefused(
                f"{path.name}, line {number}: the id {external_id} stands on line {seen[external_id]}"
                " already; each document has one vector."
            )
        seen[external_id] = number
    return tuple(seen)


def read_npy(path: Path, ids_path: Path) -> Vectors:
    """A `.npy` file of vectors, memory-mapped read-only, with the ids of its rows in the same order.

    Float16, float32 and float64 are read in any byte order and layout; a notice says where numbers will be
    converted.

    Raises:
        VectorsRefused: anything but a two-dimensional float array whose header tells the truth about the
            file's size,
            has one row per id, and has only rows that can be ranked.
    """
    rows = _mapped(path)
    ids = read_ids(ids_path)
    if len(ids) != len(rows):
        raise VectorsRefused(
            f"{path.name} has {len(rows):,} rows but {ids_path.name} has {len(ids):,} ids; each row needs its own id."
        )
    check_rows(rows, ids=ids)
    converted = f"{path.name} holds float{8 * rows.dtype.itemsize} numbers; they are stored as float32."
    return Vectors(ids=ids, rows=rows, notices=() if rows.dtype.itemsize == 4 else (converted,))


def read_rows(path: Path) -> Matrix:
    """The rows of a `.npy` file without ids, such as a calibration sample, as float32 of shape (n, d).

    Raises:
        VectorsRefused: as `read_npy`, or it cannot be opened.
    """
    try:
        rows = as_float32(_mapped(path))
    except OSError as fault:
        raise VectorsRefused(f"{path.name} cannot be read: {fault.strerror}.") from fault
    check_rows(rows)
    return rows


def _mapped(path: Path) -> npt.NDArray[np.floating[Any]]:
    with path.open("rb") as file:
        header = _checked_header(file, path.name)
        return np.memmap(
            file,
            dtype=header.dtype,
            mode="r",
            offset=header.offset,
            shape=header.shape,
            order="F" if header.fortran_order else "C",
        )


def read_jsonl(path: Path) -> Vectors:
    """Vectors as JSON Lines: `{"id": text, "vector": [numbers]}`, and `"model": text` where it is named.

    Raises:
        VectorsRefused: by line number, a line that is not such an object, repeats an id, or differs from the
            first vector in its number of dimensions or its model; by id, rows that cannot be ranked.
    """
    numbers = array("f")
    seen: dict[str, int] = {}
    first: _Line | None = None
    for line in _lines(path):
        first = first or line
        _require_same_kind(line, first)
        if line.external_id in seen:
            raise _refused(line.place, f"the id {line.external_id} stands on line {seen[line.external_id]} already")
        seen[line.external_id] = line.number
        numbers.frombytes(as_float32(line.vector).tobytes())
    if first is None:
        raise VectorsRefused(f"{path.name} holds no vectors.")
    rows = np.frombuffer(numbers, dtype=np.float32).reshape(len(seen), len(first.vector))
    check_rows(rows, ids=tuple(seen))
    return Vectors(ids=tuple(seen), rows=rows, encoder=first.model)


@dataclass(frozen=True, slots=True)
class _Header:
    dtype: np.dtype[np.floating[Any]]
    shape: tuple[int, int]
    fortran_order: bool
    offset: int


def _checked_header(file: BinaryIO, name: str) -> _Header:
    fields = _header_fields(file, name)
    kind, shape = fields["descr"], fields["shape"]
    if not isinstance(kind, str) or not _FLOAT.fullmatch(kind):
        raise VectorsRefused(
            f"{name} holds {'Python objects' if 'O' in str(kind) else kind}, not plain numbers;"
            " vectors must be saved as float32, float64 or float16."
        )
    if not isinstance(shape, tuple) or len(shape) != 2 or not all(type(side) is int and side > 0 for side in shape):
        raise VectorsRefused(f"{name} has the shape {shape}; one row a document and one column a dimension is needed.")
    header = _Header(np.dtype(kind), shape, bool(fields["fortran_order"]), file.tell())
    claimed = header.offset + math.prod(shape) * header.dtype.itemsize
    actual = os.fstat(file.fileno()).st_size
    if claimed != actual:
        raise VectorsRefused(
            f"{name} claims {shape[0]:,} rows of {shape[1]:,} numbers, which take {claimed:,} bytes,"
            f" but the file has {actual:,}; it is damaged or cut off, so export it again."
        )
    return header


def _header_fields(file: BinaryIO, name: str) -> dict[str, Any]:
    # Format: numpy.lib.format, versions 1 and 2 (version 3 exists for structured arrays only, which are no
    # vectors).
    start = file.read(8)
    length_bytes = {b"\x01\x00": 2, b"\x02\x00": 4}.get(start[6:])
    if start[:6] == _MAGIC and length_bytes:
        length = int.from_bytes(file.read(length_bytes), "little")
        if length <= _HEADER_LIMIT:
            try:
                fields = ast.literal_eval(file.read(length).decode("latin-1").strip())
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                fields = None
            if isinstance(fields, dict) and fields.keys() == {"descr", "fortran_order", "shape"}:
                return fields
    raise VectorsRefused(f"{name} is not a NumPy .npy file; save the vectors with numpy.save.")


@dataclass(frozen=True, slots=True)
class _Line:
    file: str
    number: int
    external_id: str
    vector: npt.NDArray[np.float64]
    model: str

    @property
    def place(self) -> str:
        return f"{self.file}, line {self.number}"


def _require_same_kind(line: _Line, first: _Line) -> None:
    if len(line.vector) != len(first.vector):
        raise _refused(
            line.place,
            f"{line.external_id} has {len(line.vector):,} dimensions but {first.external_id} on line"
            f" {first.number} has {len(first.vector):,}; one file holds the vectors of one encoder",
        )
    if line.model != first.model:
        raise _refused(
            line.place,
            f"the model is {line.model or 'not named'} but {first.model or 'not named'} on line"
            f" {first.number}; one file holds the vectors of one encoder",
        )


def _lines(path: Path) -> Iterator[_Line]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            text = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if text.strip():
                yield _line(text, path.name, number)


def _line(raw: bytes, file: str, number: int) -> _Line:
    place = f"{file}, line {number}"
    try:
        fields = json.loads(raw.decode())
    except (ValueError, RecursionError) as error:
        raise _refused(place, "this is not one JSON object in UTF-8") from error
    external_id = fields.get("id") if isinstance(fields, dict) else None
    external_id = str(external_id) if type(external_id) is int else external_id
    if not isinstance(external_id, str) or not external_id or "\0" in external_id:
        raise _refused(place, 'a JSON object with an "id" is needed')
    vector, model = fields.get("vector"), fields.get("model", "")
    if not isinstance(vector, list) or not vector or not all(type(value) in (int, float) for value in vector):
        raise _refused(place, f'the "vector" of {external_id} is not a list of numbers')
    if not isinstance(model, str):
        raise _refused(place, f'the "model" of {external_id} is not text')
    try:
        return _Line(file, number, external_id, np.array(vector, dtype=np.float64), model)
    except OverflowError as error:
        raise _refused(place, f"{external_id} holds a number beyond float32") from error


def _refused(place: str, reason: str) -> VectorsRefused:
    return VectorsRefused(f"{place}: {reason}.")
