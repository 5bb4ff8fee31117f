"""How far the judges of a corpus agree: the same report as `manage.py agreement`."""

from __future__ import annotations

from typing import cast

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render

from curation.access import LEADS, CorpusRequest, members
from curation.measures.targets import COUNT_TARGETS
from curation.measures.targets import Use as UseName
from curation.models import Corpus, RankedRun, Use
from curation.reports.baseline import exact_run
from curation.reports.counts import DIMENSIONS
from curation.reports.coverage import CoverageRefused, Question
from curation.reports.picture import one_picture
from judging.reports.agreement import agreement

WHOLE, PAIR = ",".join(DIMENSIONS), ",".join(DIMENSIONS[:2])
CROSSINGS = ((WHOLE, "All five dimensions"), (PAIR, "Language pairs"))
LISTED = 100


@members(*LEADS)
@one_picture()
def agreement_page(request: CorpusRequest) -> HttpResponse:
    """The page; `?run=` names the run whose cells wrong grades could turn, exact search without it.

    Cells are crossed by `?by=`, read from `?use=` on, and filtered by any of the five dimensions.
    """
    runs = list(request.corpus.ranked_runs.order_by("name"))
    question = _question(request.GET, _run(request.corpus, runs, request.GET.get("run", "")))
    try:
        report = agreement(request.corpus, question)
    except CoverageRefused as refusal:
        raise Http404(str(refusal)) from refusal
    shown = {"report": report, "question": question, "runs": runs, "targets": COUNT_TARGETS, "crossings": CROSSINGS}
    return render(request, "judging/agreement.html", {**shown, "by": ",".join(question.by), "listed": LISTED})


def _question(given: QueryDict, run: RankedRun | None) -> Question:
    return Question(
        by=tuple(given.get("by", WHOLE).split(",")),
        use=cast("UseName", given.get("use", Use.GATE)),
        run=run,
        facets={facet: value for facet in DIMENSIONS if (value := given.get(facet))},
    )


def _run(corpus: Corpus, runs: list[RankedRun], asked: str) -> RankedRun | None:
    if not asked:
        return exact_run(corpus)
    found = next((run for run in runs if run.name == asked), None)
    if found is None:
        raise Http404(f"This corpus has no run called {asked}.")
    return found
