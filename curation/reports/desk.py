"""The writer's desk: the emptiest planned stratum of their languages, and the needs that still lack a wording there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from curation.models import Corpus, Need, Query, User, WordingDraft

from .articles import Article, article
from .checks import live
from .open_needs import needs_of, share_of
from .schedule import day_start
from .shortfall import Shortfall, shortfalls
from .team import asked_of
from .writing_pace import median_seconds

IN_THE_QUEUE = 12


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to write: a stratum, the needs to word for it (ids, the next one first), and emptier strata without any.

    `lands` is False where no need is left that belongs to the stratum: its wordings fill other ones.
    """

    shortfall: Shortfall
    needs: Sequence[int]
    lands: bool
    waiting: Sequence[Shortfall]


@dataclass(frozen=True, slots=True)
class Desk:
    """One need on the desk, the queue it stands in, and what the writer saved today (newest first).

    `draft` is what they left for it, `median_seconds` how long they take for a query, as far as that was measured.

    `wanted` is None where nothing more is wanted, and the writer came back with a text or chose a need all the same.
    """

    locale: str
    wanted: Wanted | None
    need: Need
    queue: Sequence[Need]
    gold: Article | None
    written: Sequence[Query]
    draft: WordingDraft | None
    median_seconds: float | None

    @property
    def next_need(self) -> Need | None:
        """The need after the one on the desk."""
        return self._beside(1)

    @property
    def previous_need(self) -> Need | None:
        """The need before the one on the desk."""
        return self._beside(-1)

    def _beside(self, step: int) -> Need | None:
        place = [need.pk for need in self.queue].index(self.need.pk) + step
        return self.queue[place] if 0 <= place < len(self.queue) else None


class Idle(StrEnum):
    """Why a desk is empty: nothing is planned in the locales, every cell is full, or every need is worded."""

    UNPLANNED = "unplanned"
    FULL = "full"
    WORDED = "worded"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who sits down to write: the locales they write, the need they asked for, and those they passed over."""

    user: User
    locales: Sequence[str]
    need: int | None = None
    skipped: Sequence[int] = ()


def desk(corpus: Corpus, visitor: Visitor, *, now: datetime) -> Desk | Idle:
    """The desk of a visitor, or why there is nothing on it."""
    short = asked_first(shortfalls(corpus, languages=visitor.locales), asked_of(corpus, visitor.user))
    wanted = wanted_of(corpus, visitor, short)
    queue = queued(corpus, wanted.needs if wanted else (), visitor.need)
    if not queue:
        return Idle.WORDED if short else idle(corpus, visitor)
    locale = wanted.shortfall.count.query_language if wanted else visitor.locales[0]
    need = next((each for each in queue if each.pk == visitor.need), queue[0])
    return Desk(
        locale=locale,
        wanted=wanted,
        need=need,
        queue=queue,
        gold=article(corpus, need.gold_canonical_id, locale=locale),
        written=written_today(corpus, visitor.user, now=now),
        draft=need.drafts.filter(user=visitor.user, locale=locale).first(),
        median_seconds=median_seconds(corpus, visitor.user),
    )


def asked_first(short: Sequence[Shortfall], asked: Collection[int]) -> list[Shortfall]:
    """The strata that the writer is asked for before the others, each part the emptiest first (docs/adr/0020)."""
    return sorted(short, key=lambda each: each.count.stratum_id not in asked)


def idle(corpus: Corpus, visitor: Visitor) -> Idle:
    """Why no stratum of the visitor's locales lacks a wording."""
    planned = corpus.strata.filter(planned__gt=0, query_language__in=visitor.locales).exists()
    return Idle.FULL if planned else Idle.UNPLANNED


def wanted_of(corpus: Corpus, visitor: Visitor, short: Sequence[Shortfall]) -> Wanted | None:
    """The emptiest of the strata that a need is left for: first one that the need belongs to, else any."""
    held = needs_of(corpus, visitor.locales)
    for lands in (True, False):
        for place, each in enumerate(short):
            if left := held.left_for(each.count, lands=lands):
                locale = each.count.query_language
                share = share_of(visitor.user, corpus, locale)
                needs = held.in_order(left, locale, skipped=visitor.skipped, share=share)
                return Wanted(each, needs, lands, short[:place] if lands else ())
    return None


def queued(corpus: Corpus, needs: Sequence[int], chosen: int | None) -> list[Need]:
    """The first needs of the queue; `chosen` leads them where it stands further back."""
    shown = list(needs[:IN_THE_QUEUE])
    if chosen is not None and chosen not in shown:
        shown.insert(0, chosen)
    found = {need.pk: need for need in corpus.needs.filter(pk__in=shown)}
    return [found[pk] for pk in shown if pk in found]


def written_today(corpus: Corpus, user: User, *, now: datetime) -> list[Query]:
    """What `user` wrote since midnight where the corpus is at home and did not take back, the newest first."""
    today = live(corpus).filter(created_at__gte=day_start(corpus, now))
    theirs = today.filter(author=user, origin=Query.Origin.WRITTEN)
    return list(theirs.select_related("stratum").order_by("-created_at", "-pk"))


def locales_of(corpus: Corpus) -> list[str]:
    """The locales whose people search the corpus, and those that strata are planned in; sorted."""
    planned = corpus.strata.filter(planned__gt=0).values_list("query_language", flat=True)
    return sorted({*corpus.locales.values_list("locale", flat=True), *planned})


def taken_back(corpus: Corpus, user: User, query: int) -> Query | None:
    """The query that `user` took back, so that its text can be mended; None where it is not one of theirs."""
    theirs = Query.objects.filter(corpus=corpus, author=user, status=Query.Status.RETIRED, pk=query)
    return theirs.select_related("stratum").first()
