"""What stands beside the database about jobs at work: the sign of life of each, and whether its cancel is asked for.

SQLite lets one write at a time, so while somebody writes for long no job can write to its row, and nobody can cancel
it there. Then it is said in a small file of the data folder, which all who share a SQLite database share as well
(docs/adr/0028). On PostgreSQL there are no such files: there nobody waits for another row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from curation.models import Job


@dataclass(frozen=True, slots=True)
class Sign:
    """That the holder of a job's number lived, and how far it was; without `words` it said nothing of that."""

    fencing: int
    at: datetime
    done: int = 0
    total: int = 0
    words: str = ""


def folder() -> Path:
    """Where the files are; it need not be there."""
    return Path(settings.DATA_DIR) / "jobs"


def sign_path(job_id: int) -> Path:
    """Where the job's sign of life is."""
    return folder() / f"{job_id}.json"


def cancel_path(job_id: int) -> Path:
    """What is there where the job's cancel is asked for."""
    return folder() / f"{job_id}.cancel"


def is_cancel_asked(job_id: int) -> bool:
    """Whether somebody cancelled the job who could not write to its row."""
    return cancel_path(job_id).exists()


def sign_of(job: Job) -> Sign | None:
    """What the job's holder said last beside its row, None where it said nothing, or is not at work any more."""
    if job.state != Job.State.RUNNING:
        return None
    try:
        told = json.loads(sign_path(job.pk).read_bytes())
    except FileNotFoundError:
        return None
    sign = Sign(**(told | {"at": datetime.fromisoformat(told["at"])}))
    return sign if sign.fencing == job.fencing else None


def last_sign(job: Job) -> datetime | None:
    """When the job's holder was last heard of, by its row or beside it."""
    sign = sign_of(job)
    return max(filter(None, (job.heartbeat, sign.at if sign else None)), default=None)


def as_told(job: Job) -> Job:
    """The job with what its holder said beside the row, where that is newer than the row."""
    sign = sign_of(job)
    if sign and (job.heartbeat is None or sign.at > job.heartbeat):
        job.heartbeat = sign.at
        if sign.words:
            job.progress_done, job.progress_total, job.progress_words = sign.done, sign.total, sign.words
    return job


def mentioned() -> Iterator[int]:
    """The ids of the jobs about which something stands beside the database."""
    found = folder().iterdir() if folder().is_dir() else ()
    yield from sorted({int(path.stem) for path in found if path.stem.isdigit()})
