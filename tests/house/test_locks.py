"""Rows are locked so that rows which refer to them may be written meanwhile."""

from __future__ import annotations

import ast

from .test_size_bars import ROOT, modules


def test_every_lock_lets_rows_that_refer_to_the_locked_one_through() -> None:
    """Else PostgreSQL's check of the reference waits for the lock, and who holds that may wait for the reference."""
    strict = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "select_for_update"
        and not any(word.arg == "no_key" for word in node.keywords)
    ]
    assert strict == []
