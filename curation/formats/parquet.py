"""Parquet rows, a batch at a time; pyarrow is loaded only when a Parquet file is really read."""

import datetime as dt
import decimal
import math
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from curation.formats.faults import Fault, FileRefused, RowRefused
from curation.formats.kinds import PARQUET
from curation.formats.lines import NUL_REASON
from curation.formats.opening import Stream
from curation.formats.records import JsonValue, Record, id_of

# Small, since a repeated value takes its full length in every decoded row.
_BATCH = 64


def parquet_records(stream: Stream, *, path: Path | None, most: int) -> Iterator[Record | Fault]:
    """Records of a Parquet file, read at `path` where it lies there unpacked, else spooled from the stream.

    `most` bounds the bytes of all decoded values, since a few packed bytes can stand for very many rows.

    Raises:
        FileRefused: damaged, over `most`, or without rows.
    """
    if path is not None and _is_plain(path):
        with path.open("rb") as plain:
            yield from _records(plain, most)
        return
    with tempfile.TemporaryFile() as spool:
        shutil.copyfileobj(stream, spool)
        spool.seek(0)
        yield from _records(spool, most)


def _is_plain(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(PARQUET)) == PARQUET


def _records(stream: BinaryIO | Any, most: int) -> Iterator[Record | Fault]:  # noqa: ANN401  # tempfile's own wrapper
    number = 0
    for batch in _batches(stream, most):
        names = batch.schema.names
        for values in zip(*_columns(batch), strict=True):
            number += 1
            yield _record(number, dict(zip(names, values, strict=True)))
    if not number:
        raise FileRefused("The Parquet file has no rows.")


def _columns(batch: Any) -> list[list[object]]:  # noqa: ANN401  # pyarrow ships no types
    try:
        return [column.to_pylist() for column in batch.columns]
    except UnicodeDecodeError as error:
        raise FileRefused("The Parquet file holds text that is not UTF-8; write it again.") from error


def _batches(stream: Any, most: int) -> Iterator[Any]:  # noqa: ANN401  # pyarrow ships no types
    import pyarrow as pa
    import pyarrow.parquet as pq

    decoded = 0
    try:
        for batch in pq.ParquetFile(stream).iter_batches(batch_size=_BATCH, use_threads=False):
            decoded += batch.nbytes
            if decoded > most:
                raise FileRefused(f"Decoded, the Parquet file has more than {most:,} bytes, the most that is read.")
            yield batch
    except (pa.ArrowException, OSError) as error:
        raise FileRefused("The Parquet file is cut off or damaged; write it again.") from error


def _record(number: int, values: dict[str, object]) -> Record | Fault:
    try:
        return Record(number, {name: _plain(value) for name, value in values.items()}, tabular=True)
    except RowRefused as refusal:
        return Fault(number, id_of(values), str(refusal))


def _plain(value: object) -> JsonValue:
    if isinstance(value, str):
        if "\0" in value:
            raise RowRefused(NUL_REASON)
        return value
    if isinstance(value, float):
        # Parquet has no other empty cell for numbers written by pandas.
        return None if math.isnan(value) else value
    if value is None or isinstance(value, bool | int):
        return value
    return _plain_of_other_type(value)


def _plain_of_other_type(value: object) -> JsonValue:
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    raise RowRefused(f"A value of the type {type(value).__name__} cannot be read; write it as text.")
