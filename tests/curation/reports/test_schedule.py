"""The quarterly schedule's dates."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from curation.models import Corpus, TargetIndex
from curation.reports.schedule import dates_shown, latest_date, next_dates, quarters_after

DAYS = st.dates(date(2020, 1, 1), date(2040, 12, 31))


def test_c36_the_next_five_dates_of_each_start(cases: Path) -> None:
    for project in json.loads((cases / "c36-expect.json").read_bytes())["projects"]:
        start = date.fromisoformat(project["start"])
        assert [day.isoformat() for day in next_dates(start, after=start, how_many=5)] == project["next"]


def test_c36_the_dates_shown_are_those_of_the_corpus_time_zone() -> None:
    """At this moment it is still 31 December in Los Angeles and already 1 January in Tokyo."""
    now = datetime(2026, 12, 31, 20, tzinfo=UTC)
    anchor = date(2027, 1, 1)

    def first(zone: str) -> date:
        index = TargetIndex(corpus=Corpus(slug="claims", time_zone=zone))
        return dates_shown(index=index, anchor=anchor, now=now)[0]

    assert (first("America/Los_Angeles"), first("Asia/Tokyo")) == (date(2027, 1, 1), date(2027, 4, 1))


@given(DAYS, st.integers(0, 60))
def test_no_two_quarters_share_a_date_and_none_leaves_its_month(anchor: date, quarters: int) -> None:
    this, following = quarters_after(anchor, quarters), quarters_after(anchor, quarters + 1)
    assert (following.year * 12 + following.month) - (this.year * 12 + this.month) == 3
    assert this.day <= anchor.day


@given(DAYS, DAYS)
def test_the_latest_date_is_the_one_before_the_next(anchor: date, today: date) -> None:
    [following] = next_dates(anchor, after=today, how_many=1)
    latest = latest_date(anchor, until=today)
    if today < anchor:
        assert latest == following == anchor
    else:
        assert latest <= today < following
        assert next_dates(anchor, after=latest, how_many=1) == [following]
        assert next_dates(anchor, after=latest - timedelta(days=1), how_many=1) == [latest]
