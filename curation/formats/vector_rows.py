"""Vectors beside their ids in JSON Lines or Parquet; `.npy` files are read elsewhere."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curation.formats.beir import Content
from curation.formats.columns import Columns, Field
from curation.formats.faults import Fault, Notice, RowRefused
from curation.formats.records import JsonValue
from curation.formats.tables import Reading, read_records
from curation.formats.taken import Taken
from curation.formats.typed import typed_rows

FIELDS = (
    Field("id", ("doc_id", "query_id", "_id", "document_id"), required=True),
    Field("vector", ("embedding",), required=True),
)
# The largest finite float32; beyond it a number becomes infinite where it is stored.
_LARGEST = (2 - 2**-23) * 2.0**127


@dataclass(frozen=True, slots=True)
class VectorRow:
    """One vector as the file gives it: finite as float32, not all zeros, not yet scaled."""

    line: int
    external_id: str
    vector: tuple[float, ...]


def read_vectors(
    path: Path, reading: Reading | None = None, *, content: Content = "corpus"
) -> Iterator[VectorRow | Fault | Notice]:
    """Vectors of one file; all must have as many numbers as the first.

    Raises:
        FileRefused: nothing of the file may be stored.
    """
    reading = reading or Reading()
    records = read_records(path, reading, content=content)
    return typed_rows(records, Columns(FIELDS, reading.columns), _Checker().row)


class _Checker:
    def __init__(self) -> None:
        self._dims = 0

    def row(self, taken: Taken) -> VectorRow:
        external_id = taken.external_id = taken.id("id", what="id")
        vector = _numbers(taken.value("vector"))
        self._dims = self._dims or len(vector)
        if len(vector) != self._dims:
            raise RowRefused(f"The vector has {len(vector):,} numbers and the first one has {self._dims:,}.")
        return VectorRow(taken.line, external_id, vector)


def _numbers(value: JsonValue) -> tuple[float, ...]:
    if not isinstance(value, list) or not value:
        raise RowRefused("The row has no vector; write a list of numbers.")
    numbers = tuple(_number(part) for part in value)
    if not any(numbers):
        raise RowRefused("The vector is all zeros, so it points nowhere and cannot be ranked.")
    return numbers


def _number(part: JsonValue) -> float:
    if isinstance(part, bool) or not isinstance(part, int | float):
        raise RowRefused("The vector holds something that is not a number.")
    if math.isnan(part) or abs(part) > _LARGEST:
        raise RowRefused(f"The vector holds {str(part)[:40]}, which float32 cannot keep.")
    return float(part)
