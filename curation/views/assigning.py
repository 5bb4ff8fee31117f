"""Who writes how much, as a lead says it."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members
from curation.actions import assigning as actions
from curation.actions.refusal import Refused
from curation.forms.assigning import AssignmentForm, MonthForm, PathForm, hours_in
from curation.forms.faults import faults_of
from curation.measures.targets import Use as UseName
from curation.models import RankedRun, Role, WritingAssignment
from curation.reports.coverage import Question
from curation.reports.plan import beyond_plan, planning_of
from curation.reports.run_words import queries
from curation.reports.schedule import today_in
from curation.reports.team import booked_in, month_of
from curation.retrieval.locales import language_name
from curation.templatetags.strata import stratum_name


@members(Role.LEAD)
@require_POST
def plan_assign_all(request: CorpusRequest) -> HttpResponse:
    """Ask for everything that the table of what to write next lacks."""
    form, now = PathForm(request.POST), timezone.now()
    if not form.is_valid():
        messages.error(request, faults_of(form))
        return redirect("coverage", request.corpus.slug)
    run = RankedRun.objects.filter(corpus=request.corpus, name=form.cleaned_data["run"]).first()
    question = Question(use=cast("UseName", form.cleaned_data["use"]), run=run)
    table = planning_of(request.corpus, question, now=now).next
    asked = actions.assign_path(corpus=request.corpus, table=table, assigned_by=request.user, now=now)
    messages.success(request, asked_in_words(asked))
    return redirect(f"{reverse('plan', args=[request.corpus.slug])}#assigned")


def asked_in_words(asked: actions.Asked) -> str:
    """What became of it, in one or two sentences."""
    people = "1 person" if asked.people == 1 else f"{asked.people:,} people"
    are = "is" if asked.queries == 1 else "are"
    told = f"{queries(asked.queries)} {are} assigned to {people}."
    told = told if asked.queries else "Nothing more was to be assigned."
    if asked.nobody:
        told += f" Nobody writes {', '.join(language_name(locale) for locale in asked.nobody)} yet."
    return told


@members(*LEADS)
@require_POST
def plan_assign(request: CorpusRequest) -> HttpResponse:
    """Ask one person for queries of one stratum."""
    form = AssignmentForm(request.corpus, request.POST)
    if not form.is_valid():
        messages.error(request, faults_of(form))
    else:
        request.reach.require(form.cleaned_data["stratum"].query_language)
        now = timezone.now()
        try:
            made = actions.assign(**form.cleaned_data, assigned_by=request.user, now=now)
        except Refused as refusal:
            messages.error(request, str(refusal))
        else:
            words = f"{queries(made.count)} assigned to {made.person}: {stratum_name(made.stratum)}."
            messages.success(request, words)
            if remark := beyond_plan(made.stratum, now=now):
                messages.warning(request, remark)
    return redirect(f"{reverse('plan', args=[request.corpus.slug])}#assigned")


@members(*LEADS)
@require_POST
def plan_withdraw(request: CorpusRequest, asked: int) -> HttpResponse:
    """Take an assignment back."""
    theirs = WritingAssignment.objects.select_related("stratum").filter(stratum__corpus=request.corpus)
    held = get_object_or_404(theirs, pk=asked)
    request.reach.require(held.stratum.query_language)
    found = actions.withdraw(assignment=held, now=timezone.now())
    messages.success(request, f"Withdrawn from {found.person}: {stratum_name(found.stratum)}. What is written stays.")
    return redirect(f"{reverse('plan', args=[request.corpus.slug])}#assigned")


@members(Role.LEAD)
def plan_hours(request: CorpusRequest) -> HttpResponse:
    """The hours that people have in a month; book them."""
    form, now = MonthForm(request.POST if request.method == "POST" else request.GET), timezone.now()
    month = form.cleaned_data["month"] if form.is_valid() else month_of(today_in(request.corpus, now))
    status = 200
    if request.method == "POST":
        try:
            if form.errors:
                raise Refused(faults_of(form))
            actions.book_hours(corpus=request.corpus, month=month, hours=hours_in(request.POST), now=now)
        except ValueError as refusal:
            messages.error(request, str(refusal))
            status = 422
        else:
            messages.success(request, f"Hours of {month:%B %Y} are booked.")
            return redirect(f"{reverse('plan_hours', args=[request.corpus.slug])}?month={month:%Y-%m}")
    elif request.GET.get("month") and form.errors:
        messages.error(request, faults_of(form))
        status = 422
    shown = {"month": month, "people": booked_in(request.corpus, month)}
    return render(request, "curation/plan_hours.html", shown, status=status)
