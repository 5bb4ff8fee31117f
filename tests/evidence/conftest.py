"""Acceptance on the real corpora: `make evidence` runs these, fails where a corpus is absent, and writes docs/evidence.md.

They are not part of `make test`: they take minutes, and their figures are of one machine.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from tests.flows.conftest import chromium

__all__ = ["chromium"]  # a fixture, found here by its name

ROOT = Path(__file__).resolve().parents[2]
TABLES: dict[str, str] = {}

Ask = Callable[..., dict[str, Any]]
Record = Callable[[str, Sequence[str], Sequence[Sequence[object]]], None]


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of the real corpora; without it there is no evidence."""
    folder = Path(settings.HARDSET_SHARED) / "data"
    if not folder.is_dir():
        pytest.fail(f"the real corpora are not in {folder}; set HARDSET_SHARED to the folder that holds them")
    return folder


@pytest.fixture
def ask() -> Ask:
    """Run a command of ours with --json and return what it prints."""

    def asked(command: str, *words: object, expect: int = 0) -> dict[str, Any]:
        printed = io.StringIO()
        ended = 0
        try:
            call_command(command, *map(str, words), "--json", stdout=printed)
        except SystemExit as end:
            ended = int(end.code or 0)
        assert ended == expect, printed.getvalue()
        answer: dict[str, Any] = json.loads(printed.getvalue())
        return answer

    return asked


@pytest.fixture
def record() -> Record:
    """Keep a table for docs/evidence.md: its title, its head, its rows."""

    def recorded(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        lines = ["| " + " | ".join(map(str, cells)) + " |" for cells in (head, ["---"] * len(head), *rows)]
        TABLES[title] = "\n".join(lines)

    return recorded


@pytest.fixture(scope="session", autouse=True)
def written() -> Iterator[None]:
    """Write every table that a passing run recorded; those of tests that did not run stay as they are."""
    yield
    path = ROOT / "docs" / "evidence.md"
    _, *sections = path.read_text(encoding="utf-8").split("\n## ")
    before = dict(section.split("\n\n", 1) for section in sections)
    day = datetime.now(UTC).date().isoformat()
    head = (
        f"# Evidence\n\nWritten by `make evidence`, last on {day}; what did not run that day stands as it was. Times are of the\n"
        "machine they were measured on. The corpora are not part of this repository.\n"
        "What compression costs has a page of its own: [compression](compression.md).\n"
    )
    tables = sorted({**before, **TABLES}.items())
    path.write_text(head + "".join(f"\n## {title}\n\n{table.rstrip()}\n" for title, table in tables), encoding="utf-8")
