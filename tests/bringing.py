"""Imports through the outer door: the command, its JSON and its exit code."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management import call_command


class Answer(NamedTuple):
    """What an import command ended with."""

    code: int
    json: dict[str, Any]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """read, stored, merged, refused."""
        return self.json["read"], self.json["stored"], self.json["merged"], self.json["refused"]

    @property
    def reasons(self) -> list[str]:
        """The reasons of its errors, in their order."""
        return [error["reason"] for error in self.json["errors"]]

    @property
    def notices(self) -> list[str]:
        """The texts of its notices."""
        return [notice["text"] for notice in self.json["notices"]]


def bring(command: str, slug: str, *words: object) -> Answer:
    """Run `manage.py COMMAND SLUG WORDS --json`."""
    code, out = run(command, slug, *words, "--json")
    return Answer(code, json.loads(out))


def run(command: str, *words: object) -> tuple[int, str]:
    """Run a command; its exit code and what it printed."""
    out = StringIO()
    try:
        call_command(command, *(str(word) for word in words), stdout=out, stderr=StringIO())
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue()
    return 0, out.getvalue()


def written(folder: Path, name: str, *rows: dict[str, Any] | str) -> Path:
    """A file with one row a line: objects as JSON, text as it is."""
    path = folder / name
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
