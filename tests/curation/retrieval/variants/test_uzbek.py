"""Uzbek in its other script."""

from __future__ import annotations

import pytest

from curation.retrieval.variants.kinds import kinds_of
from curation.retrieval.variants.uzbek import in_cyrillic, in_latin


@pytest.mark.parametrize(
    ("latin", "cyrillic"),
    [
        ("Oʻzbekiston", "Ўзбекистон"),
        ("gʻisht", "ғишт"),
        ("maʼno", "маъно"),
        ("yetti", "етти"),
        ("eshik", "эшик"),
        ("poyezd qachon keladi", "поезд қачон келади"),
        ("yoʻl haqi qancha", "йўл ҳақи қанча"),
        ("konstitutsiya", "конституция"),
        ("choʻl va sharq", "чўл ва шарқ"),
        ("TOSHKENT", "ТОШКЕНТ"),
    ],
)
def test_both_ways_by_the_alphabet_of_1995(latin: str, cyrillic: str) -> None:
    assert in_cyrillic(latin) == cyrillic
    assert in_latin(cyrillic) == latin


@pytest.mark.parametrize("sign", "ʻʼ'‘’`")
def test_every_apostrophe_that_keyboards_give_is_read(sign: str) -> None:
    assert in_cyrillic(f"o{sign}zbek bog{sign} ma{sign}no") == "ўзбек боғ маъно"


def test_an_apostrophe_between_s_and_h_only_parts_them() -> None:
    assert in_cyrillic("Isʼhoq") == "Исҳоқ"


@pytest.mark.parametrize(("cyrillic", "latin"), [("цирк", "sirk"), ("акция", "aksiya"), ("альбом", "albom")])
def test_letters_that_latin_lacks(cyrillic: str, latin: str) -> None:
    assert in_latin(cyrillic) == latin


@pytest.mark.parametrize("word", ["Windows", "E-404", "COVID19"])
def test_words_that_are_not_uzbek_stay_latin(word: str) -> None:
    assert in_cyrillic(word) == word


def test_each_script_offers_the_other() -> None:
    assert [(kind.key, kind.locale) for kind in kinds_of("uz-Latn")] == [("plain", "uz-Latn"), ("cyrillic", "uz-Cyrl")]
    assert [(kind.key, kind.locale) for kind in kinds_of("uz-Cyrl")] == [("latin", "uz-Latn")]
