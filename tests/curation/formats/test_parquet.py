import datetime as dt
import decimal
import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.formats.documents import read_documents
from curation.formats.faults import FileRefused
from curation.formats.opening import Limits
from curation.formats.tables import Reading

from .reads import faults_of, rows_of, written


def parquet(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def test_rows_of_parquet_are_read_with_their_row_number(tmp_path: Path) -> None:
    path = parquet(tmp_path / "c.parquet", doc_id=["007", "NA", "b"], text=["t", None, "u"], lang=["tr", "de", None])
    read = list(read_documents(path))
    assert [(row.external_id, row.text, row.language) for row in rows_of([read[0], read[2]])] == [
        ("007", "t", "tr"),
        ("b", "u", ""),
    ]
    assert [(fault.line, fault.id) for fault in faults_of(read)] == [(2, "NA")]


def test_parquet_types_become_plain_values(tmp_path: Path) -> None:
    path = parquet(
        tmp_path / "c.parquet",
        id=pa.array([7], pa.int64()),
        text=pa.array(["t"], pa.string()).dictionary_encode(),
        day=pa.array([dt.date(2026, 3, 4)]),
        amount=pa.array([decimal.Decimal("1.50")]),
        parts=pa.array([[1.5, 2.0]]),
        inner=pa.array([{"a": True, "b": None}]),
        gap=pa.array([float("nan")]),
    )
    (row,) = rows_of(read_documents(path))
    assert row.external_id == "7"
    assert row.metadata == {
        "day": "2026-03-04",
        "amount": "1.50",
        "parts": [1.5, 2.0],
        "inner": {"a": True, "b": None},
        "gap": None,
    }


def test_ids_that_were_turned_into_decimals_are_refused(tmp_path: Path) -> None:
    (fault,) = faults_of(read_documents(parquet(tmp_path / "c.parquet", id=[7.0], text=["t"])))
    assert "put it in quotes" in fault.reason


@pytest.mark.parametrize(("column", "reason"), [([b"x"], "type bytes"), (["a\0"], "NUL character")])
def test_values_that_are_no_text_are_refused_by_row(tmp_path: Path, column: list[object], reason: str) -> None:
    (fault,) = faults_of(read_documents(parquet(tmp_path / "c.parquet", id=["a"], text=["t"], m=column)))
    assert (fault.line, reason in fault.reason) == (1, True)


def test_parquet_packed_again_is_read(tmp_path: Path) -> None:
    content = gzip.compress(parquet(tmp_path / "c.parquet", id=["a"], text=["t"]).read_bytes())
    assert len(rows_of(read_documents(written(tmp_path, "c.parquet.gz", content)))) == 1


def test_parquet_that_decodes_to_too_much_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path / "c.parquet", id=["a"] * 200_000, text=["x" * 50] * 200_000)
    assert path.stat().st_size < 100_000
    with pytest.raises(FileRefused, match="Decoded, the Parquet file has more than 1,000,000 bytes"):
        list(read_documents(path, Reading(limits=Limits(unpacked=1_000_000))))


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    content = parquet(tmp_path / "c.parquet", id=["a"], text=["t"]).read_bytes()
    with pytest.raises(FileRefused, match="The Parquet file is cut off or damaged"):
        list(read_documents(written(tmp_path, "d.parquet", content[:-20])))


def test_parquet_without_rows_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path / "c.parquet", id=pa.array([], pa.string()), text=pa.array([], pa.string()))
    with pytest.raises(FileRefused, match="The Parquet file has no rows"):
        list(read_documents(path))


def test_a_file_that_is_only_named_parquet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match="named Parquet and is not one"):
        list(read_documents(written(tmp_path, "c.parquet", "id,text\na,t\n")))
