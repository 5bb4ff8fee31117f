"""Strata of queries: found or made, and the corpus language that a gold gives."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from curation.models import Corpus, CorpusLocale, Slice, Stratum

UNKNOWN_LANGUAGE = "und"
SLICES_BY_STRENGTH = (Slice.NEAR_DUPLICATE, Slice.RARE_ENTITY, Slice.KEYWORD, Slice.DISTINCTIVE)
"""Where several slices fit a query, the first of these is its one."""


class StratumKey(NamedTuple):
    """The five dimensions that make a stratum of a corpus."""

    query_language: str
    corpus_language: str
    script: str
    query_type: str
    slice: str


class Rendering(NamedTuple):
    """One document of an article, as far as the corpus language of a query depends on it."""

    language: str
    is_source: bool


def key_of(stratum: Stratum) -> StratumKey:
    """The dimensions of a stored stratum."""
    return StratumKey(
        stratum.query_language, stratum.corpus_language, stratum.script, stratum.query_type, stratum.slice
    )


def strata_for(*, corpus: Corpus, keys: Iterable[StratumKey]) -> dict[StratumKey, Stratum]:
    """The corpus's strata by their dimensions; those that are missing are made, and so are their locales."""
    wanted = set(keys)
    known = {key_of(stratum): stratum for stratum in corpus.strata.all()}
    missing = sorted(wanted - known.keys())
    # Whoever makes the same stratum at the same time makes an equal one, so theirs will do.
    Stratum.objects.bulk_create((Stratum(corpus=corpus, **key._asdict()) for key in missing), ignore_conflicts=True)
    locales = sorted({key.query_language for key in missing})
    CorpusLocale.objects.bulk_create(
        (CorpusLocale(corpus=corpus, locale=locale) for locale in locales), ignore_conflicts=True
    )
    if missing:
        known = {key_of(stratum): stratum for stratum in corpus.strata.all()}
    return {key: known[key] for key in wanted}


def strongest_slice(fitting: Iterable[str]) -> str:
    """The one slice of a query where several fit; distinctive where none does."""
    fits = set(fitting)
    return next((str(name) for name in SLICES_BY_STRENGTH if name in fits), str(Slice.DISTINCTIVE))


def corpus_language_of(renderings: Sequence[Rendering], settled: str = UNKNOWN_LANGUAGE) -> str:
    """The corpus language of a query whose gold has these renderings.

    The marked source's language, else that of the only rendering, else `settled` (the language of the settled
    gold document), else "und".
    """
    sources = {rendering.language for rendering in renderings if rendering.is_source}
    languages = {rendering.language for rendering in renderings}
    for named in (sources, languages):
        if len(named) == 1:
            return named.pop()
    return settled
