"""The board, and its export: the same report as `manage.py coverage`."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import cast

from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from curation.access import LEADS, CorpusRequest, members
from curation.measures.targets import Use as UseName
from curation.models import Corpus, RankedRun, TargetIndex, Use
from curation.reports.board import FACETS, Look, board
from curation.reports.cells import FOOTING, Cell
from curation.reports.counts import stratum_counts
from curation.reports.coverage import Coverage, CoverageRefused, Question, coverage
from curation.reports.error_strings import beside_log, error_shares
from curation.reports.indexes_page import connected
from curation.reports.log_mix import error_share
from curation.reports.picture import one_picture
from curation.reports.run_answers import no_run_called
from curation.reports.schedule import today_in
from curation.reports.written_next import written_next

SORTS = {"share": "traffic share", "worst": "worst first", "count": "count", "name": "name"}


@dataclass(frozen=True)
class Sources:
    """Where scores may come from: the runs there are, and the connected indexes, each measured or not yet."""

    corpus: Corpus
    runs: list[RankedRun]
    indexes: list[TargetIndex]

    @property
    def unmeasured(self) -> list[TargetIndex]:
        """Indexes without a run."""
        measured = {run.name for run in self.runs}
        return [index for index in self.indexes if index.name not in measured]

    def index(self, name: str) -> TargetIndex | None:
        """The connected index that a run of that name is of, or would be."""
        foreign = {run.name for run in self.runs if run.index_id not in {index.pk for index in self.indexes}}
        return next((index for index in self.indexes if index.name == name and name not in foreign), None)

    def run(self, name: str) -> RankedRun | None:
        """The run of that name; None for exact search or an index that was not measured yet.

        Raises:
            CoverageRefused: there is none.
        """
        run = next((run for run in self.runs if run.name == name), None)
        if run is None and name not in {"exact", *(index.name for index in self.indexes)}:
            raise CoverageRefused(no_run_called(self.corpus, name))
        return run


def question_of(sources: Sources, given: QueryDict) -> Question:
    """The question that the address asks; what it leaves out is asked at the gate target of exact search.

    Raises:
        CoverageRefused: the address names a run this corpus does not have.
    """
    counts_alone = given.get("show") == "counts"
    return Question(
        by=tuple(given.get("by", "query_language,corpus_language").split(",")),
        use=cast("UseName", given.get("use", Use.GATE)),
        run=None if counts_alone else sources.run(given.get("run") or "exact"),
        facets={facet: value for facet in FACETS if (value := given.get(facet))},
        beside=sources.run(second) if (second := given.get("beside")) and not counts_alone else None,
    )


def sources_of(corpus: Corpus) -> Sources:
    """Where the scores of a board may come from."""
    return Sources(corpus, list(RankedRun.objects.filter(corpus=corpus).order_by("name")), list(connected(corpus)))


def exact_run(corpus: Corpus) -> RankedRun | None:
    """The run of exact search, by which boards are read where nobody names another."""
    return RankedRun.objects.filter(corpus=corpus, name="exact").first()


@members(*LEADS)
def coverage_board(request: CorpusRequest) -> HttpResponse:
    """The board of a lead: counts first, scores only where they are readable, the worst cell above all."""
    sources = sources_of(request.corpus)
    look = Look(tuple(request.GET.get("cell", "").split(",")), request.GET.get("sort", "share"))
    try:
        question = question_of(sources, request.GET)
        answer = board(request.corpus, question, now=timezone.now(), look=look)
    except CoverageRefused as refusal:
        return render(request, "curation/coverage_refused.html", {"reason": str(refusal)}, status=400)
    request.stratum_counts = answer.counts
    shown = {
        "board": answer,
        "next": written_next(request.corpus, answer.counts, answer.coverage, shares=answer.shares, now=timezone.now()),
        "sources": sources,
        "index": sources.index(request.GET.get("run", "")),
        "question": question,
        "uses": Use.choices,
        "sorts": SORTS.items(),
        "asked": request.GET,
    }
    return render(request, "curation/coverage.html", shown)


@members(*LEADS)
def coverage_log(request: CorpusRequest) -> HttpResponse:
    """Codes and error messages in the set beside those in the newest log; asked by htmx, the fragment alone."""
    searched = error_share(request.corpus, today=today_in(request.corpus, timezone.now()))
    counted = error_shares(stratum_counts(request.corpus)) if searched else []
    template = "curation/_coverage_log.html" if request.htmx else "curation/coverage_log.html"
    return render(request, template, {"parts": beside_log(counted, searched)})


@members(*LEADS)
@one_picture()
def coverage_export(request: CorpusRequest) -> HttpResponse:
    """The cells of the board, as JSON (what `manage.py coverage --json` prints) or as CSV."""
    try:
        answer = coverage(request.corpus, question_of(sources_of(request.corpus), request.GET))
    except CoverageRefused as refusal:
        return JsonResponse({"error": str(refusal)}, status=400)
    if request.GET.get("format") != "csv":
        return JsonResponse(answer.as_json(), json_dumps_params={"ensure_ascii": False, "indent": 1})
    return as_csv(answer)


def as_csv(answer: Coverage) -> HttpResponse:
    """The cells as a spreadsheet reads them; a withheld score is an empty field."""
    written = io.StringIO()
    second = ("beside_score", "beside_low", "beside_high") if answer.beside else ()
    counts = ("n", "spellings", "ready", "coming", "no_answer")
    figures = (*counts, "score", "low", "high", *second, "ci_kind", "status", *FOOTING)
    writer = csv.DictWriter(written, [*answer.by, *figures])
    writer.writeheader()
    writer.writerows(map(csv_row, answer.cells))
    response = HttpResponse(written.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="coverage.csv"'
    return response


def csv_row(cell: Cell) -> dict[str, object]:
    """One cell: its JSON with every interval in two fields."""
    low, high = cell.ci or ("", "")
    shown = {name: value for name, value in cell.as_json().items() if name not in {"ci", "beside"}}
    if cell.beside is None:
        return {**shown, "low": low, "high": high}
    second = dict(zip(("beside_low", "beside_high"), cell.beside.ci or ("", ""), strict=True))
    return {**shown, "low": low, "high": high, "beside_score": cell.beside.score, **second}
