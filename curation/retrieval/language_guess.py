"""A guess at the language of a short text, among the few locales it can be in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from curation.retrieval.locales import language_of


class LanguageModel:
    """The model of py3langid (97 languages). Making one takes a second and 70 MB; threads may share it."""

    def __init__(self) -> None:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

        self._identifier: Any = LanguageIdentifier.from_model_file(MODEL_FILE)

    def likelihoods(self, text: str, locales: Sequence[str]) -> dict[str, float]:
        """Locale → log likelihood of `text` in its language; without locales the model does not know.

        Where several of canonical `locales` share a language, the first of them stands for it.
        """
        by_language: dict[str, str] = {}
        for locale in locales:
            by_language.setdefault(language_of(locale), locale)
        ranked = self._identifier.rank(text)
        return {by_language[language]: float(score) for language, score in ranked if language in by_language}


def guesser(locales: Sequence[str]) -> Callable[[str], str]:
    """Return a function from a text to the likeliest of canonical `locales`, "" where none of them is known to it.

    Ask for it in a job: it makes a `LanguageModel`.
    """
    model = LanguageModel()

    def guess(text: str) -> str:
        likelihoods = model.likelihoods(text, locales)
        return max(likelihoods, key=likelihoods.__getitem__, default="")

    return guess
