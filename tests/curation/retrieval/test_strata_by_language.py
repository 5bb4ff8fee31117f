"""The glossary's table of script classes and types by language says what the code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.retrieval.locales import canonical_locale
from curation.retrieval.query_types import query_type
from curation.retrieval.scripts import NO_LETTERS, classes_of, script_class

GLOSSARY = Path(__file__).parents[3] / "docs" / "GLOSSARY.md"


def rows() -> list[tuple[str, dict[str, str], str, str]]:
    """Locale, example of each script class, a question, a navigational query."""
    section = GLOSSARY.read_text(encoding="utf-8").partition("## Strata by language")[2].partition("\n## ")[0]
    found = []
    for line in section.splitlines():
        if line.startswith("| `"):
            locale, classes, question, navigational = (cell.strip() for cell in line.strip("|").split("|"))
            pairs = (example.removeprefix("`").partition("` ") for example in classes.split(" · "))
            examples = {name: text for name, _, text in pairs}
            found.append((locale.strip("`"), examples, question, navigational))
    return found


ROWS = rows()
by_locale = pytest.mark.parametrize(("locale", "examples", "question", "navigational"), ROWS, ids=[r[0] for r in ROWS])


def test_the_table_holds_the_languages_that_detection_is_measured_on() -> None:
    measured = (
        "ar bg da de el en es fa fr he hi hu id it ja ko nl pl pt ro ru sl sr-Latn sv th tr uk vi zh-Hans zh-Hant"
    )
    assert set(measured.split()) <= {locale for locale, *_ in ROWS}


@by_locale
def test_each_language_has_the_classes_of_its_row(
    locale: str, examples: dict[str, str], question: str, navigational: str
) -> None:
    assert canonical_locale(locale) == locale
    assert [*examples] == [name for name in classes_of(locale) if name != NO_LETTERS]
    assert {name: script_class(text, locale) for name, text in examples.items()} == {name: name for name in examples}


@by_locale
def test_each_language_has_the_types_of_its_row(
    locale: str, examples: dict[str, str], question: str, navigational: str
) -> None:
    texts = (question, navigational, f"{navigational} ERR_MANDATE_REVOKED")
    assert [query_type(text, locale) for text in texts] == ["question", "navigational", "error_string"]
