"""The board, and its export: the same report as `manage.py coverage`."""

from __future__ import annotations

import csv
import io
from typing import cast

from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from curation.access import CorpusRequest, members
from curation.measures.targets import Use as UseName
from curation.models import Corpus, RankedRun, Role, Use
from curation.reports.board import FACETS, board
from curation.reports.cells import FOOTING, Cell
from curation.reports.coverage import CoverageRefused, Question, coverage
from curation.reports.written_next import written_next


def question_of(runs: list[RankedRun], given: QueryDict) -> Question:
    """The question that the address asks; what it leaves out is asked at the gate target of exact search.

    Raises:
        Http404: the address names a run this corpus does not have.
    """
    name = given.get("run", "exact")
    run = next((run for run in runs if run.name == name), None)
    if run is None and "run" in given and name not in {"", "exact"}:
        raise Http404(f"This corpus has no run called {name}.")
    return Question(
        by=tuple(given.get("by", "query_language,corpus_language").split(",")),
        use=cast("UseName", given.get("use", Use.GATE)),
        run=None if given.get("show") == "counts" else run,
        facets={facet: value for facet in FACETS if (value := given.get(facet))},
    )


def runs_of(corpus: Corpus) -> list[RankedRun]:
    """The runs that a board may show the scores of."""
    return list(RankedRun.objects.filter(corpus=corpus).order_by("name"))


def exact_run(corpus: Corpus) -> RankedRun | None:
    """The run of exact search, by which boards are read where nobody names another."""
    return next((run for run in runs_of(corpus) if run.name == "exact"), None)


@members(Role.LEAD)
def coverage_board(request: CorpusRequest) -> HttpResponse:
    """The board of a lead: counts first, scores only where they are readable, the worst cell above all."""
    runs = runs_of(request.corpus)
    question = question_of(runs, request.GET)
    pair = request.GET.get("cell", "").split(",")
    chosen = (pair[0], pair[1]) if len(pair) == 2 else None
    try:
        answer = board(request.corpus, question, chosen=chosen)
    except CoverageRefused as refusal:
        return render(request, "curation/coverage_refused.html", {"reason": str(refusal)}, status=400)
    request.stratum_counts = answer.counts
    shown = {
        "board": answer,
        "next": written_next(request.corpus, answer.counts, answer.coverage, shares=answer.shares, now=timezone.now()),
        "runs": runs,
        "question": question,
        "uses": Use.choices,
        "asked": request.GET,
    }
    return render(request, "curation/coverage.html", shown)


@members(Role.LEAD)
def coverage_export(request: CorpusRequest) -> HttpResponse:
    """The cells of the board, as JSON (what `manage.py coverage --json` prints) or as CSV."""
    try:
        answer = coverage(request.corpus, question_of(runs_of(request.corpus), request.GET))
    except CoverageRefused as refusal:
        return JsonResponse({"error": str(refusal)}, status=400)
    if request.GET.get("format") != "csv":
        return JsonResponse(answer.as_json(), json_dumps_params={"ensure_ascii": False, "indent": 1})
    return as_csv(answer.by, answer.cells)


def as_csv(by: tuple[str, ...], cells: list[Cell]) -> HttpResponse:
    """The cells as a spreadsheet reads them; a withheld score is an empty field."""
    written = io.StringIO()
    figures = ("n", "ready", "no_answer", "score", "low", "high", "ci_kind", "status", *FOOTING)
    writer = csv.DictWriter(written, [*by, *figures])
    writer.writeheader()
    for cell in cells:
        low, high = cell.ci or ("", "")
        shown = {name: value for name, value in cell.as_json().items() if name != "ci"}
        writer.writerow({**shown, "low": low, "high": high})
    answer = HttpResponse(written.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="coverage.csv"'
    return answer
