"""The plan, as a lead sees it: what each stratum shall hold."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from curation.access import CorpusRequest, members
from curation.actions import plan as actions
from curation.actions.refusal import Refused
from curation.forms.faults import faults_of
from curation.forms.plan import PlannedForm, StratumForm
from curation.models import Role, Stratum, Use
from curation.reports import plan as reports
from curation.templatetags.strata import stratum_name

ON_A_PAGE = 60


@members(Role.LEAD)
def plan(request: CorpusRequest) -> HttpResponse:
    """List the strata with what is planned; plan another one."""
    form = StratumForm(request.POST or None)
    if form.is_valid():
        numbers = {"use": Use(form.cleaned_data["use"]), "planned": form.cleaned_data["planned"]}
        try:
            stratum = actions.plan_stratum(corpus=request.corpus, key=form.key, **numbers)
        except Refused as refusal:
            form.add_error("script", str(refusal))
        else:
            messages.success(request, f"{stratum.planned} planned: {stratum_name(stratum)}.")
            return to_plan(request)
    return plan_page(request, form)


@members(Role.LEAD)
@require_POST
def plan_change(request: CorpusRequest, stratum: int) -> HttpResponse:
    """Change what is planned for a stratum."""
    found = get_object_or_404(Stratum, corpus=request.corpus, pk=stratum)
    form = PlannedForm(request.POST)
    if form.is_valid():
        changed = actions.replan(stratum=found, use=Use(form.cleaned_data["use"]), planned=form.cleaned_data["planned"])
        messages.success(request, f"{changed.planned} planned: {stratum_name(changed)}.")
    else:
        messages.error(request, faults_of(form))
    return to_plan(request)


def plan_page(request: CorpusRequest, form: StratumForm) -> HttpResponse:
    """The plan with the form that adds to it."""
    rows = reports.plan_of(request.corpus)
    languages = sorted({row.stratum.query_language for row in rows})
    chosen = request.GET.get("query_language", "")
    shown = [row for row in rows if chosen in {"", row.stratum.query_language}]
    context = {
        "form": form,
        "page": Paginator(shown, ON_A_PAGE).get_page(request.GET.get("page")),
        "languages": languages,
        "chosen": chosen,
        "uses": Use.choices,
        "planned": sum(row.stratum.planned for row in shown),
    }
    return render(request, "curation/plan.html", context, status=422 if form.errors else 200)


def to_plan(request: CorpusRequest) -> HttpResponse:
    """Back to the same part of the plan."""
    asked = request.GET.urlencode()
    return redirect(reverse("plan", args=[request.corpus.slug]) + (f"?{asked}" if asked else ""))
