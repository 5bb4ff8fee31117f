"""How far the judges of a corpus agree: the same report as `manage.py agreement`."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render

from curation.access import CorpusRequest, members
from curation.models import Corpus, RankedRun, Role
from curation.reports.baseline import exact_run
from judging.reports.agreement import agreement


@members(Role.LEAD)
def agreement_page(request: CorpusRequest) -> HttpResponse:
    """The page; `?run=` names the run whose cells wrong grades could turn, exact search without it."""
    runs = list(request.corpus.ranked_runs.order_by("name"))
    run = _run(request.corpus, runs, request.GET.get("run", ""))
    report = agreement(request.corpus, run=run)
    return render(request, "judging/agreement.html", {"report": report, "runs": runs})


def _run(corpus: Corpus, runs: list[RankedRun], asked: str) -> RankedRun | None:
    if not asked:
        return exact_run(corpus)
    found = next((run for run in runs if run.name == asked), None)
    if found is None:
        raise Http404(f"This corpus has no run called {asked}.")
    return found
