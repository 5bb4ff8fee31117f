"""The plan, as a lead sees it: what each stratum shall hold, and who is asked to write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members
from curation.actions import plan as actions
from curation.actions.refusal import Refused
from curation.forms.assigning import AssignmentForm
from curation.forms.plan import RowForm, StratumForm
from curation.reports import plan as reports
from curation.reports.counts import DIMENSIONS
from curation.reports.coverage import Question
from curation.reports.picture import one_picture
from curation.templatetags.strata import cell_name, stratum_name
from curation.views.coverage import exact_run

ON_A_PAGE = 60


@members(*LEADS)
def plan(request: CorpusRequest) -> HttpResponse:
    """List the strata with what is planned; plan another one."""
    form = StratumForm(request.POST or None, initial=request.GET.dict())
    if form.is_valid():
        request.reach.require(form.key.query_language)
        try:
            stratum = actions.plan_stratum(corpus=request.corpus, key=form.key, numbers=form.numbers)
        except Refused as refusal:
            form.add_error("script", str(refusal))
        else:
            messages.success(request, f"{stratum.planned:,} planned: {stratum_name(stratum)}.")
            return to_plan(request)
    return plan_page(request, form)


@members(*LEADS)
@require_POST
def plan_save(request: CorpusRequest) -> HttpResponse:
    """Store what was changed in the rows of the page, all of it or nothing."""
    strata = request.corpus.strata.in_bulk(RowForm.keys_in(request.POST))
    request.reach.require(*{stratum.query_language for stratum in strata.values()})
    rows = {key: RowForm(request.POST, key=key, name=stratum_name(stratum)) for key, stratum in strata.items()}
    if any(row.errors for row in rows.values()):
        messages.error(request, "Nothing is stored: correct the marked rows.")
        return plan_page(request, StratumForm(), rows=rows)
    changes = {key: row.changes for key, row in rows.items() if row.has_changed()}
    changed = actions.replan(corpus=request.corpus, changes=changes)
    strata_words = "1 stratum" if changed == 1 else f"{changed:,} strata"
    messages.success(request, f"The plan of {strata_words} is changed." if changed else "Nothing was to be changed.")
    return to_plan(request)


@members(*LEADS)
@one_picture()
def plan_export(request: CorpusRequest) -> HttpResponse:
    """The plan as CSV (what `import_plan` reads), or as JSON (what `manage.py plan --json` prints)."""
    told = reports.planning_of(request.corpus, Question(run=exact_run(request.corpus)), now=timezone.now())
    if request.GET.get("format") != "csv":
        return JsonResponse(told.as_json(), json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer = HttpResponse(reports.plan_csv(told), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="plan.csv"'
    return answer


def plan_page(request: CorpusRequest, form: StratumForm, *, rows: Mapping[int, RowForm] | None = None) -> HttpResponse:
    """The plan with the form of its rows, the one that adds to it, and who is asked for what."""
    told = reports.planning_of(request.corpus, Question(run=exact_run(request.corpus)), now=timezone.now())
    request.stratum_counts = told.counts
    leads = request.reach.leads
    planned = reports.plan_of(request.corpus, told.counts)
    strata = [each for each in planned if leads(each.stratum.query_language)]
    chosen = request.GET.get("query_language", "")
    shown = [each for each in strata if chosen in {"", each.stratum.query_language}]
    page: Page[reports.Planned] = Paginator(shown, ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "rows": [(each, (rows or {}).get(each.stratum.pk) or row_form(each)) for each in page],
        "languages": sorted({each.stratum.query_language for each in strata}),
        "chosen": chosen,
        "planned": sum(each.stratum.planned for each in shown),
        "cost": told.cost.within({each.stratum.query_language for each in shown}),
        "asking": AssignmentForm(request.corpus, locales=request.reach.locales),
        **assigned_in(request, told),
    }
    return render(request, "curation/plan.html", context, status=422 if form.errors or rows else 200)


def assigned_in(request: CorpusRequest, told: reports.Planning) -> dict[str, Any]:
    """What people are asked to write in the `cell` that the address names, of the locales that the person leads."""
    cell = {name: value for name in DIMENSIONS if (value := request.GET.get(name))}
    held = [each for each in reports.assigned_with_places(told) if request.reach.leads(each[1]["query_language"])]
    assigned = [each for each in held if cell.items() <= each[1].items()]
    return {"assigned": assigned, "left": sum(each.left for each, _ in assigned), "cell": cell}


def row_form(each: reports.Planned) -> RowForm:
    """The form of a stratum as it is planned."""
    stratum = each.stratum
    now = {"planned": stratum.planned, "use": stratum.use, "priority": stratum.priority}
    return RowForm(key=stratum.pk, name=cell_name(each.dimensions), initial=now)


def to_plan(request: CorpusRequest) -> HttpResponse:
    """Back to the same part of the plan."""
    asked = request.GET.urlencode()
    return redirect(reverse("plan", args=[request.corpus.slug]) + (f"?{asked}" if asked else ""))
