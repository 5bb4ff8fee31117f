"""Rare terms of the corpus: in how many articles one may stand, and what the newest run found."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from curation.access import CorpusRequest, members
from curation.actions.mining import Settings, last_below
from curation.forms.mining import RareTermsForm
from curation.models import Miner, Role
from curation.reports.generations import mined_index
from curation.reports.rare_terms import mined_terms
from curation.views.mining import mined_with


@members(Role.LEAD)
def mining_rare_terms(request: CorpusRequest) -> HttpResponse:
    """Show what the newest run found; posted, mine again with the limit given."""
    if mined_index(request.corpus) is None:
        messages.error(request, "This corpus has no index to mine yet; import its documents first.")
        return redirect("mining", request.corpus.slug)
    posted = request.method == "POST"
    form = RareTermsForm(request.POST if posted else {"below": last_below(request.corpus)})
    if form.is_valid() and posted:
        settings = Settings(below=form.cleaned_data["below"])
        return mined_with(request, [Miner.RARE_ENTITY], settings, back_to="mining_rare_terms")
    shown = {"form": form, "mined": mined_terms(request.corpus)}
    return render(request, "curation/mining_rare_terms.html", shown, status=422 if posted else 200)
