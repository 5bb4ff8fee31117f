"""The handed cases of several judges at once, as often as they say; the continuous integration runs them shorter."""

from __future__ import annotations

import pytest

from tests.faults import crowds

pytestmark = pytest.mark.django_db(transaction=True)


def test_c01_two_hundred_rounds_of_two_who_ask_for_one_query() -> None:
    crowds.one_query_for_two(rounds=200)


def test_c03_a_hundred_rounds_of_four_grades_for_three_places() -> None:
    crowds.four_grade_at_once(rounds=100)


def test_c42_eight_clients_with_two_hundred_submissions_each() -> None:
    crowds.shifts(clients=8, submissions=200)


def test_c43_fifty_rounds_of_twenty_equal_requests() -> None:
    crowds.equal_requests(parallel=20, rounds=50)
