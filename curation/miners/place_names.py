"""What texts call the places that a corpus declares by code alone: DE-BY is Bavaria here and Bayern there.

CLDR inside Babel names countries, not their subdivisions, so the names are learned from versions laid side by side.
"""

from collections.abc import Mapping, Sequence

import regex

from curation.miners.alignment import Pieces, Run, align
from curation.miners.places import place_value

_SUBDIVISION = regex.compile(r"[A-Z]{2}-[A-Z0-9]{1,3}", regex.IGNORECASE)  # ISO 3166-2
_MOST_WORDS = 4


def is_subdivision(jurisdiction: str) -> bool:
    """Whether a declared jurisdiction is the code of a part of a country."""
    return _SUBDIVISION.fullmatch(jurisdiction.strip()) is not None


def learned_names(texts: Sequence[Pieces], declared: Sequence[str], tag: str) -> dict[str, str]:
    """The names of declared subdivisions as the texts write them, to the code.

    A name stands where the other versions name the country that they declare, and each code has its own.

    Args:
        texts: the pieces of two versions or more, of one language.
        declared: the jurisdiction of each, "" where none is declared.
        tag: their BCP 47 locale.
    """
    learned: dict[str, str] = {}
    for run in align(texts):
        learned |= {} if run.shared else _names_in(run, declared, tag)
    return learned


def _names_in(run: Run, declared: Sequence[str], tag: str) -> Mapping[str, str]:
    told = [_told(own) for own in run.pieces]
    known = [place for place, own in enumerate(declared) if not is_subdivision(own)]
    if not known or any(told[place][1] != place_value(declared[place], tag) for place in known):
        return {}
    named = {(told[place][0], own) for place, own in enumerate(declared) if place not in known}
    names, codes = {name for name, _ in named}, {code for _, code in named}
    return dict(named) if "" not in names and len(named) == len(names) == len(codes) else {}


def _told(own: Pieces) -> tuple[str, str]:
    """The bare words of a slot, "" where facts stand there or more than a name; and the one jurisdiction in it."""
    if len(own) == 1 and own[0].fact and own[0].fact.kind == "jurisdiction":
        return "", own[0].fact.value
    bare = 0 < len(own) <= _MOST_WORDS and all(piece.is_word and not piece.fact for piece in own)
    return (" ".join(piece.key for piece in own) if bare else ""), ""
