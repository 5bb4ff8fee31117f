"""Text twins: the grades that they passed on, and where they contradict each other."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from curation.access import LEADS, CorpusRequest, members
from curation.reports.picture import one_picture
from curation.reports.twins import derived_for_twins, differing_twins


@members(*LEADS)
@one_picture()
def text_twins(request: CorpusRequest) -> HttpResponse:
    """List both, contradictions in relevance first."""
    found = {"differing": differing_twins(request.corpus), "derived": derived_for_twins(request.corpus)}
    return render(request, "judging/twins.html", found)
