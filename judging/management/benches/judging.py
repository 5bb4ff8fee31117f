"""`manage.py bench judging`: many judges at once on a server of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from django.core.management.base import CommandError
from django.db import connection

from curation.registry import Crowd
from judging.management.benches import audit, stage
from judging.management.benches.clients import MARKS, Judge, Load, Log
from judging.management.benches.serving import HOST, Served, own_database, serving

WARM_OPENS = 12  # until both programs of the web server have read the templates
CPU_OPENS = 60
MOST_SECONDS = 600.0


@dataclass(frozen=True)
class Measured:
    """The figures by the names of `--json`, what an open takes of the server, and the first errors in words."""

    row: dict[str, Any]
    cpu_open_ms: float
    errors: tuple[str, ...]

    def in_words(self) -> list[str]:
        """The figures for a reader."""
        row = self.row
        spread = " · ".join(
            f"{what[:-3]} {row[what]['p50']:.0f} / {row[what]['p95']:.0f} / {row[what]['p99']:.0f} ms"
            for what in ("open_ms", "submit_ms", "mark_ms")
        )
        return [
            f"{row['judges']} judges on {row['database']}: {row['submits_per_s']:.1f} submits/s",
            f"p50 / p95 / p99: {spread}",
            f"server CPU to open a query of {stage.DEPTH}: {self.cpu_open_ms:.1f} ms",
            f"errors {row['errors']}, lost {row['lost']}, double {row['double']}, shared {row['shared']}",
            *self.errors,
        ]


def bench(crowd: Crowd) -> Measured:
    """Plant, serve, judge, and count what the database holds against what the judges were told."""
    with own_database() as environment:
        stage.plant(pools=crowd.queries, judges=crowd.people)
        with serving(environment) as served:
            cpu = opening(served, opens=min(CPU_OPENS, crowd.queries))
            logs = judged(load_of(crowd, served))
        return Measured(figures(crowd, logs), cpu, tuple(fault for log in logs for fault in log.errors)[:5])


def load_of(crowd: Crowd, served: Served) -> Load:
    """What the crowd does."""
    names = [f"judge-{number}" for number in range(crowd.people)]
    return Load(
        HOST,
        served.port,
        stage.SLUG,
        names,
        stage.PASSWORD,
        seconds=crowd.seconds if crowd.opens is None else MOST_SECONDS,
        opens=crowd.opens,
        per_second=crowd.per_second,
        marks=MARKS if crowd.opens is None else 0,
    )


def opening(served: Served, *, opens: int) -> float:
    """CPU milliseconds that the web server takes to open a query and to have it put off, for one judge at a time.

    Raises:
        CommandError: a query could not be opened.
    """
    judge = Judge(Load(HOST, served.port, stage.SLUG, ["judge-0"], stage.PASSWORD, MOST_SECONDS, marks=0), 0)
    judge.sign_in()
    open_some(judge, WARM_OPENS)
    before = served.web_seconds()
    open_some(judge, opens)
    return 1000 * (served.web_seconds() - before) / opens


def open_some(judge: Judge, opens: int) -> None:
    """Open and put off.

    Raises:
        CommandError: the server answered otherwise than it should.
    """
    for _ in range(opens):
        judge.one_query(MOST_SECONDS)
    if judge.log.errors:
        raise CommandError(f"The server of the bench does not work: {judge.log.errors[0]}")


def judged(load: Load) -> list[Log]:
    """The judges at work in a program of their own.

    Raises:
        CommandError: it broke.
    """
    words = [sys.executable, str(Path(__file__).with_name("clients.py"))]
    ran = subprocess.run(words, input=json.dumps(asdict(load)), capture_output=True, text=True, check=False)  # noqa: S603
    if ran.returncode:
        raise CommandError(f"The judges of the bench broke: {ran.stderr[-2000:]}")
    return [Log(**log) for log in json.loads(ran.stdout)]


def figures(crowd: Crowd, logs: Sequence[Log]) -> dict[str, Any]:
    """What `--json` prints."""
    submits = [taken for log in logs for taken in log.submit_s]
    seconds = max(log.ended for log in logs) - min(log.began for log in logs)
    return {
        "judges": crowd.people,
        "database": connection.vendor,
        "submits_per_s": round(len(submits) / seconds, 1) if seconds > 0 else 0.0,
        "open_ms": spread([taken for log in logs for taken in log.open_s]),
        "submit_ms": spread(submits),
        "mark_ms": spread([taken for log in logs for taken in log.mark_s]),
        "errors": sum(len(log.errors) for log in logs),
        "lost": audit.lost(logs),
        "double": audit.double(),
        "shared": audit.shared(logs),
    }


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """p50, p95 and p99 in milliseconds; zeros where there is nothing."""
    cuts = quantiles(seconds, n=100, method="inclusive") if len(seconds) > 1 else [*seconds, 0.0][:1] * 99
    return {f"p{part}": round(1000 * cuts[part - 1], 1) for part in (50, 95, 99)}
