"""The house's size bars: a file over the bar splits by noun."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULE_LINES, FUNCTION_LINES, TEMPLATE_LINES, PARAMETERS, POSITIONAL = 300, 40, 120, 6, 2


def modules() -> list[Path]:
    rooms = (path for room in ("curation", "judging") for path in (ROOT / room).rglob("*.py"))
    return sorted(path for path in rooms if "migrations" not in path.parts)


def functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_passes_300_lines() -> None:
    assert [f"{path.relative_to(ROOT)}: {lines(path)}" for path in modules() if lines(path) > MODULE_LINES] == []


def test_no_function_passes_40_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path, node in functions()
        if (node.end_lineno or node.lineno) - node.lineno + 1 > FUNCTION_LINES
    ]
    assert long == []


def test_no_function_takes_more_than_6_parameters() -> None:
    many = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path, node in functions()
        if len(node.args.args) + len(node.args.kwonlyargs) - takes_self(node) > PARAMETERS
    ]
    assert many == []


def takes_self(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return int(bool(node.args.args) and node.args.args[0].arg in {"self", "cls"})


@pytest.mark.parametrize("kind", ["html", "css", "js"])
def test_no_template_or_static_file_passes_its_bar(kind: str) -> None:
    folders = [ROOT / "templates"] if kind == "html" else [ROOT / "curation" / "static", ROOT / "judging" / "static"]
    bar = TEMPLATE_LINES if kind == "html" else MODULE_LINES
    found = sorted(path for folder in folders for path in folder.rglob(f"*.{kind}"))
    assert [f"{path.relative_to(ROOT)}: {lines(path)}" for path in found if lines(path) > bar] == []
