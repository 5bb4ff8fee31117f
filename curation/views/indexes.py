"""The indexes of a corpus, and which of them is in production."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation import tasks
from curation.access import CorpusRequest, members
from curation.actions.index_run import ask_to_measure_index
from curation.actions.production import put_in_production
from curation.actions.refusal import Refused
from curation.models import Role, TargetIndex
from curation.reports.indexes_page import connected, indexes_of
from curation.reports.manifests import panel_of


@members(Role.LEAD)
def indexes(request: CorpusRequest) -> HttpResponse:
    """List them."""
    return render(request, "curation/indexes.html", {"rows": indexes_of(request.corpus)})


@members(Role.LEAD)
@require_POST
def index_measure(request: CorpusRequest, index: int) -> HttpResponse:
    """Ask for its run, and show the job that makes it."""
    found = get_object_or_404(connected(request.corpus), pk=index)
    try:
        job = ask_to_measure_index(index=found, asked_by=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("coverage", request.corpus.slug)
    tasks.send(job.pk)
    messages.success(request, f"{found.name} is measured now; the board shows its scores when that is done.")
    return redirect("job", request.corpus.slug, job.pk)


@members(Role.LEAD)
@require_POST
def index_production(request: CorpusRequest, index: int) -> HttpResponse:
    """Mine against this one from now on."""
    found = put_in_production(index=get_object_or_404(TargetIndex, corpus=request.corpus, pk=index))
    messages.success(request, f"{found.name} is in production: the next generation is mined against it.")
    if warning := panel_of(found).warning:
        messages.warning(request, warning)
    return redirect("indexes", request.corpus.slug)
