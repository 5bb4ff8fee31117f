"""The needs of a corpus: which there are, the locales that have worded each, and those that have not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from curation.models import Corpus, Need, Query, QueryType, Slice, User

from .checks import live

LACKS, HAS = "1", "0"
LOCALE = "stratum__query_language"


@dataclass(frozen=True, slots=True)
class Asked:
    """Which needs to list. `lacks` and `gold` are "1", "0" or "" for either; without a locale `lacks` means any."""

    locale: str = ""
    lacks: str = ""
    slice: str = ""
    gold: str = ""
    search: str = ""


@dataclass(frozen=True, slots=True)
class NeedRow:
    """A need, how many wordings it has in each locale (sorted), and the locales of the corpus that have none."""

    need: Need
    wordings: list[tuple[str, int]]
    lacking: list[str]


@dataclass(frozen=True, slots=True)
class NeedPage:
    """A need with its wordings that are not retired, by locale, and the locales that have none."""

    need: Need
    wordings: list[tuple[str, list[Query]]] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)

    @property
    def judged(self) -> int:
        """How many of its wordings are judged."""
        return sum(query.status == Query.Status.JUDGED for _, queries in self.wordings for query in queries)


def needs_of(corpus: Corpus, asked: Asked, *, locales: Sequence[str]) -> QuerySet[Need]:
    """The corpus's needs that are asked for, those stated last first; `locales` are all of the corpus."""
    needs = corpus.needs.order_by("-pk")
    if asked.slice:
        needs = needs.filter(slice_hint="" if asked.slice == Slice.DISTINCTIVE else asked.slice)
    if asked.gold:
        needs = needs.filter(gold_canonical_id="") if asked.gold == LACKS else needs.exclude(gold_canonical_id="")
    if asked.search.strip():
        needs = needs.filter(_says(asked.search.strip()))
    return _by_wording(needs, asked, locales)


def rows_of(corpus: Corpus, needs: Sequence[Need], *, locales: Sequence[str]) -> list[NeedRow]:
    """`needs` with their wordings, in one query."""
    wordings: dict[int | None, Counter[str]] = {}
    for need, locale in live(corpus).filter(need__in=[need.pk for need in needs]).values_list("need_id", LOCALE):
        wordings.setdefault(need, Counter())[locale] += 1
    return [_row(need, wordings.get(need.pk, Counter()), locales) for need in needs]


def lacking_by_locale(corpus: Corpus, locales: Sequence[str]) -> list[tuple[str, int]]:
    """How many needs have no wording in each locale, the most first; in two queries."""
    worded = live(corpus).filter(need__isnull=False).order_by().values(LOCALE).annotate(n=Count("need", distinct=True))
    counts = dict(worded.values_list(LOCALE, "n"))
    total = corpus.needs.count()
    return sorted(((locale, total - counts.get(locale, 0)) for locale in locales), key=lambda pair: (-pair[1], pair[0]))


def page_of(need: Need, locales: Sequence[str]) -> NeedPage:
    """Everything the page of one need shows, in one query."""
    queries = live(need.corpus).filter(need=need).select_related("stratum", "author").order_by(LOCALE, "pk")
    by_locale = [(locale, list(held)) for locale, held in groupby(queries, key=lambda q: q.stratum.query_language)]
    worded = {locale for locale, _ in by_locale}
    return NeedPage(need, by_locale, [locale for locale in locales if locale not in worded])


def visible_to(user: User, page: NeedPage, *, leads: bool) -> set[int]:
    """The wordings whose own pages `user` may open: a lead all, a writer their own."""
    return {query.pk for _, queries in page.wordings for query in queries if leads or query.author_id == user.pk}


def unneeded(corpus: Corpus) -> QuerySet[Query]:
    """English queries that word no need and could be one; a code is the same in every language, so it is none."""
    english = Q(**{LOCALE: "en"}) | Q(**{f"{LOCALE}__startswith": "en-"})
    queries = live(corpus).filter(english, need=None, variant_of=None)
    return queries.exclude(stratum__query_type=QueryType.ERROR_STRING)


def _says(words: str) -> Q:
    fields = ("text", "context", "external_id", "gold_canonical_id")
    found = Q()
    for name in fields:
        found |= Q(**{f"{name}__icontains": words})
    return found


def _by_wording(needs: QuerySet[Need], asked: Asked, locales: Sequence[str]) -> QuerySet[Need]:
    if not asked.lacks:
        return needs
    lacks = asked.lacks == LACKS
    if asked.locale:
        of_it = Query.objects.filter(need=OuterRef("pk"), **{LOCALE: asked.locale})
        worded = Exists(of_it.exclude(status=Query.Status.RETIRED))
        return needs.filter(~worded if lacks else worded)
    stands = Q(queries__stratum__query_language__in=locales) & ~Q(queries__status=Query.Status.RETIRED)
    counted = needs.annotate(worded_in=Count("queries__stratum__query_language", distinct=True, filter=stands))
    return counted.filter(worded_in__lt=len(locales)) if lacks else counted.filter(worded_in=len(locales))


def _row(need: Need, wordings: Counter[str], locales: Sequence[str]) -> NeedRow:
    return NeedRow(need, sorted(wordings.items()), [locale for locale in locales if locale not in wordings])


def worded_in(need: Need) -> set[str]:
    """The locales of the queries that word a need and are not withdrawn."""
    wordings = Query.objects.filter(need=need).exclude(status=Query.Status.RETIRED)
    return set(wordings.values_list("stratum__query_language", flat=True))
