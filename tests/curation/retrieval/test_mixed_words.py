"""Words whose letters come from scripts that look alike."""

import pytest

from curation.retrieval.mixed_words import mixed_words


@pytest.mark.parametrize(
    ("text", "word", "letters", "script"),
    [
        ("tır hırsızlı\u043a", "hırsızlı\u043a", "\u043a", "Cyrillic"),
        ("краđа терета", "краđа", "đ", "Latin"),
        ("\u0391lpha", "\u0391lpha", "\u0391", "Greek"),
    ],
)
def test_rarer_script_of_a_word_is_named_with_its_letters(text: str, word: str, letters: str, script: str) -> None:
    [found] = mixed_words(text)
    assert (found.word, found.letters, found.script) == (word, letters, script)


@pytest.mark.parametrize("text", ["PDFファイル", "夜間にNG", "SMS-ом", "e\u0301tat", "ประกันPDF", "крађа терета"])
def test_everyday_spelling_mixes_nothing(text: str) -> None:
    assert mixed_words(text) == ()
