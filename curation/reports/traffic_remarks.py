"""What is to be said of traffic shares beside the queries and searches there are: one sentence for every surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from django.db.models import Count, Sum

from curation.models import Corpus, LogQuery, Query
from curation.retrieval.locales import language_name

from .run_words import counted, queries

NAMED = 6
"""So many locales are named; of others it is told how many they are."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a corpus holds of each locale: queries that are not retired, and searches of the log."""

    queries: Mapping[str, int]
    searches: Mapping[str, int]

    def in_words(self, locale: str) -> str:
        """A locale with what is held of it: "Turkish (12 queries, 1,204 searches)"."""
        held = [queries(self.queries[locale])] if locale in self.queries else []
        if locale in self.searches:
            held.append(counted(self.searches[locale], "search", "searches"))
        return f"{language_name(locale)} ({', '.join(held)})"


def asked_in(corpus: Corpus) -> Asked:
    """What the corpus holds of each locale; two queries."""
    standing = Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED).order_by()
    log = LogQuery.objects.filter(corpus=corpus).exclude(locale="").order_by()
    return Asked(
        queries=dict(standing.values_list("stratum__query_language").annotate(n=Count("pk"))),
        searches=dict(log.values_list("locale").annotate(n=Sum("count"))),
    )


def remark_on(shares: Mapping[str, float], asked: Asked) -> str:
    """Which locales are asked in and weigh nothing, and which weigh and hold no query; "" where there are none.

    Before a corpus has queries there is none for any locale, which is not worth a word.
    """
    weigh = {locale for locale, share in shares.items() if share}
    held = sorted({*asked.queries, *asked.searches} - weigh, key=lambda locale: _most_asked(locale, asked))
    empty = [locale for locale in shares if locale in weigh and locale not in asked.queries]
    told = [_weightless([asked.in_words(locale) for locale in held])] if held and weigh else []
    if empty and asked.queries:
        told.append(_unasked([language_name(locale) for locale in empty], fsum(shares[locale] for locale in empty)))
    return " ".join(told)


def _most_asked(locale: str, asked: Asked) -> tuple[int, int, str]:
    return -asked.queries.get(locale, 0), -asked.searches.get(locale, 0), locale


def _weightless(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} has no share of the traffic, so it weighs nothing in the traffic-weighted mean."
    return f"{listed(names)} have no share of the traffic, so they weigh nothing in the traffic-weighted mean."


def _unasked(names: Sequence[str], share: float) -> str:
    has = "has" if len(names) == 1 else "have"
    return f"No query is in {listed(names)}, which {has} {100 * share:.1f} % of the traffic: that part is not measured."


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, the first few of many: "Arabic, Thai and 12 more"."""
    shown = [*names[:NAMED], *([f"{len(names) - NAMED} more"] if len(names) > NAMED else [])]
    *others, last = shown
    return f"{', '.join(others)} and {last}" if others else last
