"""What near-duplicates are called together, and what is left for each of them: titles and codes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from curation.miners.wordforms import is_function_word

SIGNS = " ,:;.–-"
EDGES = f"{SIGNS}("  # what may stand between the shared beginning of two titles and the rest
ENDS_PHRASE = re.compile(r"[,:;.–)\]]\s*$")
LAST_WORD = re.compile(r"(\w+)\W*$")
OPEN_BRACKET = re.compile(r"[(\[][^)\]]*$")
SHORTEST_CODE = 3  # letters and digits; fewer name nothing


def shared_code(codes: Sequence[str], others: Iterable[str]) -> str:
    """The code that the ids of a group begin with, up to a sign or a letter behind a number: CG-077 of "CG-077 v3".

    "" where it is too short to name anything, or where one of the `others`, that are not in the group, begins with it
    too: what stands before the numbers of a whole corpus names no group.
    """
    shared = _beginning(codes)
    while shared and not all(_ends_part(code, len(shared)) for code in codes):
        shared = shared[:-1]
    shared = re.sub(r"[\W_]+$", "", shared)
    if sum(letter.isalnum() for letter in shared) < SHORTEST_CODE:
        return ""
    is_common = any(other.startswith(shared) and _ends_part(other, len(shared)) for other in others)
    return "" if is_common else shared


def _ends_part(code: str, at: int) -> bool:
    """Whether a part of a code ends before the character `at`."""
    before, after = code[at - 1], code[at : at + 1]
    return not (before.isalnum() and after.isalnum()) or (before.isdigit() and after.isalpha())


def shared_title(titles: Sequence[str]) -> str:
    """The whole words with which all `titles` begin, up to the last comma or colon where there is one.

    "" where a title would keep nothing of its own, or where the cut would part a heading from its number
    ("Article 11: duty", "Article 16: duty").
    """
    shared = _beginning(titles)
    if any(title[len(shared) :][:1].isalnum() for title in titles):
        shared = re.sub(r"\w+$", "", shared)
    shared = re.sub(r"(?<=[,:;(–])[^,:;(–]*$", "", shared)
    rests = [title[len(shared) :] for title in titles]
    parts_a_heading = shared.strip(EDGES) == shared.rstrip() and any(":" in rest for rest in rests)
    return "" if parts_a_heading or not all(rest.strip(EDGES) for rest in rests) else shared


def own_from(shared: str, titles: Sequence[str], locale: str) -> int:
    """Where what a member is called begins: behind the `shared` beginning, but not inside a bracket or a phrase.

    "Clause (insurer)" keeps its bracket, and "Allowance from day 182" is "from day 182" rather than "182".
    """
    bracket = OPEN_BRACKET.search(shared)
    if bracket:
        return bracket.start()
    if ENDS_PHRASE.search(shared):
        return len(shared)
    kept = shared
    if any(title[len(shared) :].lstrip(EDGES)[:1].isdigit() for title in titles):
        kept = LAST_WORD.sub("", kept)
    while (last := LAST_WORD.search(kept)) and is_function_word(last[1], locale):
        kept = kept[: last.start()]
    return len(kept)


def _beginning(texts: Sequence[str]) -> str:
    """The letters with which all of them begin."""
    columns = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return "".join(letters[0] for letters in columns)
