"""The type of a query: a pasted code, a question, or the name of what is looked for.

Codes come first, because a code is the same bytes in every language and tests exact matching alone. A question
is told by its mark, else by question words (`question_words`). Everything else is navigational.
"""

import unicodedata
from functools import cache

import regex

from curation.retrieval.folding import fold
from curation.retrieval.locales import language_of
from curation.retrieval.question_words import ASKING, CODE_WORDS, ERROR_WORDS, INVERSIONS, UNSPACED, Asking

QUERY_TYPES = ("navigational", "question", "error_string")


def _any_of(words: str) -> str:
    """Return the alternation of words split by spaces; a low line stands for white space within one."""
    return "|".join(word.replace("_", r"\s") for word in words.split())


_CODE_SHAPES = (
    r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+",  # ERR_MANDATE_REVOKED, err_not_found
    r"[A-Z]{1,8}(?:-[A-Z0-9]{1,8})*-\d{3,}[A-Z]?",  # E-1234, CY-EX-114, ORA-00942, CVE-2021-44228
    r"[a-z]-\d{3,}",  # e-1234
    r"[a-z]{1,4}(?:-[a-z]{1,4})+-\d{3,}",  # cy-ex-114
    r"[A-Z]{1,4}\d{4,}",  # E1234, KB4023057, TS2304
    r"0[xX][0-9A-Fa-f]{2,}",
    r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",  # a UUID
    r"(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{12,}",  # a hash
    r"(?:\w+\.)*[A-Z][A-Za-z0-9]*[a-z0-9](?:Exception|Error|Fault)",  # java.lang.RuntimeException, TypeError
    r"[A-Za-z0-9]{3,}exception",
)
_CODE = regex.compile(rf"(?<![\w/-])(?:{'|'.join(_CODE_SHAPES)})(?![\w-])", regex.VERSION1)
_GAP = r"[\s:#№.-]{0,3}"
_NUMBERED_ERROR = regex.compile(
    rf"(?<!\w)(?:{_any_of(ERROR_WORDS)})(?:{_GAP}(?:{_any_of(CODE_WORDS)}))*{_GAP}\d{{2,}}(?![\w-])",
    regex.VERSION1 | regex.IGNORECASE,
)
_QUESTION_MARK = regex.compile(r"\?(?!\w)|[¿؟？⁇⁈⁉՞፧]")
_CLAUSE = 3  # words from which an auxiliary at the start opens a question: "is it covered", not "can opener"
_PLAIN_LETTERS = str.maketrans("ıđøł", "idol")  # letters that Unicode does not take apart
_LOOSE_MARKS = regex.compile(r"[\u0300-\u036f\u064b-\u0655\u0670]")


def query_type(text: str, locale: str) -> str:
    """Return the type of a query of a canonical locale; one of QUERY_TYPES."""
    if is_code_like(text):
        return "error_string"
    return "question" if _asks(text, language_of(locale)) else "navigational"


def is_code_like(text: str) -> bool:
    """Tell whether a text holds a code, an identifier, an exception's name or a numbered error."""
    return bool(_CODE.search(text) or _NUMBERED_ERROR.search(text))


def _asks(text: str, language: str) -> bool:
    folded = fold(text, language).replace("’", "'")
    if _QUESTION_MARK.search(folded) or (language == "el" and folded.endswith(";")):
        return True
    asking = ASKING.get(language, Asking())
    if language in UNSPACED:
        return any(word in folded for word in asking.anywhere.split())
    words = [bare for word in folded.split() if (bare := word.strip("!\"'()*,.:;«»“”„¡-"))]
    inverted = INVERSIONS.get(language)
    if inverted and any(regex.search(rf"{inverted}$", word) for word in words):
        return True
    return _opens_or_holds(words, language, plain=_plain("".join(words)) == "".join(words))


def _opens_or_holds(words: list[str], language: str, *, plain: bool) -> bool:
    """Look for the question words, in their plain spelling where the text is typed without diacritics."""
    text = f" {' '.join(words)} "
    openers, anywhere, auxiliaries = _phrases(language, plain=plain)
    return (
        text.startswith(openers)
        or any(phrase in text for phrase in anywhere)
        or (len(words) >= _CLAUSE and text.startswith(auxiliaries))
    )


@cache
def _phrases(language: str, *, plain: bool) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return a language's three lists, each phrase between spaces."""

    def spaced(words: str) -> tuple[str, ...]:
        folded = fold(words, language)
        spelt = _plain(folded) if plain else folded
        return tuple(f" {phrase.replace('_', ' ')} " for phrase in spelt.split())

    asking = ASKING.get(language, Asking())
    openers, before = spaced(asking.openers), spaced(asking.before)
    led = tuple(f"{preposition}{opener[1:]}" for preposition in before for opener in openers)
    return (*openers, *led), spaced(asking.anywhere), spaced(asking.auxiliaries)


def _plain(text: str) -> str:
    """Return a folded text without its diacritics and hamza: nasıl as nasil."""
    bare: str = _LOOSE_MARKS.sub("", unicodedata.normalize("NFD", text))
    return bare.translate(_PLAIN_LETTERS)
