"""My work: each person's first page."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from curation.access import CorpusRequest, PersonRequest, members, signed_in
from curation.models import Corpus


@signed_in
def my_work(request: PersonRequest) -> HttpResponse:
    """Send a member of one corpus to their work there; offer the choice to a member of several."""
    corpora = list(Corpus.objects.filter(memberships__user=request.user).distinct().order_by("name"))
    if len(corpora) == 1:
        return redirect("home", corpora[0].slug)
    return render(request, "judging/corpora.html", {"corpora": corpora})


@members()
def home(request: CorpusRequest) -> HttpResponse:
    """What the person does next in this corpus."""
    return render(request, "judging/home.html")
