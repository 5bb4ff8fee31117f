"""What the log and the set hold by class: one GROUP BY over the lines, and the counted queries read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Case, Count, F, Max, Min, Q, QuerySet, Sum, Value, When
from django.db.models.functions import ExtractQuarter, ExtractYear

from curation.models import Corpus, LogQuery, Query
from curation.retrieval.lengths import BAND_FROM, SHORT_BANDS, SHORT_BELOW, length_band
from curation.retrieval.locales import UNDETERMINED
from curation.retrieval.tokens import words

from .counts import counted
from .log_period import Period, quarter

BAND = Case(
    *(When(words__gte=fewest, then=Value(band)) for band, fewest in reversed(BAND_FROM.items())),
    default=Value(next(iter(BAND_FROM))),
)
OWN_LOCALE = Case(
    When(~Q(locale=""), then=F("locale")), When(~Q(language=""), then=F("language")), default=Value(UNDETERMINED)
)
"""The locale a line counts under: the one it states, else the guessed one."""


class Classes(NamedTuple):
    """What a wording is, whoever typed it: the dimensions in which two mixes are compared."""

    query_type: str
    script: str
    length: str
    language: str


class MixStratum(NamedTuple):
    """Wordings of a locale that are alike: by script, type, and whether they have fewer than six words."""

    script: str
    query_type: str
    is_short: bool


@dataclass(frozen=True, slots=True)
class Heap:
    """Lines of one locale and quarter (None without a date) that have the same classes.

    `searches` are all of theirs, `within` those of the period; `guessed` of these were placed by the guessed locale.
    """

    locale: str
    classes: Classes
    quarter: Period | None
    searches: int
    within: int
    guessed: int

    @property
    def stratum(self) -> MixStratum:
        """The stratum of the lines."""
        return stratum_of(self.classes)


@dataclass(frozen=True, slots=True)
class Extent:
    """What there is of a log: its first and last day (None where no line has one), and lines of each sort."""

    days: Period | None
    lines: int
    undated: int
    unread: int


def stratum_of(classes: Classes) -> MixStratum:
    """The stratum of a wording."""
    return MixStratum(classes.script, classes.query_type, classes.length in SHORT_BANDS)


def extent(corpus: Corpus) -> Extent:
    """How much there is of the corpus's log; one SQL query."""
    found = corpus.log_queries.aggregate(
        first=Min("date"),
        last=Max("date"),
        lines=Count("pk"),
        undated=Count("pk", filter=Q(date=None)),
        unread=Count("pk", filter=Q(words=None)),
    )
    first, last = found.pop("first"), found.pop("last")
    return Extent(Period(first, last) if first else None, **found)


def in_period(period: Period | None) -> Q:
    """The lines of a period; all where there is none, because the log names no days."""
    return Q(date__range=(period.since, period.until)) if period else Q()


def read_lines(corpus: Corpus) -> QuerySet[Any]:
    """The lines whose classes are known, each with its `own` locale."""
    return LogQuery.objects.filter(corpus=corpus, words__isnull=False).annotate(own=OWN_LOCALE)


def in_stratum(stratum: MixStratum) -> Q:
    """The lines of a stratum."""
    length = Q(words__lt=SHORT_BELOW) if stratum.is_short else Q(words__gte=SHORT_BELOW)
    return length & Q(script=stratum.script, query_type=stratum.query_type)


def heaps(corpus: Corpus, period: Period | None) -> list[Heap]:
    """The log by locale, class and quarter, in one SQL query: as many rows as there are classes, not lines."""
    within = in_period(period)
    rows = read_lines(corpus).annotate(band=BAND, year=ExtractYear("date"), number=ExtractQuarter("date")).order_by()
    by = rows.values_list("own", "query_type", "script", "band", "language", "year", "number")
    summed = by.annotate(
        searches=Sum("count"),
        within=Sum("count", filter=within, default=0),
        guessed=Sum("count", filter=within & Q(locale=""), default=0),
    )
    return [
        Heap(own, Classes(*classes), quarter(year, number) if year else None, *sums)
        for own, *classes, year, number, sums in ((*row[:7], row[7:]) for row in summed)
    ]


def counted_queries(corpus: Corpus) -> list[tuple[str, Classes]]:
    """The locale and the classes of each counted query, variants like all others; one SQL query.

    The language of a query is that of its stratum: a person stated it.
    """
    judged = Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED).filter(counted(corpus))
    rows = judged.order_by().values_list("text", "stratum__query_language", "stratum__query_type", "stratum__script")
    return [
        (locale, Classes(query_type, script, length_band(_length(text, locale)), locale))
        for text, locale, query_type, script in rows
    ]


@lru_cache(maxsize=50_000)
def _length(text: str, locale: str) -> int:
    return len(words(text, locale))
