"""The script class of a text: how a query of a locale was typed, from a closed list (docs/GLOSSARY.md).

The class is detected from the letters alone. It separates what a subword tokeniser treats differently:
Turkish with and without its own letters, Japanese in kanji, kana and romaji, Arabic with and without hamza.
"""

from collections import Counter
from collections.abc import Iterable
from types import MappingProxyType

import regex

from curation.retrieval.folding import nfc
from curation.retrieval.letters import ARABIC_MARKS, own_letters
from curation.retrieval.locales import language_of, script_of

NO_LETTERS = "Zyyy"
OTHER_SCRIPT = "Zzzz"
HAN = "Hani"

SCRIPT_NAMES = MappingProxyType(
    {
        "Latn": "Latin",
        "Latn-plain": "Latin without diacritics",
        "Latn-romanised": "Romanised",
        "Cyrl": "Cyrillic",
        "Grek": "Greek",
        "Arab": "Arabic",
        "Arab-plain": "Arabic without hamza and vowel marks",
        "Hebr": "Hebrew",
        "Hans": "Simplified Chinese",
        "Hant": "Traditional Chinese",
        HAN: "Han characters",
        "Jpan-kanji": "Kanji",
        "Jpan-kana": "Kana",
        "Jpan-romaji": "Romaji",
        "Hang": "Hangul",
        "Thai": "Thai",
        "Deva": "Devanagari",
        "Armn": "Armenian",
        "Beng": "Bengali",
        "Ethi": "Ethiopic",
        "Geor": "Georgian",
        "Gujr": "Gujarati",
        "Guru": "Gurmukhi",
        "Khmr": "Khmer",
        "Knda": "Kannada",
        "Laoo": "Lao",
        "Mlym": "Malayalam",
        "Mong": "Mongolian",
        "Mymr": "Burmese",
        "Orya": "Odia",
        "Sinh": "Sinhala",
        "Taml": "Tamil",
        "Telu": "Telugu",
        "Thaa": "Thaana",
        "Tibt": "Tibetan",
        NO_LETTERS: "No letters",
        OTHER_SCRIPT: "Another script",
    }
)

SCRIPT_CLASSES: tuple[str, ...] = tuple(SCRIPT_NAMES)
"""Every value `script_class` can return, in the order screens list them."""

_LETTERS_OF = {  # the Unicode scripts in which the letters of a locale's ISO 15924 script are found
    "Hans": (HAN,),
    "Hant": (HAN,),
    "Jpan": (HAN, "Hira", "Kana"),
    "Kore": ("Hang", HAN),
    OTHER_SCRIPT: (),
}
_WRITTEN_IN = {HAN: "Han", "Hira": "kana", "Kana": "kana", "Hang": "Hangul", OTHER_SCRIPT: "another script"}
_NOT_OF_UNICODE = ("Hans", "Hant", NO_LETTERS, OTHER_SCRIPT)
_KANA = ("Hira", "Kana")
_COUNTED = (*(code for code in SCRIPT_NAMES if len(code) == 4 and code not in _NOT_OF_UNICODE), *_KANA)
_LONG_VOWEL = {"Kana": "\u30fc\uff70"}  # marks that both kana share, so Unicode gives them no script
_RUN = regex.compile(
    "|".join(rf"(?P<{code}>[[\p{{{code}}}{_LONG_VOWEL.get(code, '')}]&&\p{{L}}]+)" for code in _COUNTED)
    + rf"|(?P<{OTHER_SCRIPT}>\p{{L}})",
    regex.VERSION1,
)


def script_class(text: str, locale: str) -> str:
    """Return the script class of a text of a canonical locale; one of SCRIPT_CLASSES.

    A text with any letter of the locale's own script is of that script; Japanese is kanji or kana, whichever
    it has more of. A text with none takes the script most of its letters are in; Latin then counts as
    romanised, unless the language has a Latin spelling of its own (sr-Cyrl). Han characters are then Japanese
    beside kana and Korean beside Hangul; alone they do not tell their language, and are "Hani". A text without
    letters is Latin in a Latin locale, else "Zyyy".
    """
    normal, language = nfc(text), language_of(locale)
    letters = _letters_by_script(normal)
    own = script_of(locale)
    if any(letters[script] for script in _LETTERS_OF.get(own, (own,))) or (own == "Latn" and not letters):
        return _class_within(own, normal, language)
    if not letters:
        return NO_LETTERS
    [(script, _)] = _by_writing(letters).most_common(1)
    if script == "Latn" and own != OTHER_SCRIPT and not own_letters(language):
        return "Jpan-romaji" if own == "Jpan" else "Latn-romanised"
    return _class_within(script, normal, language)


def classes_of(locale: str) -> tuple[str, ...]:
    """Return the classes that wordings of a canonical locale are usually in, those of its own script first."""
    script, language = script_of(locale), language_of(locale)
    latin = ("Latn", "Latn-plain") if own_letters(language) else ("Latn",)
    match script:
        case "Latn":
            return latin
        case "Jpan":
            return ("Jpan-kanji", "Jpan-kana", "Jpan-romaji", NO_LETTERS)
        case "Arab" if language == "ar":
            return ("Arab", "Arab-plain", "Latn-romanised", NO_LETTERS)
    own = {"Kore": "Hang"}.get(script, script if script in SCRIPT_NAMES else OTHER_SCRIPT)
    return (own, *(latin if own_letters(language) else ("Latn-romanised",)), NO_LETTERS)


def is_usual(text: str, locale: str) -> bool:
    """Whether wordings of a canonical locale are usually in the text's script class; коронавирус is not English."""
    return script_class(text, locale) in classes_of(locale)


def foreign_writing(text: str, locale: str) -> str:
    """Return in words what a text is written in, where its canonical locale is never written so; "" anywhere else."""
    letters = _letters_by_script(nfc(text))
    if not letters or not writing_of(locale) or is_usual(text, locale):
        return ""
    return _in_words(script for script, _ in letters.most_common())


def writing_of(locale: str) -> str:
    """Return in words what a canonical locale is written in ("Latin letters"), "" where that is not known."""
    own = script_of(locale)
    scripts = _LETTERS_OF.get(own, (own,))
    return _in_words(scripts) if set(scripts) <= set(_COUNTED) else ""


def _in_words(scripts: Iterable[str]) -> str:
    named = (_WRITTEN_IN.get(script) or f"{SCRIPT_NAMES[script]} letters" for script in scripts)
    return " and ".join(dict.fromkeys(named))


def script_name(script: str, locale: str) -> str:
    """Return a script class in words, as a screen shows it beside a canonical locale.

    Raises:
        KeyError: no such class.
    """
    if script == "Latn" and own_letters(language_of(locale)):
        return "Latin, diacritics"
    return SCRIPT_NAMES[script]


def script_named(words: str, locale: str) -> str:
    """Return the class that a person means by its code or its name ("Kana", "jpan-kana"), else `words` as they stand.

    Only the classes that a canonical locale is usually written in are looked through, so that a name means one alone.
    """
    asked = words.strip().casefold()
    named = {name.casefold(): code for code in classes_of(locale) for name in (script_name(code, locale), code)}
    return named.get(asked, words)


def _letters_by_script(text: str) -> Counter[str]:
    """Count letters by Unicode script; "Zzzz" stands for every script that has no class."""
    letters: Counter[str] = Counter()
    for run in _RUN.finditer(text):
        letters[run.lastgroup or OTHER_SCRIPT] += len(run.group())
    return letters


def _by_writing(letters: Counter[str]) -> Counter[str]:
    """Count what is written together as one: kana with the Han characters beside them, else Hangul with these."""
    writing = Counter(letters)
    kana = sum(writing.pop(script, 0) for script in _KANA)
    if kana or writing["Hang"]:
        writing["Jpan" if kana else "Hang"] += kana + writing.pop(HAN, 0)
    return writing


def _class_within(script: str, text: str, language: str) -> str:
    """Tell the classes of one script apart."""
    match script:
        case "Latn":
            own = own_letters(language)
            return "Latn-plain" if own and own.isdisjoint(text) else "Latn"
        case "Arab" if language == "ar":
            return "Arab-plain" if ARABIC_MARKS.isdisjoint(text) else "Arab"
        case "Jpan":
            letters = _letters_by_script(text)
            return "Jpan-kanji" if letters["Hani"] >= letters["Hira"] + letters["Kana"] else "Jpan-kana"
        case "Kore":
            return "Hang"
    return script if script in SCRIPT_NAMES else OTHER_SCRIPT
