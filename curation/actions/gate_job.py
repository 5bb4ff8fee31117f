"""Gating in the background: a page asks for it, and shows how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from curation.actions import jobs
from curation.actions.gating import Asked, K, judge, require, store, why_not_at
from curation.actions.holds import Held
from curation.actions.refusal import Refused
from curation.models import Job, RankedRun, SetVersion, User
from curation.reports.measured import standing_documents

KIND = "gate"


@dataclass(frozen=True, slots=True)
class Terms:
    """What is gated, at which depth, against which stored run (exact search, measured then, where it names none).

    `commit` names the build and `manifest` is that of the candidate index; both are kept with the report.
    """

    run: RankedRun
    k: int = K
    baseline: RankedRun | None = None
    commit: str = ""
    manifest: Mapping[str, Any] = field(default_factory=dict)

    @property
    def params(self) -> dict[str, Any]:
        """The terms as a job keeps them."""
        kept = {"run": self.run.pk, "k": self.k, "baseline": self.baseline and self.baseline.pk}
        return {**kept, "commit": self.commit, "manifest": self.manifest}


def ask_to_gate(*, version: SetVersion, terms: Terms, asked_by: User, now: datetime) -> Job:
    """The job that gates a run on `version`; asked for again while it waits or runs, it is the same.

    Raises:
        Refused: no report holds such a build or depth, or the run does not reach it.
    """
    run, k = terms.run, terms.k
    require(Asked(run, k=k, commit=terms.commit))
    if why_not := why_not_at(run.name, run.k, k=k, documents=standing_documents(version.corpus)):
        raise Refused(why_not)
    params = {"set_version": version.pk, **terms.params}
    return jobs.ask(
        kind=KIND,
        unique_key=f"{KIND}:{version.pk}:{jobs.digest(params)}",
        params=params,
        corpus=version.corpus,
        asked_by=asked_by,
        now=now,
    )


def work(held: Held) -> dict[str, Any]:
    """Gate what the job names; the report and the end of the job stand or fall together."""
    params = held.params
    versions = SetVersion.objects.select_related("corpus", "generation")
    runs, baseline = held.corpus.ranked_runs, params.get("baseline")
    judged = judge(
        version=versions.get(pk=params["set_version"], corpus=held.corpus),
        asked=Asked(
            runs.get(pk=params["run"]),
            k=params["k"],
            baseline=runs.get(pk=baseline) if baseline else None,
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
        held.note(1, 1, f"{report.run_name} gated on {report.set_version}: {report.get_verdict_display().lower()}.")
        result |= {"report": report.pk, "verdict": report.verdict}
    return result
