"""Verifying a manifest in the background, where the index is a file so large that hashing it takes long."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from curation.actions import jobs
from curation.actions.holds import Held
from curation.actions.manifests import Expected, verify_manifest
from curation.models import Job, TargetIndex, User
from curation.reports.index_names import index_named

KIND = "verify_manifest"
AT_ONCE = 1 << 30
"""Bytes of an index file that are hashed while somebody waits."""


def ask_to_verify(*, index: TargetIndex, expected: Expected, asked_by: User, now: datetime) -> Job:
    """The job that holds a manifest against its index and `expected`, which has no sample."""
    order = None if expected.transform_order is None else list(expected.transform_order)
    params = {"index": index.name, "truncate_to": expected.truncate_to, "transform_order": order}
    return jobs.ask(
        kind=KIND,
        unique_key=f"{KIND}:{index.corpus_id}:{jobs.digest(params)}",
        params=params,
        corpus=index.corpus,
        asked_by=asked_by,
        now=now,
    )


def work(held: Held) -> dict[str, Any]:
    """Verify what the job names; its result is what the command prints as JSON."""
    params = held.params
    expected = Expected(params["truncate_to"], params["transform_order"])
    index = index_named(held.corpus, params["index"])
    return verify_manifest(index=index, expected=expected, now=timezone.now()).as_json()
