"""Where a wording belongs: the five dimensions of its stratum, from the text, its need and the need's gold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from curation.models import Slice, Stratum

UNKNOWN_LANGUAGE = "und"


class StratumKey(NamedTuple):
    """The five dimensions that make a stratum of a corpus."""

    query_language: str
    corpus_language: str
    script: str
    query_type: str
    slice: str

    @property
    def dimensions(self) -> dict[str, str]:
        """The key, dimension by dimension."""
        return self._asdict()


class Rendering(NamedTuple):
    """One document of an article, as far as the corpus language of a query depends on it."""

    language: str
    is_source: bool


def key_of(stratum: Stratum) -> StratumKey:
    """The dimensions of a stored stratum."""
    return StratumKey(
        stratum.query_language, stratum.corpus_language, stratum.script, stratum.query_type, stratum.slice
    )


def corpus_language_of(renderings: Iterable[Rendering], settled: str = UNKNOWN_LANGUAGE) -> str:
    """The corpus language of a query whose gold has these renderings.

    The marked source's language, else that of the only rendering, else `settled` (the language of the settled
    gold document), else "und".
    """
    held = list(renderings)
    sources = {rendering.language for rendering in held if rendering.is_source}
    languages = {rendering.language for rendering in held}
    for named in (sources, languages):
        if len(named) == 1:
            return named.pop()
    return settled


def slice_of(hint: str) -> str:
    """The slice of a query whose need bears this hint; distinctive where it bears none."""
    return hint or str(Slice.DISTINCTIVE)
