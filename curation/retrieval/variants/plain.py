"""Latin without the letters beyond a to z: what a native types on a keyboard, or in a hurry, without them.

Every language whose own letters `retrieval.letters` lists has such a spelling. Most drop the marks (é is e) and
take the nearest letter for what is no letter with a mark (ı is i, ł is l). A table per language says where its
people type otherwise.
"""

import unicodedata
from functools import cache

import regex

from curation.retrieval.folding import nfc
from curation.retrieval.variants.rules import Respelling, Rule, table

NEAREST = table(
    "æ ae œ oe ø o ß ss ł l đ d ð d þ th ħ h ŧ t ı i ə e ǝ e ɛ e ɔ o ŋ n ɲ ny ɓ b ɗ d ɖ d ƙ k ƴ y ɣ g ƒ f ʋ v "
    "ɩ i ɨ i ʊ u ʉ u ʼ ' ʻ ' ꞌ ' ʔ ' ʷ w"
)
"""Letters that no mark can be taken off, with what stands for them on a keyboard without them."""

_GERMAN = table("ä ae ö oe ü ue ß ss")
_DANISH = table("æ ae ø oe å aa")
_SOUTH_SLAVIC = table("đ dj")
OTHERWISE: dict[str, tuple[Rule, ...]] = {
    "bs": _SOUTH_SLAVIC,
    "da": _DANISH,
    "de": _GERMAN,
    "eo": table("ĉ cx ĝ gx ĥ hx ĵ jx ŝ sx ŭ ux"),  # the x-system of Esperanto keyboards
    "gsw": _GERMAN,
    "hr": _SOUTH_SLAVIC,
    "kl": _DANISH,
    "nb": _DANISH,
    "nds": _GERMAN,
    "nn": _DANISH,
    "no": _DANISH,
    "sr": _SOUTH_SLAVIC,
}
"""By language, the letters that are not typed as the nearest plain one; all others are."""

_MARKED = regex.compile(r"(\p{Latin})\p{Mn}+")


def without_diacritics(text: str, language: str) -> str:
    """Return the text in a to z, as people of the language type it; other scripts and all signs stay."""
    respelt = _respelling(language)(nfc(text))
    return nfc(_respelling("")(_MARKED.sub(r"\1", unicodedata.normalize("NFD", respelt))))


@cache
def _respelling(language: str) -> Respelling:
    return Respelling((*OTHERWISE.get(language, ()), *NEAREST))
