"""The documents keep up with the product: its words, its settings, its commands, its links and its pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.db.models import TextChoices

from curation.models import QueryType, Slice

from .test_size_bars import ROOT

DOCS = ROOT / "docs"
GLOSSARY = DOCS / "GLOSSARY.md"
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
HOUSE_WORDS = """
    corpus, document, canonical id, need, query, pool, candidate, judgment, qrel, run, mining run, stratum, slice, cell,
    count target, floor, generation, proposal, set version, baseline, manifest, drift
"""


def text_of(*path: str) -> str:
    return ROOT.joinpath(*path).read_text(encoding="utf-8")


def entries() -> set[str]:
    """The words the glossary explains: first column of its tables, and what a sentence of it puts in bold."""
    text = GLOSSARY.read_text(encoding="utf-8")
    cells = re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)
    return {word.strip("` ") for cell in cells for word in cell.split(", ")} | set(re.findall(r"\*\*(.+?)\*\*", text))


@pytest.mark.parametrize("word", [word.strip() for word in HOUSE_WORDS.split(",")])
def test_the_glossary_explains_every_house_word(word: str) -> None:
    assert word in entries()


def test_the_glossary_names_every_model() -> None:
    ours = [model for app in ("curation", "judging") for model in apps.get_app_config(app).get_models()]
    glossary = GLOSSARY.read_text(encoding="utf-8")
    assert [model.__name__ for model in ours if f"`{model.__name__}`" not in glossary] == []


@pytest.mark.parametrize("choices", [Slice, QueryType])
def test_the_glossary_names_every_value_people_meet(choices: type[TextChoices]) -> None:
    glossary = GLOSSARY.read_text(encoding="utf-8")
    assert [value for value in choices.values if f"`{value}`" not in glossary] == []


def commands() -> list[str]:
    folders = (ROOT / app / "management" / "commands" for app in ("curation", "judging"))
    return sorted(path.stem for folder in folders for path in folder.glob("[!_]*.py"))


def test_every_command_is_described() -> None:
    described = text_of("docs", "guide", "operator.md") + text_of("docs", "formats.md")
    assert [name for name in commands() if not re.search(rf"`(manage\.py )?{name}\b", described)] == []


def section(title: str) -> str:
    return text_of("docs", "guide", "operator.md").partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_cells(title: str) -> list[str]:
    """What the first column of a section's table names in code."""
    cells = re.findall(r"^\| (`[^|]+`) \|", section(title), re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`(\w+)", cell)]


def test_every_command_described_exists() -> None:
    named = first_cells("Commands")
    assert len(named) > 10
    assert sorted(set(named) - set(commands())) == []


def settings_read() -> set[str]:
    """Every environment variable that the settings read."""
    source = text_of("curation", "settings.py") + text_of("curation", "environment.py")
    return set(re.findall(r"(?:env\.\w+|switch|folder_named|count_of)\(\s*\"([A-Z][A-Z0-9_]+)\"", source))


def test_every_setting_is_described() -> None:
    described = text_of("docs", "guide", "operator.md")
    assert {"DATA_DIR", "DATABASE_URL", "SECRET_KEY", "HTTPS"} <= settings_read()
    assert sorted(name for name in settings_read() if f"`{name}`" not in described) == []
    assert sorted(set(first_cells("Settings")) - settings_read()) == []


def pages() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "curation" / "fixtures").rglob("*.md")])


def test_every_link_and_picture_of_the_documents_exists() -> None:
    targets = [(page, target) for page in pages() for target in LINK.findall(page.read_text(encoding="utf-8"))]
    assert [
        f"{page.relative_to(ROOT)}: {target}"
        for page, target in targets
        if "://" not in target and not (page.parent / target).exists()
    ] == []


def test_the_list_of_decisions_names_each_of_them() -> None:
    folder = DOCS / "adr"
    listed = LINK.findall(folder.joinpath("README.md").read_text(encoding="utf-8"))
    assert listed == sorted(path.name for path in folder.glob("0*.md"))


@pytest.mark.parametrize("rule", ["setup", "demo", "up", "test", "check"])
def test_the_readme_names_every_rule_people_need(rule: str) -> None:
    assert f"make {rule}" in text_of("README.md")
