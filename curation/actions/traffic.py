"""Stating how the searches of a corpus split over locales; every statement is kept, the newest counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from math import fsum, isclose

from django.db import transaction

from curation.actions.refusal import Refused
from curation.models import Corpus, CorpusLocale, TrafficReading, TrafficShare, User
from curation.reports.schedule import today_in
from curation.reports.traffic import NEWEST_FIRST, log_traffic
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale

CLOSE = 1e-6
MOST_NOTE = 300


@dataclass(frozen=True, slots=True)
class Statement:
    """Shares by locale (0 to 1), where they come from, and the day they stand for (today where none is given).

    `since` and `until` are the days of the log they were read from.
    """

    shares: Mapping[str, float]
    source: TrafficReading.Source
    note: str = ""
    as_of: date | None = None
    since: date | None = None
    until: date | None = None


def state_traffic(
    *, corpus: Corpus, statement: Statement, now: datetime, stated_by: User | None = None
) -> TrafficReading:
    """Keep a reading; where the one in use or the one stated last says the same of the same day, that one.

    Raises:
        Refused: a locale is unknown, a share is out of range, they do not sum to 1, or the day lies ahead.
    """
    shares, today = checked_shares(statement.shares), today_in(corpus, now)
    as_of = statement.as_of or today
    if as_of > today:
        raise Refused(f"Traffic cannot be known for {as_of:%d %b %Y}, which lies ahead; name today or a day before.")
    if len(statement.note) > MOST_NOTE:
        raise Refused(f"Say where the shares come from in at most {MOST_NOTE} characters.")
    stated = TrafficReading(
        corpus=corpus,
        as_of=as_of,
        source=statement.source,
        note=statement.note.strip(),
        since=statement.since,
        until=statement.until,
        stated_by=stated_by,
        stated_at=now,
    )
    with transaction.atomic():
        Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)  # copies of one form take turns
        held = corpus.traffic_readings
        for other in (held.order_by(*NEWEST_FIRST).first(), held.order_by("-pk").first()):
            if other and _said(other) == _said(stated) and shares_of(other) == shares:
                return other
        return _kept(stated, shares)


def state_from_log(
    *, corpus: Corpus, since: date | None, until: date | None, now: datetime, stated_by: User | None = None
) -> TrafficReading:
    """Keep the shares of searches that the imported log holds from `since` to `until`, both days in it.

    The reading stands for the last of these days that the log knows, or for today where its lines have no dates.

    Raises:
        Refused: the days are in the wrong order, or the log holds no search of a named locale between them.
    """
    if since and until and since > until:
        raise Refused(f"{since:%d %b %Y} comes after {until:%d %b %Y}; name the earlier day first.")
    log = log_traffic(corpus, since=since, until=until)
    if not log.total:
        held = f"; {log.unplaced:,} searches name no locale" if log.unplaced else ""
        raise Refused(f"The log holds no search with a locale on these days{held}. Import a log, or name other days.")
    note = f"{log.total:,} searches of the log"
    if log.unplaced:
        note += f"; {log.unplaced:,} without a locale left out"
    today = today_in(corpus, now)
    as_of = min(log.last, today) if log.last else today
    statement = Statement(log.shares, TrafficReading.Source.LOG, note, as_of, since=log.first, until=log.last)
    return state_traffic(corpus=corpus, statement=statement, now=now, stated_by=stated_by)


def checked_shares(given: Mapping[str, float]) -> dict[str, float]:
    """The shares by canonical locale; several spellings of one locale are added up.

    Raises:
        Refused: a locale is unknown, a share is out of range, or they do not sum to 1.
    """
    shares: dict[str, float] = {}
    for tag, share in given.items():
        try:
            locale = canonical_locale(tag)
        except (UnknownLocale, ScriptNeeded) as fault:
            raise Refused(f"The traffic shares: {fault}") from fault
        if not 0 <= share <= 1:
            raise Refused(f"The traffic share of {tag} is {share:g}; a share lies between 0 and 1.")
        shares[locale] = shares.get(locale, 0.0) + share
    total = fsum(shares.values())
    if not isclose(total, 1.0, abs_tol=CLOSE):
        raise Refused(f"The traffic shares sum to {total:g}, not to 1; correct them.")
    return shares


def shares_of(reading: TrafficReading) -> dict[str, float]:
    """The shares of a stored reading."""
    return dict(reading.shares.values_list("locale", "share"))


def _said(reading: TrafficReading) -> tuple[object, ...]:
    """What a reading says besides its shares; who says it and when makes no other reading."""
    return reading.as_of, reading.source, reading.note, reading.since, reading.until


def _kept(reading: TrafficReading, shares: Mapping[str, float]) -> TrafficReading:
    """The reading with its shares, stored; a locale that is new to the corpus gets its place."""
    reading.save()
    TrafficShare.objects.bulk_create(
        TrafficShare(reading=reading, locale=locale, share=share) for locale, share in shares.items()
    )
    CorpusLocale.objects.bulk_create(
        (CorpusLocale(corpus=reading.corpus, locale=locale) for locale in shares), ignore_conflicts=True
    )
    return reading
