"""Reads the facts out of a text: each finder in turn, on what the ones before it left."""

from collections.abc import Callable, Iterator
from functools import partial

from curation.miners.dates import dates, years
from curation.miners.facts import Fact
from curation.miners.places import places
from curation.miners.quantities import counted, measured
from curation.miners.references import article_numbers, citations, footnotes, versions

_Finder = Callable[[str, str], Iterator[Fact]]
# The order decides what a number is when two readings fit: § 2013 is a citation before 2013 is a year.
_FIRST: tuple[_Finder, ...] = (
    footnotes, citations, versions, dates, measured, years, article_numbers,
)  # fmt: skip
_TAKEN = "\0"


def facts_in(text: str, tag: str, *, declared: frozenset[str] = frozenset()) -> tuple[Fact, ...]:
    """The facts of a text in reading order; spans never overlap.

    `tag` is the text's BCP 47 locale; `declared` names jurisdictions of the corpus that CLDR does not list.
    """
    finders: list[_Finder] = [*_FIRST, partial(places, declared=declared), counted]
    found: list[Fact] = []
    left = text
    for finder in finders:
        facts = list(finder(left, tag))
        for fact in facts:
            left = left[: fact.start] + _TAKEN * (fact.end - fact.start) + left[fact.end :]
        found.extend(facts)
    return tuple(sorted(found, key=lambda fact: fact.start))
