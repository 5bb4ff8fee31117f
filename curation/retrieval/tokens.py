"""The words of a text, as its language counts them: ICU's word break, with its dictionaries for Thai and Chinese.

A count of tokens means little without the segmenter that made it; store SEGMENTER beside what was counted.
"""

from importlib.metadata import version

import regex
from icu4py import icu_version
from icu4py.breakers import WordBreaker

SEGMENTER = f"ICU {icu_version} word break (icu4py {version('icu4py')})"

_WORD = regex.compile(r"[\p{L}\p{N}]")
# ICU breaks at hyphens. A run of them that mixes letters and digits is one name: CY-EX-114, covid-19, WH-1000XM4.
_HYPHENED = r"(?=[A-Za-z0-9_-]*[A-Za-z])(?=[A-Za-z0-9_-]*[0-9])[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)+"
_CODE = regex.compile(rf"(?<![\p{{Latn}}\p{{N}}_-])({_HYPHENED})(?![\p{{Latn}}\p{{N}}_-])", regex.VERSION1)


def words(text: str, locale: str) -> list[str]:
    """Return the words of a text of a canonical locale, in order, as they are written; signs are no words.

    Fold the text first (`folding.fold`) where words are to be compared. Safe to call from several threads: a
    breaker belongs to its call (making one costs about 10 microseconds).
    """
    parts = _CODE.split(text)  # every second part is a code
    found: list[str] = []
    for between, code in zip(parts[::2], [*parts[1::2], ""], strict=True):
        found += (segment for segment in WordBreaker(between, locale) if _WORD.search(segment))
        found += [code] if code else []
    return found
