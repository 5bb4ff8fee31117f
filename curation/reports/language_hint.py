"""Whether a text reads like another language than the one it is written for: a hint, and never a verdict.

Measured on the 7,473 questions of faq-locales and xquad-locales in 29 languages: with MARGIN and LEAST_LETTERS it
errs on 3, and on 11 of the same texts without their diacritics; it knows each of the 523 English ones for English.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache

from curation.retrieval.language_guess import LanguageModel
from curation.retrieval.locales import language_of

ENGLISH = "en"
MARGIN = 15.0  # natural logarithm: the other language is e^15 times as likely
LEAST_LETTERS = 20
BY_SOUND = frozenset({"Latn-romanised", "Jpan-romaji"})
"""Script classes that the model has never read."""


@cache
def language_model() -> Future[LanguageModel]:
    """The model of this process, loading beside it from the first call on, so that nobody waits for a hint."""
    return ThreadPoolExecutor(1, thread_name_prefix="language-model").submit(LanguageModel)


def other_language(text: str, *, locale: str, script: str, locales: Sequence[str]) -> str:
    """The locale that `text` reads like, of `locales` and English; "" where that is its own, or nothing can be said.

    Silent for short texts, for spellings by sound, and until the model of this process has loaded.
    """
    if sum(letter.isalpha() for letter in text) < LEAST_LETTERS or script in BY_SOUND:
        return ""
    loading = language_model()
    if not loading.done():
        return ""
    likelihoods = loading.result().likelihoods(text, [locale, *locales, ENGLISH])
    if locale not in likelihoods:
        return ""
    best = max(likelihoods, key=likelihoods.__getitem__)
    is_other = language_of(best) != language_of(locale) and likelihoods[best] - likelihoods[locale] >= MARGIN
    return best if is_other else ""
