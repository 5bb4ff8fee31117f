"""Texts made comparable: Unicode normal form C, and the folded form by which two queries are the same.

Diacritics stay, so a spelling variant (isik hasari of ışık hasarı, Strasse of Straße) is a query of its own.
"""

import hashlib
import unicodedata

import regex

from curation.retrieval.locales import language_of

_TURKIC_I = frozenset({"az", "tr"})  # the two languages Unicode's SpecialCasing.txt names
_TO_DOTLESS = str.maketrans({"I": "ı", "İ": "i"})

# Joiners change the shape of a word between letters of these scripts (Persian and Hindi spelling uses them): there
# they stay. Anywhere else nobody sees them.
_JOINING_SCRIPTS = "Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh"
_JOINING = "".join(rf"\p{{{script}}}" for script in _JOINING_SCRIPTS.split())
_LOOSE_JOINER = regex.compile(rf"(?<![{_JOINING}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINING}])")
_INVISIBLE = regex.compile(r"[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]--[\s\u200c\u200d]]", regex.VERSION1)
_SOFT_DOT = regex.compile(r"(?<=[ij\u012f])\u0307")


def nfc(text: str) -> str:
    """Return the text in Unicode normal form C, otherwise as it was typed."""
    return unicodedata.normalize("NFC", text)


def fold(text: str, locale: str) -> str:
    """Return the form in which two texts of a canonical locale are compared.

    NFC; the locale's own case folding (Turkish and Azerbaijani I is ı); invisible characters out; white
    space collapsed to single spaces. ZWJ and ZWNJ stay where they shape a word. ß stays apart from ss,
    which full case folding would join, because one is the variant of the other. A dot above i or j is the
    letter's own and goes. Folding a folded text changes nothing.
    """
    visible = nfc(_LOOSE_JOINER.sub("", _INVISIBLE.sub("", nfc(text))))
    if language_of(locale) in _TURKIC_I:
        visible = visible.translate(_TO_DOTLESS)
    lower = "ß".join(part.casefold() for part in visible.replace("ẞ", "ß").split("ß"))
    return nfc(_SOFT_DOT.sub("", " ".join(lower.split())))


def folded_hash(corpus_key: str, locale: str, text: str) -> str:
    """Return the SHA-256 (64 hexadecimal digits) by which a query is unique in its corpus and locale.

    Raises:
        UnicodeEncodeError: the text holds an unpaired surrogate.
    """
    return hashlib.sha256("\0".join((corpus_key, locale, fold(text, locale))).encode()).hexdigest()
