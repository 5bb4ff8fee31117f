"""Gates: the reports of a corpus, one of them whole, a run gated again, and what a lead waives."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation import registry, tasks
from curation.access import LEADS, CorpusRequest, members
from curation.actions import gate_job, waiving
from curation.actions.floors import set_floors
from curation.actions.refusal import Refused
from curation.actions.unjudged import ORIGIN, Unjudged, send_unjudged
from curation.forms.gate import FloorsForm, GateForm, WaiverForm
from curation.measures.refusals import MeasureRefused
from curation.models import GateReport, Job, Role, Waiver
from curation.reports import gate_words
from curation.reports.drift import drift_beside
from curation.reports.gate_exports import as_junit, as_markdown
from curation.reports.gate_floors import floor_changes, floors_of
from curation.reports.gate_queries import queries_named, unjudged_rows
from curation.reports.gate_report import Report, report_of, reports_of, run_again
from curation.reports.manifests import panel_of_report
from curation.reports.schedule import today_in
from curation.reports.waivers import waivers_of
from curation.views.hard_negatives import the_pools
from curation.views.jobs import cards

SHOWN, CHANGES = 50, 10
MARKED = "What is wrong stands under its field."


@members(*LEADS)
def gates(request: CorpusRequest) -> HttpResponse:
    """The newest reports, what is at work, the waivers, and the form that gates a run."""
    return the_page(request)


def the_page(request: CorpusRequest, **asked: Form) -> HttpResponse:
    """The page; with `form`, `waiver` or `floors_form` as somebody filled it in, and what is wrong under its fields."""
    corpus = request.corpus
    live = corpus.jobs.filter(kind=gate_job.KIND, state__in=Job.LIVE).select_related("corpus")
    failed = corpus.jobs.filter(kind=gate_job.KIND).select_related("corpus").order_by("-pk")[:1]
    shown = [*live, *(job for job in failed if job.state == Job.State.FAILED)]
    subject = {"subject": request.GET.get("waive", "")}
    forms: dict[str, Any] = {"floors": floors_of(corpus), "floor_changes": floor_changes(corpus)[:CHANGES]}
    if request.reach.leads_all:
        own = {"waiver": WaiverForm(corpus=corpus, initial=subject), "floors_form": FloorsForm(corpus=corpus)}
        forms |= {"form": GateForm(corpus=corpus), **own, **asked}
    forms["live"] = bool(live)
    rows = {"reports": reports_of(corpus)[:SHOWN], "jobs": cards(shown, poll=True), "waivers": waivers_of(corpus)}
    told = {**rows, **forms, "today": today_in(corpus, timezone.now())}
    return render(request, "curation/gates.html", told, status=422 if asked else 200)


@members(Role.LEAD)
@require_POST
def gate_floors(request: CorpusRequest) -> HttpResponse:
    """Set the floors that the corpus's gates hold from now on."""
    form = FloorsForm(request.POST, corpus=request.corpus)
    if not form.is_valid():
        messages.error(request, f"The floors stay as they were. {MARKED}")
        return the_page(request, floors_form=form)
    told = {"reason": form.cleaned_data["reason"], "by": request.user, "now": timezone.now()}
    try:
        set_floors(corpus=request.corpus, levels=form.levels, **told)
    except (MeasureRefused, Refused) as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, "The floors are stored. They hold from the next run on; reports keep theirs.")
    return redirect("gates", request.corpus.slug)


@members(*LEADS)
def gate(request: CorpusRequest, report: int) -> HttpResponse:
    """One report."""
    told = the_report(request, report)
    can_send = registry.pools() is not None and request.reach.leads_all
    shown: dict[str, Any] = {"told": told, "can_send": can_send, "title": gate_words.title(told)}
    beside = {"manifest": panel_of_report(told.report), "drift": drift_beside(told.report, now=timezone.now())}
    named = queries_named(told)
    shown |= {"again": run_again(told.report), "named": named, "unjudged": unjudged_rows(told, named)}
    return render(request, "curation/gate.html", {**shown, **beside})


@members(*LEADS)
def gate_json(request: CorpusRequest, report: int) -> HttpResponse:
    """The report as a file, byte for byte what `manage.py gate` gives: JSON, or the `?format=` that CI takes."""
    told = the_report(request, report)
    write, kind, ending = FORMS.get(request.GET.get("format", ""), FORMS["json"])
    answer = HttpResponse(write(told), content_type=f"{kind}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="gate-{told.report.pk}.{ending}"'
    return answer


def in_json(told: Report) -> str:
    """What `--json` prints."""
    return json.dumps(told.as_json(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


FORMS: Mapping[str, tuple[Callable[[Report], str], str, str]] = {
    "json": (in_json, "application/json", "json"),
    "junit": (as_junit, "application/xml", "xml"),
    "markdown": (as_markdown, "text/markdown", "md"),
}


@members(Role.LEAD)
@require_POST
def gate_run(request: CorpusRequest) -> HttpResponse:
    """Gate a stored run, in the background."""
    form = GateForm(request.POST, request.FILES, corpus=request.corpus)
    if not form.is_valid():
        messages.error(request, f"Nothing was gated. {MARKED}")
        return the_page(request, form=form)
    version = form.cleaned_data["version"]
    try:
        job = gate_job.ask_to_gate(version=version, terms=form.gated, asked_by=request.user, now=timezone.now())
    except Refused as refusal:  # the corpus moved since the form was read
        messages.error(request, str(refusal))
    else:
        tasks.send(job.pk)
    return redirect("gates", request.corpus.slug)


@members(Role.LEAD)
@require_POST
def gate_send(request: CorpusRequest, report: int) -> HttpResponse:
    """Send what the run found and nobody judged to the judges."""
    pools, told = the_pools(), the_report(request, report)
    sent = send_unjudged(report=told.report, waiting=pools.waiting, send=partial(send, pools))
    left = f" {sent.left:,} more are left for the next time." if sent.left else ""
    messages.success(request, f"Sent to the judges: {sent.sent:,}.{left}")
    if sent.refused:
        messages.error(request, f"Not sent: {len(sent.refused):,}. {sent.refused[0]}")
    return redirect("gate", request.corpus.slug, told.report.pk)


def send(pools: registry.Pools, each: Unjudged) -> None:
    """Offer one document for judging."""
    pools.send(query=each.query, document=each.document, origin=ORIGIN, now=timezone.now())


@members(Role.LEAD)
@require_POST
def gate_waive(request: CorpusRequest) -> HttpResponse:
    """Waive a subject until a date."""
    form = WaiverForm(request.POST, corpus=request.corpus)
    if not form.is_valid():
        messages.error(request, f"Nothing was waived. {MARKED}")
        return the_page(request, waiver=form)
    try:
        waiver = waiving.grant(corpus=request.corpus, terms=form.terms, by=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"Waived until {waiver.until}: {waiver.subject}. It counts for the next run.")
    return redirect("gates", request.corpus.slug)


@members(Role.LEAD)
@require_POST
def gate_waiver_withdraw(request: CorpusRequest, waiver: int) -> HttpResponse:
    """Let a floor count again."""
    found = get_object_or_404(Waiver.objects.select_related("corpus"), corpus=request.corpus, pk=waiver)
    waiving.withdraw(waiver=found, by=request.user, now=timezone.now())
    messages.success(request, f"Withdrawn: {found.subject} counts again from the next run.")
    return redirect("gates", request.corpus.slug)


def the_report(request: CorpusRequest, report: int) -> Report:
    """A report of the corpus, whole; 404 where it is none."""
    rows = GateReport.objects.select_related(
        "set_version__corpus", "set_version__generation", "generation", "measured_by", "run__index"
    )
    return report_of(get_object_or_404(rows, set_version__corpus=request.corpus, pk=report))
