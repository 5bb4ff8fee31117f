"""Jobs: their progress, as a page or as the fragment that polls, and their end at a lead's word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.access import CorpusRequest, members
from curation.actions import freeze_job, gate_job, jobs, manifest_job, mining, set_exporting
from curation.actions.refusal import Refused
from curation.models import Job, Miner, Role
from curation.reports import workers
from curation.reports.signs import as_told, is_cancel_asked
from curation.uploading import IMPORT

ENDED = "job-ended"
"""The event at which a page takes in what came of a job."""
CANCELS = {
    mining.KIND: "Cancel keeps what earlier runs found. What this run found so far is discarded.",
    freeze_job.KIND: "Cancel freezes nothing.",
    gate_job.KIND: "Cancel stores no report.",
    manifest_job.KIND: "Cancel verifies nothing.",
    set_exporting.KIND: "Cancel keeps nothing of what is packed so far.",
    IMPORT: "Cancel stores nothing of the file.",
}
CANCEL_LOOK = "Cancel ends the look. The file stays here, and nothing of it is stored."
HOMES = {
    mining.KIND: ("mining", "Mining"),
    freeze_job.KIND: ("sets", "Sets"),
    gate_job.KIND: ("gates", "Gate"),
    manifest_job.KIND: ("indexes", "Indexes"),
}


@members(Role.LEAD)
def job(request: CorpusRequest, job: int) -> HttpResponse:
    """One job; asked by htmx, its fragment alone, and the page hears of its end."""
    found = get_object_or_404(request.corpus.jobs, pk=job)
    template = "_job.html" if request.htmx else "curation/job.html"
    [card] = cards([found], poll=True)
    answer = render(request, template, card)
    if request.htmx and found.state not in Job.LIVE:
        answer["HX-Trigger"] = ENDED
    return answer


@members(Role.LEAD)
@require_POST
def job_cancel(request: CorpusRequest, job: int) -> HttpResponse:
    """End a job, and go back to where its work is shown."""
    found = get_object_or_404(request.corpus.jobs, pk=job)
    try:
        ended = jobs.cancel(job_id=found.pk, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        asked = ended.state in Job.LIVE
        messages.success(request, f"{title_of(found)}: {'it stops within seconds' if asked else 'cancelled'}.")
    if found.kind == mining.KIND:
        return redirect("mining", request.corpus.slug)
    return redirect("job", request.corpus.slug, found.pk)


def cards(found: Sequence[Job], *, poll: bool) -> list[dict[str, Any]]:
    """What `_job.html` takes of each job of a corpus; `poll` where each asks for itself."""
    waits = any(job.state == Job.State.QUEUED for job in found)
    silence = workers.silence(now=timezone.now()) if waits else ""
    return [{**card(job), "silence": silence, "poll": address("job", job) if poll else ""} for job in found]


def card(job: Job) -> dict[str, Any]:
    """One job's title, how far it is, and how it is cancelled."""
    return {
        "job": as_told(job),
        "stops": is_cancel_asked(job.pk),
        "title": title_of(job),
        "cancel": address("job_cancel", job),
        "cancel_words": cancel_words(job),
        "came": came_of(job),
        "home": home_of(job),
    }


def cancel_words(job: Job) -> str:
    """What becomes of the job's work where somebody cancels it."""
    if job.kind == IMPORT and job.params["step"] == "look":
        return CANCEL_LOOK
    return CANCELS.get(job.kind, "Cancel keeps what is stored so far.")


def home_of(job: Job) -> tuple[str, str] | None:
    """The page where such jobs are asked for, and what it is called; None where there is none."""
    if job.corpus is None or job.kind not in HOMES:
        return None
    route, name = HOMES[job.kind]
    return reverse(route, args=[job.corpus.slug]), name


def came_of(job: Job) -> tuple[str, str] | None:
    """Where what came of a job stands, and what it is called; None where it is not done or has no page of its own."""
    if job.corpus is None or job.state != Job.State.DONE:
        return None
    if job.kind == freeze_job.KIND:
        told = job.result
        return reverse("set_version", args=[job.corpus.slug, told["name"], told["number"]]), str(told["set"])
    if job.kind == gate_job.KIND:
        return reverse("gate", args=[job.corpus.slug, job.result["report"]]), "The report"
    return None


def address(name: str, job: Job) -> str:
    """Where a page of the job is."""
    if job.corpus is None:
        raise LookupError(f"Job {job.pk} belongs to no corpus and has no page.")
    return reverse(name, args=[job.corpus.slug, job.pk])


def title_of(job: Job) -> str:
    """What the job does, in words."""
    if job.kind == mining.KIND:
        return str(Miner(job.params["miner"]).label)
    if job.kind == freeze_job.KIND:
        frozen = job.state == Job.State.DONE
        return f"{job.result['set']} frozen" if frozen else f"Freeze {job.params['name']}"
    return job.kind.replace("_", " ").capitalize()
