"""Letters respelt by rule, the case of the word kept: Ä is Ae in Ärger and AE in ÄRGER."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import regex

START = r"(?<![\p{L}\p{M}'’ʼ])"
"""Nothing of the word stands before: the context of a letter that is spelt otherwise at the start of a word."""
END = r"(?![\p{L}\p{M}])"
"""Nothing of the word follows."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`letters` (lower case) are respelt as `spelt` between `before` and `after` (regular expressions, "" for any)."""

    letters: str
    spelt: str
    before: str = ""
    after: str = ""


def pairs(written: str) -> Iterator[tuple[str, str]]:
    """Read "ж zh щ shch" as (ж, zh), (щ, shch)."""
    words = written.split()
    return zip(words[::2], words[1::2], strict=True)


def table(written: str) -> tuple[Rule, ...]:
    """Rules from "ж zh щ shch": letters and their spelling by turns; "-" spells a letter as nothing."""
    return tuple(Rule(letters, "" if spelt == "-" else spelt) for letters, spelt in pairs(written))


def word_by_word(
    text: str, *, words: regex.Pattern[str], foreign: regex.Pattern[str], respelt: Callable[[str], str]
) -> str:
    """The text with each of its `words` respelt, but for those that hold something `foreign`."""

    def one(found: regex.Match[str]) -> str:
        word = found.group()
        return word if foreign.search(word) else respelt(word)

    turned: str = words.sub(one, text)
    return turned


class Respelling:
    """Applies rules to a text in one pass, the first rule that fits at each place; what none names stays."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._spelt = tuple(rule.spelt for rule in rules)
        self._places = regex.compile("|".join(_pattern(place, rule) for place, rule in enumerate(rules)))

    def __call__(self, text: str) -> str:
        """The text respelt."""
        respelt: str = self._places.sub(self._respelt, text)
        return respelt

    def _respelt(self, found: regex.Match[str]) -> str:
        spelt = self._spelt[int((found.lastgroup or "_")[1:])]
        letters = found.group()
        if _is_loud(found):
            return spelt.upper()
        return spelt if letters[0].islower() else spelt[:1].upper() + spelt[1:]


def _pattern(place: int, rule: Rule) -> str:
    return rf"{rule.before}(?P<_{place}>{'|'.join(map(regex.escape, _forms(rule.letters)))}){rule.after}"


def _forms(letters: str) -> Iterator[str]:
    """The letters in the cases a word can have them in; ß has a capital that its own upper() does not give."""
    capital = letters.replace("ß", "ẞ")
    yield from dict.fromkeys((letters, capital.upper(), capital.title()))


def _is_loud(found: regex.Match[str]) -> bool:
    """Whether the letters stand in a word in capitals: by the letter after them, else by those before and within."""
    letters: str = found.group()
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    if letters.islower() and letters != "ß":
        return False
    if after.isalpha():
        return bool(after.isupper())
    return (len(letters) > 1 and letters.isupper()) or bool(before.isupper())
