"""`manage.py bench judging`: it measures a real server, and what it counts as lost, double or shared it really sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone

from judging.management.benches import audit
from judging.management.benches.clients import Log
from judging.management.benches.serving import Served, beside
from judging.models import Assignment, Judgment, JudgmentEvent, Pool
from tests.judging import stage
from tests.judging.stage import Judge

KEYS = ["judges", "database", "submits_per_s", "open_ms", "submit_ms", "mark_ms", "errors", "lost", "double", "shared"]


def test_a_small_bench_judges_a_real_server_and_leaves_nothing(tmp_path: Path) -> None:
    words = [sys.executable, str(settings.BASE_DIR / "manage.py"), "bench", "judging", "--json"]
    words += ["--judges", "2", "--seconds", "2", "--pools", "20"]
    environment = {**os.environ, "DATA_DIR": str(tmp_path / "own"), "TMPDIR": str(tmp_path)}
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    row = json.loads(ran.stdout)
    assert list(row) == KEYS
    assert (row["judges"], row["errors"], row["lost"], row["double"], row["shared"]) == (2, 0, 0, 0, 0)
    assert row["submits_per_s"] > 0
    assert 0 < row["submit_ms"]["p50"] <= row["submit_ms"]["p95"] <= row["submit_ms"]["p99"]
    assert 0 < row["open_ms"]["p50"] <= row["open_ms"]["p95"] <= row["open_ms"]["p99"]
    assert list(tmp_path.glob("hs-bench-*")) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a program took")
def test_a_program_that_ended_while_programs_were_counted_took_nothing() -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    assert Served(0, ended.pid).web_seconds() == 0


@pytest.mark.parametrize(
    ("own", "beside_it"),
    [
        ("postgres://u:p@db.example:5432/set?sslmode=require", "postgres://u:p@db.example:5432/new?sslmode=require"),
        ("postgres:////run/postgresql/set", "postgres:////run/postgresql/new"),
    ],
)
def test_the_database_of_the_bench_is_on_the_same_server(own: str, beside_it: str) -> None:
    assert beside(own, "new") == beside_it


def test_a_bench_of_nobody_is_refused() -> None:
    with pytest.raises(CommandError, match="--judges is a number above 0") as refused:
        call_command("bench", "judging", judges=0)
    assert refused.value.returncode == 2


@pytest.fixture
def log() -> Log:
    """One query judged, and what its judge was told."""
    corpus = stage.a_judged_corpus(2)
    judge = Judge(corpus.memberships.get().user)
    held = judge.next()
    assert held is not None
    judge.mark(held, "d001", 3)
    judge.finish(held, "d001", "d002")
    [event] = JudgmentEvent.objects.all()
    key = stage.candidate(held.pool, "d001").pk
    return Log(marks=[(event.token, held.pk, key, "3", 1)], finished=[held.pk], holds=[(held.pk, 0.0, 1.0)])


@pytest.mark.django_db
def test_what_is_stored_as_acknowledged_is_neither_lost_nor_double_nor_shared(log: Log) -> None:
    assert (audit.lost([log]), audit.double(), audit.shared([log])) == (0, 0, 0)


@pytest.mark.django_db
def test_a_mark_without_its_row_a_mark_with_another_grade_and_a_finish_undone_are_lost(log: Log) -> None:
    Judgment.objects.filter(token=log.marks[0][0]).update(grade=2)
    assert audit.lost([log]) == 1
    JudgmentEvent.objects.all().delete()
    assert audit.lost([log]) == 1
    Assignment.objects.update(finished_at=None)
    assert audit.lost([log]) == 2


@pytest.mark.django_db
def test_a_press_that_was_stored_under_two_tokens_is_double(log: Log) -> None:
    [event] = JudgmentEvent.objects.all()
    JudgmentEvent.objects.create(judgment=event.judgment, token="again", number=1, state="graded", at=timezone.now())
    assert audit.double() == 1


@pytest.mark.django_db
def test_a_query_on_two_screens_at_once_is_shared_where_one_person_is_wanted(log: Log) -> None:
    [held] = log.finished
    later, meanwhile = Log(holds=[(held, 1.0, 2.0)]), Log(holds=[(held, 0.5, 2.0)])
    assert audit.shared([log, later]) == 0
    assert audit.shared([log, meanwhile]) == 1
    Pool.objects.update(opinions=2)
    assert audit.shared([log, meanwhile]) == 0
