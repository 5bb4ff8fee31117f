"""The endpoint of background work: how far it is, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Router

from curation.actions import gate_job, manifest_job, set_exporting
from curation.api import shapes
from curation.api.answers import Problem, answer
from curation.api.doors import TokenDoor, entered, require_scope
from curation.models import GateReport, Job, Scope
from curation.reports.gate_report import report_of
from curation.reports.signs import as_told
from curation.tasks import send
from curation.uploading import IMPORT, upload_of

router = Router(tags=["jobs"])


@router.get(
    "/corpora/{slug:slug}/jobs/{int:job}",
    auth=TokenDoor(),
    response={200: shapes.Job, 404: Problem},
    operation_id="job",
    url_name="api_job",
)
def one(request: HttpRequest, slug: str, job: int) -> HttpResponse:
    """How far a job is; ask again every few seconds. It opens for the scope that asks for such jobs, and for `read`."""
    inside = entered(request)
    found = inside.corpus.jobs.select_related("corpus").filter(pk=job).first()
    if found is None:
        raise Http404(f"This corpus has no job {job}.")
    require_scope(inside.auth, {Scope.READ, *ASKED_WITH.get(found.kind, ())})
    return answer(told(found))


def taken_on(job: Job) -> HttpResponse:
    """The answer to what a job does now: where to ask how far it is."""
    send(job.pk)
    accepted = answer(told(job), status=202)
    accepted["Location"] = address_of(job)
    return accepted


def address_of(job: Job) -> str:
    """Where a job of a corpus is asked after."""
    return reverse("api_job", kwargs={"slug": job.corpus.slug if job.corpus else "", "job": job.pk})


def told(job: Job) -> dict[str, Any]:
    """A job for a program."""
    came = came_of(job)
    shown = {"job": job.pk, "address": address_of(job), "kind": job.kind, "state": job.state}
    outcome = {"error": came.error, "exit_code": came.exit_code, "result": came.result}
    return {**shown, "progress": as_told(job).progress_words, **outcome}


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a job: its result, why it has none, and what a command would have ended with."""

    result: dict[str, Any] | None = None
    error: str = ""
    exit_code: int | None = None


def came_of(job: Job) -> Came:
    """What came of it so far."""
    if job.state == Job.State.DONE:
        return RESULTS.get(job.kind, kept)(job)
    return Came(error=job.error, exit_code=None if job.state in Job.LIVE else NOT_RUN)


def kept(job: Job) -> Came:
    """What the job itself keeps."""
    return Came(job.result, exit_code=0)


def brought(job: Job) -> Came:
    """The receipt of an import."""
    upload = upload_of(job.corpus, job.params["upload"]) if job.corpus else None
    if upload is None:
        return Came(error="The receipt is no longer here: it is kept for a week.", exit_code=0)
    receipt = upload.receipt or upload.preview
    refused = upload.fault or (receipt and receipt["errors"])
    return Came(receipt, upload.fault, NOT_RUN if refused else 0)


def gated(job: Job) -> Came:
    """The report of a gate."""
    report = report_of(GateReport.objects.select_related(*OF_A_REPORT).get(pk=job.result["report"]))
    return Came(report.as_json(), exit_code=report.exit_code)


def verified(job: Job) -> Came:
    """What was found of a manifest."""
    return Came(job.result, exit_code=0 if job.result["agrees"] else DIFFERS)


DIFFERS, NOT_RUN = 1, 2
ASKED_WITH: Mapping[str, Collection[Scope]] = {
    IMPORT: {Scope.RUNS},
    gate_job.KIND: {Scope.GATE},
    set_exporting.KIND: {Scope.SETS},
    manifest_job.KIND: {Scope.MANIFEST},
}
"""Which scopes, by kind, ask for such a job: a token for live queries learns nothing of gates."""
OF_A_REPORT = ("set_version__corpus", "set_version__generation", "generation", "measured_by", "run")
RESULTS: Mapping[str, Callable[[Job], Came]] = {
    IMPORT: brought,
    gate_job.KIND: gated,
    manifest_job.KIND: verified,
}
