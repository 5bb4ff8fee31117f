"""A guess at the language of a short text, among the few locales it can be in."""

from collections.abc import Callable, Sequence

from curation.retrieval.locales import language_of


def guesser(locales: Sequence[str]) -> Callable[[str], str]:
    """Return a function from a text to the likeliest of canonical `locales`, "" where none of them is known to it.

    The model is that of py3langid (97 languages); it takes a second and 100 MB to load, so ask for it in a job. Where
    several locales share a language, the first of them is the guess.
    """
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    known = set(identifier.labels)
    by_language: dict[str, str] = {}
    for locale in locales:
        if language_of(locale) in known:
            by_language.setdefault(language_of(locale), locale)
    if not by_language:
        return lambda _text: ""
    identifier.set_languages(sorted(by_language))
    return lambda text: by_language[str(identifier.classify(text)[0])]
