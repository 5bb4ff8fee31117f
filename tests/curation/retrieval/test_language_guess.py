"""Guesses at the language of short texts, among a corpus's own locales."""

from curation.retrieval.language_guess import guesser


def test_a_text_is_guessed_to_be_in_one_of_the_locales() -> None:
    guess = guesser(["en", "de", "tr", "ja"])
    assert guess("hasar dosyası nasıl açılır") == "tr"
    assert guess("selbstbeteiligung hagelschaden") == "de"
    assert guess("水濡れ 免責") == "ja"


def test_locales_of_one_language_share_its_guess() -> None:
    assert guesser(["sr-Latn", "sr-Cyrl"])("штета од града") == "sr-Latn"


def test_locales_the_model_does_not_know_are_never_guessed() -> None:
    assert guesser([])("anything") == ""
    assert guesser(["tlh"])("anything") == ""
