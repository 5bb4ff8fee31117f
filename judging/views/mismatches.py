"""The documents that judges flagged, for whoever looks after the corpus."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from curation.access import CorpusRequest, members
from curation.models import Role
from judging.reports.mismatches import standing


@members(Role.LEAD)
def mismatches(request: CorpusRequest) -> HttpResponse:
    """List them, the newest first."""
    return render(request, "judging/mismatches.html", {"flags": standing(request.corpus)})
