"""Which days of a log are looked at."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.reports.log_period import Period, PeriodRefused, last_full_quarter, period_of, quarter, quarter_of

TODAY = date(2026, 11, 30)
Q3 = Period(date(2026, 7, 1), date(2026, 9, 30))


@pytest.mark.parametrize(
    ("today", "words"),
    [
        (date(2026, 11, 30), "Q3 2026"),
        (date(2026, 10, 1), "Q3 2026"),
        (date(2026, 9, 30), "Q2 2026"),
        (date(2026, 1, 1), "Q4 2025"),
    ],
)
def test_the_last_full_quarter_has_ended(today: date, words: str) -> None:
    assert last_full_quarter(today).words == words


def test_without_days_asked_for_it_is_the_last_full_quarter() -> None:
    assert period_of(Period(date(2026, 1, 1), date(2026, 11, 1)), today=TODAY) == Q3


@pytest.mark.parametrize("logged", [Period(date(2020, 1, 3), date(2020, 1, 31)), Period(TODAY, TODAY)])
def test_a_log_that_does_not_reach_it_is_shown_by_its_own_last_quarter(logged: Period) -> None:
    assert period_of(logged, today=TODAY) == quarter_of(logged.until)


def test_an_open_end_is_that_of_the_log() -> None:
    logged = Period(date(2026, 2, 3), date(2026, 8, 9))
    assert period_of(logged, today=TODAY, since=date(2026, 8, 1)) == Period(date(2026, 8, 1), date(2026, 8, 9))
    assert period_of(logged, today=TODAY, until=date(2026, 2, 28)).words == "3 Feb 2026 to 28 Feb 2026"


def test_days_out_of_order_are_refused() -> None:
    with pytest.raises(PeriodRefused, match="before it begins"):
        period_of(Q3, today=TODAY, since=date(2026, 9, 2), until=date(2026, 9, 1))


@given(st.dates(date(1990, 1, 1), date(2100, 1, 1)))
def test_quarters_are_whole_months_and_leave_no_day_out(day: date) -> None:
    own = quarter_of(day)
    assert own.since <= day <= own.until
    assert own.since.day == 1
    assert quarter_of(own.since) == quarter_of(own.until) == own
    assert own.is_quarter
    assert quarter(own.since.year, int(own.words[1])) == own
