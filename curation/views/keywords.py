"""Keyword queries of the log: how many are drawn, from which strata, and what was left out."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from curation.access import CorpusRequest, members
from curation.actions.mining import Settings, last_draw
from curation.forms.keywords import DrawForm
from curation.models import Miner, Role
from curation.reports.generations import mined_index
from curation.reports.keywords import mined_keywords
from curation.views.mining import mined_with


@members(Role.LEAD)
def mining_keywords(request: CorpusRequest) -> HttpResponse:
    """Show what the newest run made of the log; posted, mine it again with the numbers given."""
    index = mined_index(request.corpus)
    if index is None:
        messages.error(request, "This corpus has no index to mine yet; import its documents first.")
        return redirect("mining", request.corpus.slug)
    form = DrawForm(request.POST) if request.method == "POST" else DrawForm(asdict(last_draw(request.corpus)))
    if form.is_valid() and request.method == "POST":
        settings = Settings(draw=form.draw())
        return mined_with(request, [Miner.SHORT_KEYWORD], settings, back_to="mining_keywords")
    shown = {"form": form, "mined": mined_keywords(request.corpus), "lines": request.corpus.log_queries.count()}
    return render(request, "curation/mining_keywords.html", shown, status=422 if request.method == "POST" else 200)
