"""Words that name nothing by their shape or their place in a sentence, and names that are whole."""

import pytest

from curation.miners.sightings import is_named_in
from curation.miners.wordforms import is_describing, is_verb_there

from .test_rare_entity import of_one


@pytest.mark.parametrize(
    ("word", "language"),
    [
        ("whoever", "en"),
        ("readily-available", "en"),
        ("three-digit", "en"),
        ("non-return", "en"),
        ("procedures-for", "en"),
        ("negotiated", "en"),
        ("hinfällig", "de"),
        ("Zwanzigstel", "de"),
        ("rápidamente", "es"),
        ("alabileceğimiz", "tr"),
        ("bağırılarak", "tr"),
        ("avronun", "tr"),
    ],
)
def test_a_word_that_describes_or_links_is_told_by_its_shape(word: str, language: str) -> None:
    assert is_describing(word, language)


@pytest.mark.parametrize(
    ("word", "language"),
    [
        ("lightering", "en"),
        ("rate-lock", "en"),
        ("breed", "en"),
        ("Ohrmarke", "de"),
        ("mücevher", "tr"),
        ("seed", "en"),
    ],
)
def test_a_word_that_names_a_thing_is_left_alone(word: str, language: str) -> None:
    assert not is_describing(word, language)


@pytest.mark.parametrize(
    ("sentence", "word", "verb"),
    [
        ("The provider may deduct fees.", "deduct", True),
        ("Often servicers designate the address.", "designate", True),
        ("Nothing is said of the cushion the servicer keeps.", "cushion", False),
        ("For dupilumab and omalizumab a specialist has to sign.", "omalizumab", False),
    ],
)
def test_an_english_verb_is_told_by_its_neighbours(sentence: str, word: str, verb: bool) -> None:
    start = sentence.index(word)
    assert is_verb_there(sentence, (start, start + len(word)), "en") is verb


@pytest.mark.parametrize(
    ("title", "key", "language", "named"),
    [
        ("Barratry and jettison", "jettison", "en", True),
        ("Radfahrer im Alltag mit Hund", "it", "de", False),
        ("共同海損の引き取り", "共同海損", "ja", True),
        ("HASAR İHBARI", "ihbar", "tr", True),
    ],
)
def test_a_title_names_a_term_from_the_beginning_of_a_word(title: str, key: str, language: str, named: bool) -> None:
    assert is_named_in(title, key, language) is named


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("We call Ravensholt & Iyer at once.", "en", ["Ravensholt & Iyer"]),
        ("Under the Aldermoor Disposition of Unclaimed (Personal) Property it is void.", "en", []),
        ("Es ruht. Der Kran steht. Abgestellte Auflieger ruhen.", "de", []),
        ("五営業日以内に車種別の表を送り状価額と見る。", "ja", []),
        ("Pay it as Int'l inquiry.", "en", []),
    ],
)
def test_a_term_is_whole(text: str, language: str, found: list[str]) -> None:
    assert set(of_one(text, language)) & {
        "Ravensholt & Iyer",
        "Ravensholt",
        "Int",
        "Abgestellte",
        "車種別",
        "状価額",
    } == set(found)
    assert not any(term.endswith("Unclaimed") for term in of_one(text, language))


def test_a_country_is_a_term_only_where_a_title_names_it() -> None:
    text = "It is paid to a person in Colombia by the desk."
    assert of_one(text, title="Payments › Receipts") == []
    assert of_one(text, title="Payments › Colombia") == ["Colombia"]


def test_two_words_without_their_space_are_no_term() -> None:
    from curation.miners.rare_entity import mine

    from .corpora import a_corpus

    texts = {f"d{number}": "The lienholder and the servicer." for number in range(6)}
    texts |= {"e": "The lienholderservicer signs."}
    assert "lienholderservicer" not in {term.term for term in mine(a_corpus(texts)).terms}
