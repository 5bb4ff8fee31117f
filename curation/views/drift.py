"""Drift: readings of the index in production and of those in the shadow stage."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.access import CorpusRequest, members
from curation.actions.drift import put_in_shadow
from curation.actions.refusal import Refused
from curation.models import Role, TargetIndex
from curation.reports.drift import drift_page
from curation.reports.swaps import swaps_of


@members(Role.LEAD)
def drift(request: CorpusRequest) -> HttpResponse:
    """Show charts, alarms, sources and rollbacks."""
    shown = {"page": drift_page(request.corpus, now=timezone.now()), "swaps": swaps_of(request.corpus)}
    return render(request, "curation/drift.html", shown)


@members(Role.LEAD)
@require_POST
def drift_shadow(request: CorpusRequest, index: int) -> HttpResponse:
    """Put a candidate into the shadow stage, or take it out."""
    found = get_object_or_404(TargetIndex, corpus=request.corpus, pk=index)
    into = request.POST.get("in_shadow") == "1"
    try:
        put_in_shadow(index=found, in_shadow=into)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        words = "is asked live queries beside production from now on" if into else "is asked no live queries any more"
        messages.success(request, f"{found.name} {words}.")
    return redirect("drift", request.corpus.slug)
