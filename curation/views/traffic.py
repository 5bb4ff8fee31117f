"""Traffic shares, as a lead states them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.access import CorpusRequest, members
from curation.actions.refusal import Refused
from curation.actions.traffic import Statement, state_from_log, state_traffic
from curation.forms.traffic import LogDaysForm, SharesForm, as_lines
from curation.models import Role, TrafficReading
from curation.reports.desk import locales_of
from curation.reports.traffic import readings, traffic_shares


@members(Role.LEAD)
def traffic(request: CorpusRequest) -> HttpResponse:
    """The shares in use and those before; state new ones."""
    form = SharesForm(request.POST or None, initial={"shares": as_lines(shown_shares(request))})
    if form.is_valid():
        given = form.cleaned_data
        statement = Statement(given["shares"], TrafficReading.Source.TYPED, given["note"], given["as_of"])
        try:
            reading = state_traffic(
                corpus=request.corpus, statement=statement, now=timezone.now(), stated_by=request.user
            )
        except Refused as refusal:
            form.add_error("shares", str(refusal))
        else:
            return stated(request, reading)
    return traffic_page(request, form, LogDaysForm())


@members(Role.LEAD)
@require_POST
def traffic_log(request: CorpusRequest) -> HttpResponse:
    """State the shares of searches in the imported log."""
    form = LogDaysForm(request.POST)
    if form.is_valid():
        days = form.cleaned_data
        try:
            reading = state_from_log(corpus=request.corpus, **days, now=timezone.now(), stated_by=request.user)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return stated(request, reading)
    return traffic_page(request, SharesForm(initial={"shares": as_lines(shown_shares(request))}), form)


def shown_shares(request: CorpusRequest) -> dict[str, float]:
    """The shares in use, and every other locale of the corpus with none."""
    shares = traffic_shares(request.corpus)
    return shares | {locale: 0.0 for locale in locales_of(request.corpus) if locale not in shares}


def stated(request: CorpusRequest, reading: TrafficReading) -> HttpResponse:
    """Back to the page, which says whether the new reading is the one that counts."""
    held = readings(request.corpus)
    newest, own = held[0], next(each for each in held if each.pk == reading.pk)
    told = f"Traffic as of {reading.as_of:%d %b %Y} is kept"
    if newest.pk == reading.pk:
        messages.success(request, f"{told} and counts from now on.")
    else:
        messages.warning(request, f"{told}; the shares as of {newest.as_of:%d %b %Y} are newer and stay in use.")
        if own.remark:
            messages.warning(request, own.remark)
    return redirect("traffic", request.corpus.slug)


def traffic_page(request: CorpusRequest, form: SharesForm, days: LogDaysForm) -> HttpResponse:
    """The page with its two forms and every reading."""
    held = readings(request.corpus)
    context = {"form": form, "days": days, "readings": held, "remark": held[0].remark if held else ""}
    return render(request, "curation/traffic.html", context, status=422 if form.errors or days.errors else 200)
