"""The handed cases of several judges at once, as often as they say; the continuous integration runs them shorter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.faults import crowds

from .conftest import Record

pytestmark = pytest.mark.django_db(transaction=True)

JUDGES, OPENS = 20, 1000


def test_c01_two_hundred_rounds_of_two_who_ask_for_one_query() -> None:
    crowds.one_query_for_two(rounds=200)


def test_c03_a_hundred_rounds_of_four_grades_for_three_places() -> None:
    crowds.four_grade_at_once(rounds=100)


def test_c42_eight_clients_with_two_hundred_submissions_each() -> None:
    crowds.shifts(clients=8, submissions=200)


def test_c43_fifty_rounds_of_twenty_equal_requests() -> None:
    crowds.equal_requests(parallel=20, rounds=50)


def test_twenty_judges_open_a_thousand_queries_and_no_two_hold_one(record: Record, tmp_path: Path) -> None:
    words = [sys.executable, str(settings.BASE_DIR / "manage.py"), "bench", "judging", "--json"]
    words += ["--judges", str(JUDGES), "--opens", str(OPENS), "--pools", str(OPENS)]
    environment = {**os.environ, "DATA_DIR": str(tmp_path / "own")}
    row = json.loads(subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout)
    record("Queries opened by many at once", ["judges", "opens", "held by two"], [[JUDGES, OPENS, row["shared"]]])
    assert (row["errors"], row["lost"], row["double"], row["shared"]) == (0, 0, 0, 0)
