"""Strata of queries: found or made, and the one slice where several fit."""

from collections.abc import Iterable

from curation.models import Corpus, CorpusLocale, Slice, Stratum
from curation.reports.places import StratumKey, key_of

SLICES_BY_STRENGTH = (Slice.NEAR_DUPLICATE, Slice.RARE_ENTITY, Slice.KEYWORD, Slice.DISTINCTIVE)
"""Where several slices fit a query, the first of these is its one."""


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
