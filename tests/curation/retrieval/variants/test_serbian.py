"""Serbian in its two scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.retrieval.variants import spellings
from curation.retrieval.variants.serbian import APART, in_cyrillic, in_latin

CYRILLIC = "абвгдђежзијклљмнњопрстћуфхцчџш"


@pytest.mark.parametrize(
    ("latin", "cyrillic"),
    [
        ("ljubav, njega i džep", "љубав, њега и џеп"),
        ("Ljubljana, Njegoš, Džon", "Љубљана, Његош, Џон"),
        ("LJUBLJANA NJEGOŠ DŽON", "ЉУБЉАНА ЊЕГОШ ЏОН"),
        ("injekcija, konjunktura, konjugacija, Tanjug", "инјекција, конјунктура, конјугација, Танјуг"),
        ("INJEKCIJA i Injekcija", "ИНЈЕКЦИЈА и Инјекција"),
        ("nadživeti, odživeo, podžanr", "надживети, одживео, поджанр"),
        ("šta pokriva polisa za đubrivo i ćebe", "шта покрива полиса за ђубриво и ћебе"),
    ],
)
def test_both_ways_letter_by_letter(latin: str, cyrillic: str) -> None:
    assert in_cyrillic(latin) == cyrillic
    assert in_latin(cyrillic) == latin


def test_digraphs_of_one_code_point_are_read() -> None:
    assert in_cyrillic("ǆep ǋegoš Ǉ") == "џеп Његош Љ"


@pytest.mark.parametrize("word", ["Windows", "E-404", "covid-19", "Müller", "x_y", "ja@posta.rs"])
def test_words_that_are_not_serbian_stay_latin(word: str) -> None:
    assert in_cyrillic(f"greška {word} opet") == f"грешка {word} опет"


def test_cyrillic_has_two_latin_spellings_and_a_text_without_diacritics_one() -> None:
    assert [(each.locale, each.script, each.text) for each in spellings("штета на возилу", "sr-Cyrl")] == [
        ("sr-Latn", "Latn", "šteta na vozilu"),
        ("sr-Latn", "Latn-plain", "steta na vozilu"),
    ]
    assert [each.text for each in spellings("полиса", "sr-Cyrl")] == ["polisa"]


def test_the_region_of_the_locale_stays() -> None:
    assert {each.locale for each in spellings("штета", "sr-Cyrl-ME")} == {"sr-Latn-ME"}


@given(st.lists(st.text(CYRILLIC, min_size=1, max_size=9), max_size=4))
def test_cyrillic_comes_back_from_latin(words: list[str]) -> None:
    text = " ".join(words)
    if any(two in text for two in ("лј", "нј", "дж")) or any(
        in_latin(word).startswith(stem) for word in words for stems in APART.values() for stem in stems
    ):
        return
    for cased in (text, text.upper(), text.title()):
        if cased == text or all(len(word) > 1 for word in words):
            assert in_cyrillic(in_latin(cased)) == cased
