"""Mining: the four families of the open generation, the generations, and their schedule."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateformat import format as in_words
from django.views.decorators.http import require_POST
from django_htmx.http import trigger_client_event

from curation import tasks
from curation.access import CorpusRequest, members
from curation.actions import generations
from curation.actions.mining import AS_BEFORE, Settings
from curation.actions.refusal import Refused
from curation.forms.mining import ScheduleForm
from curation.models import Job, Miner, Role
from curation.reports.comparison import compare
from curation.reports.generations import Mining, mined_index, mining_of
from curation.reports.partition import partition_of
from curation.reports.schedule import dates_shown, today_in
from curation.views.jobs import cards


@members(Role.LEAD)
def mining(request: CorpusRequest) -> HttpResponse:
    """The page; asked by htmx, what changes while runs are at work."""
    index = mined_index(request.corpus)
    report = mining_of(index) if index else None
    live = cards(report.live, poll=False) if report else []
    why_not = report.why_not_next(today_in(request.corpus, timezone.now())) if report else ""
    shown = {"mining": report, "live": live, "why_not": why_not}
    if not request.htmx:
        return render(request, "curation/mining.html", shown | whole(report))
    answer = render(request, "curation/_mining_runs.html", shown)
    if not live:
        # Only a page that watched a run asks for the fragment: the last one has ended just now.
        return trigger_client_event(answer, "announce", {"value": "Mining has ended."})
    return answer


def whole(report: Mining | None) -> dict[str, Any]:
    """What the page shows besides the runs: the newest generation against the one before, and the partition."""
    if report is None:
        return {}
    newest = [row.generation for row in report.generations[:2]]
    comparison = compare(newest[1], newest[0]) if len(newest) > 1 else None
    return {"comparison": comparison, "partition": partition_of(report.index.corpus)}


@members(Role.LEAD)
@require_POST
def mining_start(request: CorpusRequest) -> HttpResponse:
    """Ask for runs of the families named (of all four where none is) in the open generation."""
    miners = [Miner(name) for name in request.POST.getlist("miner") if name in Miner.values] or list(Miner)
    return mined_with(request, miners, AS_BEFORE, back_to="mining")


def mined_with(request: CorpusRequest, miners: list[Miner], settings: Settings, *, back_to: str) -> HttpResponse:
    """Ask for runs with a lead's numbers, and say so where that opened a generation.

    Refused, say why on the page they were given on.
    """
    try:
        asked, opened = generations.mine_or_open(
            corpus=request.corpus, miners=miners, asked_by=request.user, now=timezone.now(), settings=settings
        )
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect(back_to, request.corpus.slug)
    if opened:
        told = f"Generation {opened.number} of index {opened.index.name} opened: all four families are mined."
        messages.success(request, told)
    return started(request, asked)


@members(Role.LEAD)
@require_POST
def generation_start(request: CorpusRequest) -> HttpResponse:
    """Open the next generation with its four runs."""
    try:
        asked = generations.start_next(corpus=request.corpus, asked_by=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        asked = []
    return started(request, asked)


def started(request: CorpusRequest, asked: list[Job]) -> HttpResponse:
    """Hand the jobs to the workers and go back to the page that shows them."""
    tasks.send(*(job.pk for job in asked))
    return redirect("mining", request.corpus.slug)


@members(Role.LEAD)
def mining_schedule(request: CorpusRequest) -> HttpResponse:
    """Choose the day quarters count from, and the corpus' zone; the next dates are shown before they are saved."""
    index = mined_index(request.corpus)
    if index is None:
        messages.error(request, "This corpus has no index to mine yet; import its documents first.")
        return redirect("mining", request.corpus.slug)
    stored = {"anchor": index.remine_anchor, "time_zone": request.corpus.time_zone}
    form = ScheduleForm(request.POST or (request.GET if "anchor" in request.GET else stored))
    dates: list[date] = []
    if form.is_valid():
        if request.method == "POST":
            return rescheduled(request, form.cleaned_data)
        dates = dates_shown(index=index, anchor=form.cleaned_data["anchor"], now=timezone.now())
    template = "curation/_mining_dates.html" if request.htmx else "curation/mining_schedule.html"
    status = 422 if request.method == "POST" else 200
    return render(request, template, {"form": form, "index": index, "dates": dates}, status=status)


def rescheduled(request: CorpusRequest, chosen: dict[str, Any]) -> HttpResponse:
    """Store the anchor and the zone, and say when the next generation comes."""
    index = generations.reschedule(corpus=request.corpus, now=timezone.now(), **chosen)
    if index.remine_due_on:
        messages.success(request, f"Schedule saved. Next quarterly run {in_words(index.remine_due_on, 'l j F Y')}.")
    return redirect("mining", request.corpus.slug)
