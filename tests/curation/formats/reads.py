"""Short words for the tests of this room: write bytes, read them, split what came back."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from curation.formats.faults import Fault, Notice

Row = TypeVar("Row")
CASES = Path(__file__).parents[2] / "data" / "cases"


def written(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows_of(stream: Iterable[Row | Fault | Notice]) -> list[Row]:
    """The rows alone; a fault in between fails the test."""
    rows = []
    for read in stream:
        assert not isinstance(read, Fault), read
        if not isinstance(read, Notice):
            rows.append(read)
    return rows


def faults_of(stream: Iterable[Row | Fault | Notice]) -> list[Fault]:
    return [read for read in stream if isinstance(read, Fault)]


def notices_of(stream: Iterable[Row | Fault | Notice]) -> list[Notice]:
    return [read for read in stream if isinstance(read, Notice)]
