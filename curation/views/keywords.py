"""Keyword queries of the log: how many are drawn, from which strata, and what was left out."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from curation import tasks
from curation.access import CorpusRequest, members
from curation.actions import generations
from curation.actions.mining import last_draw
from curation.actions.refusal import Refused
from curation.forms.keywords import DrawForm
from curation.models import Miner, Role
from curation.reports.generations import mined_index
from curation.reports.keywords import mined_keywords


@members(Role.LEAD)
def mining_keywords(request: CorpusRequest) -> HttpResponse:
    """Show what the newest run made of the log; posted, mine it again with the numbers given."""
    index = mined_index(request.corpus)
    if index is None:
        messages.error(request, "This corpus has no index to mine yet; import its documents first.")
        return redirect("mining", request.corpus.slug)
    form = DrawForm(request.POST) if request.method == "POST" else DrawForm(asdict(last_draw(request.corpus)))
    if form.is_valid() and request.method == "POST":
        return mined(request, form)
    shown = {"form": form, "mined": mined_keywords(request.corpus), "lines": request.corpus.log_queries.count()}
    return render(request, "curation/mining_keywords.html", shown, status=422 if request.method == "POST" else 200)


def mined(request: CorpusRequest, form: DrawForm) -> HttpResponse:
    """Ask for the run and go to the page that shows it at work."""
    try:
        asked = generations.mine_now(
            corpus=request.corpus,
            miners=[Miner.SHORT_KEYWORD],
            asked_by=request.user,
            now=timezone.now(),
            draw=form.draw(),
        )
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("mining_keywords", request.corpus.slug)
    tasks.send(*(job.pk for job in asked))
    return redirect("mining", request.corpus.slug)
