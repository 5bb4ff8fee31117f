"""Queries as lists show them, chosen by the dimensions of their stratum and by how far they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When

from curation.models import CannotTell, Corpus, Qrel, Query, SetVersion, User
from curation.retrieval.folding import nfc

from .coming import settling
from .counts import DIMENSIONS, answer_gone, counted, first_spelling, relevant
from .depths import footings_of
from .footing import Footing
from .graded import on_changed_texts, shallow
from .moves import standing_disputes
from .needs import unneeded
from .titles import title_of
from .to_judge import doubted, to_decide, to_judge
from .written_for import written_for

LIVE = ""
STATES = {
    LIVE: "All but retired",
    "ready": "Ready to judge",
    "waiting": "Waits to be judged for these cells",
    "coming": "On the way from unknown language",
    "passing": "On the way to other cells",
    "disputed": "Waits for a decision",
    "undecided": "Waits for a decision alone",
    "doubted": "Somebody could not decide",
    "judged": "Judged",
    "counted": "Judged and counted",
    "respelt": "Judged, a spelling of a counted one",
    "shallow": "Counted, judged less deep than needed",
    "changed": "Counted, on a changed text",
    "no_answer": "Judged, no answer",
    "answer_gone": "Judged, answer gone",
    "have": "Waiting, or judged and counted",
    "retired": "Retired",
}
"""How far a query is; "counted" and "no_answer" are the board's n and no answer, "respelt" its spellings, which count
where their original does not; "shallow" and "changed" are what the board says its n rests on; "have" is the plan's;
"ready" waits for judges. "disputed" has an answer on which opinions differ, "undecided" waits for a decision on that
alone and for no judge; of "doubted" ones a judge said that they could not decide. "coming" ones wait elsewhere to be
judged for the strata asked for, "passing" ones wait in these and will count elsewhere; "waiting" is "ready" with the
former and without the latter."""


LANGUAGE = "stratum__corpus_language"
TO_MAKE = "to_make"
"""Asks for the queries that a need can be made of."""


@dataclass(frozen=True, slots=True)
class QueryDepth:
    """How deep a query was judged, and how many documents its pools list; None where it has none.

    `unanswered` documents were judged of one that is judged and has no answer that counts; None of any other.
    """

    footing: Footing
    candidates: int | None
    unanswered: int | None = None


@dataclass(frozen=True, slots=True)
class QueryPage:
    """One query with what is settled about it, the highest grade first, its other spellings, and the sets it is in.

    What is settled, and what nobody could tell, has the `title` of its document.
    """

    query: Query
    depth: QueryDepth
    qrels: Sequence[Qrel]
    cannot_tell: Sequence[CannotTell]
    variants: Sequence[Query]
    sets: Sequence[SetVersion]


def queries_of(corpus: Corpus, *, author: User | None) -> QuerySet[Query]:
    """The corpus's queries, only those of `author` and their other spellings where one is given; the newest first.

    Each says in `is_disputed` whether opinions on an answer of it differ and nobody has decided, and in
    `is_decided_alone` whether it waits for nothing else.
    """
    waits = Exists(standing_disputes().filter(query=OuterRef("pk")))
    queries = Query.objects.filter(corpus=corpus).annotate(is_disputed=waits & ~Q(status=Query.Status.RETIRED))
    queries = queries.annotate(is_decided_alone=Case(When(to_decide(), then=True), default=False))
    queries = queries.select_related("stratum", "author").order_by("-created_at", "-pk")
    return queries.filter(Q(author=author) | Q(variant_of__author=author)) if author else queries


@dataclass(frozen=True, slots=True)
class Choice:
    """What is asked of the list: one of STATES, the strata that `dimensions` name; an empty one leaves all in.

    `words` are those of an id or a text. `need` is the number of a need or `TO_MAKE`, `written_for` that of an
    assignment. `judged_before` is a day in the corpus's time zone. `reader` is who asks, by key: of a query that they
    are judging nobody's doubts are told.
    """

    state: str = LIVE
    words: str = ""
    need: str = ""
    judged_before: date | None = None
    written_for: int | None = None
    reader: int | None = None
    dimensions: Mapping[str, str] = field(default_factory=dict)


def chosen(queries: QuerySet[Query], corpus: Corpus, choice: Choice) -> QuerySet[Query]:
    """Those of `queries` (of `queries_of`) that `choice` asks for."""
    inside = {f"stratum__{name}": value for name, value in choice.dimensions.items() if value}
    queries = holding(wording(queries, corpus, choice.need), choice.words)
    if choice.judged_before:
        queries = queries.filter(judged_by(corpus, choice.judged_before))
    if choice.written_for is not None:
        queries = queries.filter(pk__in=written_for(corpus, choice.written_for))
    if choice.state == "coming":
        return coming(queries, corpus, inside=inside)
    if choice.state == "doubted":
        return queries.filter(doubted(choice.reader), **inside).exclude(status=Query.Status.RETIRED)
    if choice.state == "waiting":
        return settled_in(queries.filter(to_judge()), corpus, inside)
    return in_state(queries.filter(**inside), corpus, choice.state, inside=inside)


def judged_by(corpus: Corpus, day: date) -> Q:
    """Whether a query was judged before `day` began; one that a file brought judged, at no known moment, always was."""
    begins = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(corpus.time_zone))
    return Q(judged_at__lt=begins) | Q(judged_at=None, status=Query.Status.JUDGED)


def settled_in(queries: QuerySet[Query], corpus: Corpus, inside: Mapping[str, str]) -> QuerySet[Any]:
    """Those of `queries`, each with where it `settles`, that count in these strata or wait to, wherever they stand."""
    other = {name: value for name, value in inside.items() if name != LANGUAGE}
    here = Q(settles=inside[LANGUAGE]) if LANGUAGE in inside else Q()
    return settling(queries, corpus.pk).filter(here, **other)


def coming(queries: QuerySet[Query], corpus: Corpus, *, inside: Mapping[str, str]) -> QuerySet[Query]:
    """Those of `queries` that come to these strata from elsewhere; of a query and its other spellings the query."""
    ready = queries.filter(to_judge())
    stands = Q(status=Query.Status.READY) | Q(counted(corpus), status=Query.Status.JUDGED)
    first = settled_in(Query.objects.filter(stands, pk=OuterRef("variant_of")), corpus, inside)
    return settled_in(ready, corpus, inside).exclude(settles=F(LANGUAGE)).exclude(Exists(first))


def wording(queries: QuerySet[Query], corpus: Corpus, need: str) -> QuerySet[Query]:
    """Those of `queries` that word the need of that number, or that one can be made of; all where nothing is asked."""
    if need == TO_MAKE:
        return queries.filter(pk__in=unneeded(corpus).values("pk"))
    return queries.filter(need=int(need)) if need else queries


def holding(queries: QuerySet[Query], words: str) -> QuerySet[Query]:
    """Those of `queries` whose id or text holds these words, all of them; SQLite minds the case beyond ASCII."""
    for word in nfc(words).split():
        queries = queries.filter(Q(external_id__icontains=word) | Q(text__icontains=word))
    return queries


def in_state(queries: QuerySet[Query], corpus: Corpus, state: str, *, inside: Mapping[str, str]) -> QuerySet[Query]:
    """Those of `queries` (of `queries_of`) that are in one of STATES; all of them are `inside` these strata."""
    judged = Q(status=Query.Status.JUDGED)
    first = Query.objects.filter(pk=OuterRef("first"), **inside)
    respelt = judged & Q(counted(corpus), Exists(first))
    once = judged & Q(counted(corpus)) & ~respelt
    told = {
        LIVE: ~Q(status=Query.Status.RETIRED),
        "counted": once,
        "shallow": once & Q(pk__in=shallow(corpus)),
        "changed": once & Q(pk__in=on_changed_texts(corpus)),
        "respelt": respelt,
        "ready": to_judge(),
        "undecided": to_decide(),
        "have": Q(status=Query.Status.READY) | (judged & Q(counted(corpus))),
        "disputed": Q(is_disputed=True),
        "passing": to_judge() & ~Q(settles=F(LANGUAGE)),
        "no_answer": judged & ~Q(relevant(corpus)) & Q(is_disputed=False),
        "answer_gone": judged & answer_gone(corpus),
    }
    queries = settling(queries, corpus.pk).alias(first=first_spelling(corpus, "pk"))
    return queries.filter(told.get(state, Q(status=state)))


def choices(corpus: Corpus) -> dict[str, list[str]]:
    """The values each dimension takes in the corpus's strata, sorted."""
    values = list(corpus.strata.values_list(*DIMENSIONS))
    return {name: sorted({row[place] for row in values}) for place, name in enumerate(DIMENSIONS)}


def page_of(query: Query, candidates: Mapping[int, int]) -> QueryPage:
    """Everything the page of one query shows; `candidates` as for `with_depths`."""
    settled = query.qrels.annotate(title=title_of("gold_document")).select_related("gold_document", "decided_by")
    qrels = settled.order_by("-grade", "canonical_id")
    [(_, depth)] = with_depths(query.corpus, [query], candidates)
    doubts = query.cannot_tell.annotate(title=title_of("document")).order_by("canonical_id")
    spelt = query.variants.exclude(status=Query.Status.RETIRED).select_related("stratum").order_by("pk")
    sets = SetVersion.objects.filter(queries__query=query).order_by("frozen_at", "pk")
    return QueryPage(query, depth, list(qrels), list(doubts), list(spelt), list(sets))


def with_depths(
    corpus: Corpus, queries: Sequence[Query], candidates: Mapping[int, int]
) -> list[tuple[Query, QueryDepth]]:
    """Each of a page of queries with its depth, in one SQL query; `candidates`: query → documents in its pools."""
    footings = footings_of(corpus, queries)
    return [(query, _depth(footings.get(query.pk), candidates.get(query.pk))) for query in queries]


def _depth(told: tuple[Footing, int] | None, candidates: int | None) -> QueryDepth:
    if told is None:
        return QueryDepth(Footing(), candidates)
    footing, judged = told
    return QueryDepth(footing, candidates, None if footing.depth.queries else judged)
