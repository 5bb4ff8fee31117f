"""Words whose letters come from scripts that look alike: hırsızlıк with a Cyrillic к is no word that anybody finds."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from curation.retrieval.folding import nfc
from curation.retrieval.scripts import SCRIPT_NAMES

# Scripts that share the look of letters. Japanese mixes its own, and a Latin name beside kanji is everyday spelling.
_ALIKE = ("Latn", "Cyrl", "Grek", "Armn")
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_OF_SCRIPT = {script: regex.compile(rf"[\p{{{script}}}&&\p{{L}}]", regex.VERSION1) for script in _ALIKE}


@dataclass(frozen=True, slots=True)
class MixedWord:
    """A word of two scripts, with the letters of the rarer one and its name."""

    word: str
    letters: str
    script: str


def mixed_words(text: str) -> tuple[MixedWord, ...]:
    """Return the words of a text that mix scripts which look alike, in order."""
    found = (_mixed(match[0]) for match in _WORD.finditer(nfc(text)))
    return tuple(each for each in found if each)


def _mixed(word: str) -> MixedWord | None:
    letters = {script: "".join(dict.fromkeys(each.findall(word))) for script, each in _OF_SCRIPT.items()}
    held = sorted((script for script in letters if letters[script]), key=lambda script: len(letters[script]))
    return MixedWord(word, letters[held[0]], SCRIPT_NAMES[held[0]]) if len(held) > 1 else None
