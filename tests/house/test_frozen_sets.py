"""Nothing of a frozen set version is written but by the one action that freezes it."""

from __future__ import annotations

import re

from .test_size_bars import ROOT

WRITES = re.compile(
    r"\b(SetVersion|FrozenQuery|FrozenQrel)\.objects\b[^\n]*\.(create|bulk_create|update|bulk_update|delete|get_or_create"
    r"|update_or_create)\(|\b(SetVersion|FrozenQuery|FrozenQrel)\("
)
MODELS = re.compile(r"class (SetVersion|FrozenQuery|FrozenQrel)\(models\.Model\)")


def test_only_freezing_writes_a_set_version() -> None:
    modules = [path for app in ("curation", "judging") for path in (ROOT / app).rglob("*.py")]
    writing = {
        str(path.relative_to(ROOT))
        for path in modules
        if "migrations" not in path.parts and WRITES.search(MODELS.sub("", path.read_text(encoding="utf-8")))
    }
    assert writing == {"curation/actions/freezing.py"}
