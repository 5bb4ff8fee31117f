"""One word, one meaning: the words the house does not use, and documentation where it must stand."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from .test_size_bars import ROOT, functions, modules

BANNED = {
    "item",
    "items",
    "sample",
    "annotation",
    "dataset",
    "process",
    "handle",
    "utils",
    "manager",
    "helper",
    "helpers",
    "data",
}
# Python's, Django's and httpx's own names.
GIVEN = {"process_view", "handle", "handle_request", "items", "DATA_DIR", "cleaned_data", "metadata"}

TOP_LEVEL = {
    *("manage.py", "curation", "judging", "templates", "tests", "docs", "requirements.txt", "requirements-dev.txt"),
    *("pyproject.toml", "Makefile", "README.md", "CHANGELOG.md", "LICENSE", "var"),
}


def test_no_module_bears_a_word_the_house_does_not_use() -> None:
    assert [str(path.relative_to(ROOT)) for path in modules() if set(path.stem.split("_")) & BANNED] == []


def test_no_function_or_class_bears_a_word_the_house_does_not_use() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path, node in functions()
        if node.name not in GIVEN and set(node.name.lower().split("_")) & BANNED
    ]
    assert bad == []


def test_every_public_function_and_class_says_what_it_is() -> None:
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in modules()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert silent == []


def test_every_module_with_code_says_what_it_is() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in modules()
        if path.read_text(encoding="utf-8").strip()
        and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_nothing_overrides_save_or_connects_a_signal() -> None:
    saves = [f"{path.relative_to(ROOT)}:{node.lineno}" for path, node in functions() if node.name == "save"]
    signals = [
        str(path.relative_to(ROOT))
        for path in modules()
        if re.search(r"django\.db\.models\.signals|@receiver", path.read_text(encoding="utf-8"))
    ]
    assert (saves, signals) == ([], [])


def test_only_actions_write() -> None:
    """Views, commands, reports and tasks call an action; creating, saving and deleting stand in actions."""
    write = re.compile(
        r"\.(create|get_or_create|update_or_create|bulk_create|bulk_update|create_user)\(|\.save\(|\.delete\(\)"
    )
    bad = []
    for path in modules():
        room = path.relative_to(ROOT).parts[1]
        # A bench plants its rows in a transaction that it rolls back.
        if (
            room in {"views", "reports", "tasks.py", "management", "access.py", "forms.py"}
            and "benches" not in path.parts
        ):
            found = [
                number
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
                if write.search(line)
            ]
            bad += [f"{path.relative_to(ROOT)}:{number}" for number in found]
    assert bad == []


def test_templates_hold_no_inline_script_style_or_handler() -> None:
    inline = re.compile(
        r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|<style|\sstyle=|\son[a-z]+=|hx-on|javascript:", re.IGNORECASE
    )
    bad = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted(Path(ROOT / "templates").rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if inline.search(line)
    ]
    assert bad == []


def test_the_top_level_holds_nothing_that_was_left_there() -> None:
    shown = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert shown - TOP_LEVEL == set()
