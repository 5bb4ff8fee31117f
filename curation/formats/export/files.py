"""Text files of an export: UTF-8, a line feed after each line, and no trace of when they were written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

_BLOCK = 1 << 20


@contextmanager
def text_file(path: Path) -> Iterator[TextIO]:
    """A new text file; its folder is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as out:
        yield out


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """One JSON object over several lines, keys in the order given."""
    with text_file(path) as out:
        out.write(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n")


def files_in(folder: Path) -> list[str]:
    """All files below `folder`, by their names within it, in code point order."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def hash_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
