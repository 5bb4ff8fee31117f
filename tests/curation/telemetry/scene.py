"""A log of Turkish searches in the third quarter of 2026, and a set that was written a year before."""

from __future__ import annotations

import itertools
from datetime import date

from curation.actions.log_reading import reader
from curation.models import Corpus, CorpusLocale, LogQuery, TargetIndex
from tests import factories

SINCE, UNTIL = "2026-07-01", "2026-09-30"
QUARTER = ("--since", SINCE, "--until", UNTIL)
_numbers = itertools.count(1)


def a_corpus(*locales: str) -> Corpus:
    """A corpus whose people search in `locales`, without documents, with an index of its own."""
    made = factories.a_corpus("claims")
    TargetIndex.objects.create(corpus=made, name="exact", kind="exact")
    CorpusLocale.objects.bulk_create(CorpusLocale(corpus=made, locale=tag) for tag in locales)
    return made


def searched(
    corpus: Corpus,
    text: str,
    count: int = 1,
    *,
    locale: str = "tr",
    day: date | None = date(2026, 8, 3),
    guess: str | None = "tr",
) -> None:
    """So many searches of `text` on one day, read with that guess at their language; not read where it is None."""
    classes = {} if guess is None else reader(lambda _text: guess)(text, locale)._asdict()
    digest = f"{next(_numbers):064x}"
    LogQuery.objects.create(corpus=corpus, text=text, locale=locale, count=count, date=day, sha256=digest, **classes)


def counted(corpus: Corpus, key: str, *texts: str) -> None:
    """A counted query for each text, in the stratum at `key`."""
    for query, text in zip(factories.judged_queries(factories.a_stratum(corpus, key), len(texts)), texts, strict=True):
        query.text = text
        query.save(update_fields=["text"])
