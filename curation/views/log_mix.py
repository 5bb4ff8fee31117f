"""Traffic mix: what people search for beside what the set asks."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import date

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone

from curation.access import CorpusRequest, members
from curation.forms.log_mix import DaysForm
from curation.models import Role
from curation.reports.log_mix import LEAST_SEARCHES, LogMix, log_mix
from curation.reports.log_mix_rows import COLUMNS, as_json, rows
from curation.reports.log_period import PeriodRefused
from curation.reports.picture import one_picture
from curation.reports.schedule import today_in


@members(Role.LEAD)
def traffic_mix(request: CorpusRequest) -> HttpResponse:
    """One locale of the report, that of the most searches where none is chosen, over the days asked for."""
    form, status = DaysForm(request.GET), 200
    try:
        mix = mix_of(request, form)
    except PeriodRefused as refusal:
        form.add_error(None, str(refusal))
        mix = log_mix(request.corpus, today=today_in(request.corpus, timezone.now()))
    if form.errors:
        status = 422
    chosen = mix.of(request.GET.get("locale", "")) or next(iter(mix.locales), None)
    shown = {"mix": mix, "chosen": chosen, "form": form, "least": LEAST_SEARCHES}
    return render(request, "curation/log_mix.html", shown, status=status)


@members(Role.LEAD)
@one_picture()
def traffic_mix_export(request: CorpusRequest) -> HttpResponse:
    """The report as CSV, or as JSON: what `manage.py log_mix` writes."""
    try:
        mix = mix_of(request, DaysForm(request.GET))
    except PeriodRefused as refusal:
        return JsonResponse({"error": str(refusal)}, status=400)
    if request.GET.get("locale"):
        mix = replace(mix, locales=tuple(each for each in mix.locales if each.locale == request.GET["locale"]))
    if request.GET.get("format") == "json":
        return JsonResponse(as_json(mix), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="traffic-mix.csv"'
    writer = csv.DictWriter(response, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(mix))
    return response


def mix_of(request: CorpusRequest, form: DaysForm) -> LogMix:
    """The report over the days that the address names.

    Raises:
        PeriodRefused: they are out of order.
    """
    form.is_valid()
    days: dict[str, date | None] = {name: form.cleaned_data.get(name) for name in ("since", "until")}
    return log_mix(request.corpus, today=today_in(request.corpus, timezone.now()), **days)
