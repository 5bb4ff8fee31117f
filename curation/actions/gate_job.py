"""Gating in the background: a page asks for it, and shows how far it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from curation.actions import jobs
from curation.actions.gating import Asked, judge, require, store, why_not_at
from curation.actions.holds import Held
from curation.actions.refusal import Refused
from curation.models import Job, RankedRun, SetVersion, User
from curation.reports.measured import standing_documents

KIND = "gate"


@dataclass(frozen=True, slots=True)
class Build:
    """Which build is gated, and the manifest of the candidate index; both are kept with the report."""

    commit: str = ""
    manifest: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What tells it from another build."""
        told = json.dumps([self.commit, self.manifest], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]


def ask_to_gate(
    *, version: SetVersion, run: RankedRun, k: int, asked_by: User, now: datetime, build: Build | None = None
) -> Job:
    """The job that gates `run` on `version`; asked for again while it waits or runs, it is the same.

    Raises:
        Refused: no report holds such a build or depth, or the run does not reach it.
    """
    build = build or Build()
    require(Asked(run, k=k, commit=build.commit))
    if why_not := why_not_at(run.name, run.k, k=k, documents=standing_documents(version.corpus)):
        raise Refused(why_not)
    params = {"set_version": version.pk, "run": run.pk, "k": k, **asdict(build)}
    key = f"{KIND}:{version.pk}:{run.pk}:{k}:{build.key}"
    return jobs.ask(kind=KIND, unique_key=key, params=params, corpus=version.corpus, asked_by=asked_by, now=now)


def work(held: Held) -> dict[str, Any]:
    """Gate what the job names; the report and the end of the job stand or fall together."""
    params = held.params
    versions = SetVersion.objects.select_related("corpus", "generation")
    judged = judge(
        version=versions.get(pk=params["set_version"], corpus=held.corpus),
        asked=Asked(
            RankedRun.objects.get(pk=params["run"], corpus=held.corpus),
            k=params["k"],
            commit=params.get("commit", ""),
            manifest=params.get("manifest", {}),
        ),
        by=held.job.asked_by,
        now=timezone.now(),
        progress=held.counting("queries searched exactly"),
    )
    result: dict[str, Any] = {}
    with held.closing(result):
        report = store(judged)
        result |= {"report": report.pk, "verdict": report.verdict}
    return result
