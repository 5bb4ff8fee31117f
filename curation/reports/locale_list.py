"""The locales of a corpus: how each is typed, how much of it there is, and which codes of files come to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from curation.models import Corpus
from curation.retrieval.locales import WRITTEN_IN_SEVERAL, ScriptNeeded, aliases_of, language_of

from .checks import live
from .desk import locales_of
from .needs import lacking_by_locale

LOCALE, SCRIPT = "stratum__query_language", "stratum__script"


@dataclass(frozen=True, slots=True)
class LocaleRow:
    """A locale with its queries that are not retired, by script class, the needs that lack a wording, its documents.

    `aliases` are codes that an import merges into it.
    """

    locale: str
    scripts: Sequence[tuple[str, int]]
    lacking: int
    documents: int
    aliases: Sequence[str]

    @property
    def queries(self) -> int:
        """How many queries it has."""
        return sum(count for _, count in self.scripts)


def locale_rows(corpus: Corpus) -> list[LocaleRow]:
    """The locales whose people search the corpus, sorted; six SQL queries whatever their number."""
    locales = locales_of(corpus)
    lacking = dict(lacking_by_locale(corpus, locales))
    scripts: dict[str, list[tuple[str, int]]] = {}
    for locale, script, count in (
        live(corpus)
        .order_by(LOCALE, SCRIPT)
        .values(LOCALE, SCRIPT)
        .annotate(n=Count("pk"))
        .values_list(LOCALE, SCRIPT, "n")
    ):
        scripts.setdefault(locale, []).append((script, count))
    standing = corpus.documents.filter(gone_at=None).order_by().values("language").annotate(n=Count("pk"))
    documents = dict(standing.values_list("language", "n"))
    return [
        LocaleRow(locale, scripts.get(locale, []), lacking[locale], documents.get(locale, 0), aliases_of(locale))
        for locale in locales
    ]


def bare_codes(locales: Sequence[str]) -> list[tuple[str, str]]:
    """The bare codes of these locales' languages that an import refuses, each with the question it asks."""
    languages = sorted({language_of(locale) for locale in locales} & WRITTEN_IN_SEVERAL.keys())
    return [(language, str(ScriptNeeded(language))) for language in languages]
