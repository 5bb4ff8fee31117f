"""The indexes of a corpus, and which of them is in production."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from curation.access import CorpusRequest, members
from curation.actions.production import put_in_production
from curation.models import Role, TargetIndex
from curation.reports.indexes_page import indexes_of


@members(Role.LEAD)
def indexes(request: CorpusRequest) -> HttpResponse:
    """List them."""
    return render(request, "curation/indexes.html", {"rows": indexes_of(request.corpus)})


@members(Role.LEAD)
@require_POST
def index_production(request: CorpusRequest, index: int) -> HttpResponse:
    """Mine against this one from now on."""
    found = put_in_production(index=get_object_or_404(TargetIndex, corpus=request.corpus, pk=index))
    messages.success(request, f"{found.name} is in production: the next generation is mined against it.")
    return redirect("indexes", request.corpus.slug)
