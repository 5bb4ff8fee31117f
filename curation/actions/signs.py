"""Saying beside the database what SQLite lets nobody write to a job's row now (see `curation.reports.signs`)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.db import OperationalError, connection, transaction

from curation.models import Job
from curation.reports.signs import Sign, cancel_path, folder, sign_path

MOMENT = 0.5
"""Seconds to wait for whoever writes to SQLite, before it is said beside the database instead."""


def is_written(write: Callable[[], object]) -> bool:
    """Write at once; False, and nothing is written, where SQLite is held by somebody who writes for long.

    On PostgreSQL it is always written.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        write()
        return True
    ours: Any = connection  # of `curation.sqlite`
    patience, ours.patience = ours.patience, MOMENT
    try:
        with transaction.atomic():
            write()
    except OperationalError as fault:
        if "locked" not in str(fault):
            raise
        return False
    finally:
        ours.patience = patience
    return True


def leave(job: Job, sign: Sign) -> None:
    """Let it be seen that the job's holder lives."""
    folder().mkdir(parents=True, exist_ok=True)
    partial = sign_path(job.pk).with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(asdict(sign) | {"at": sign.at.isoformat()}), encoding="ascii")
    partial.replace(sign_path(job.pk))


def ask_cancel(job_id: int) -> None:
    """Ask whoever holds the job to end it, or the sweep where nobody does."""
    folder().mkdir(parents=True, exist_ok=True)
    cancel_path(job_id).touch()


def clear(job_id: int) -> None:
    """Remove what stands beside the database about a job that is not at work any more."""
    for path in (sign_path(job_id), cancel_path(job_id)):
        path.unlink(missing_ok=True)
