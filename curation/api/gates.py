"""Endpoints of the gate: asked for, and its reports as the command line prints them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router
from pydantic import AfterValidator, BaseModel, Field

from curation.access import LEADS
from curation.actions.gate_job import Build, ask_to_gate
from curation.actions.gating import K
from curation.api import shapes
from curation.api.answers import Words, answer, storable
from curation.api.doors import TokenDoor, entered
from curation.api.jobs import told
from curation.models import Corpus, Scope
from curation.models.measurements import DEEPEST
from curation.reports.gate_exports import as_junit, as_markdown
from curation.reports.gate_report import report_of, reports_of
from curation.reports.set_versions import set_versions
from curation.tasks import send

router = Router(tags=["gate"])
LISTED = 100
FORMS = {"junit": (as_junit, "application/xml"), "markdown": (as_markdown, "text/markdown")}


class GateAsked(BaseModel):
    """As the options of `manage.py gate`; the baseline is exact search, measured now."""

    set: Words = Field(description="the frozen set, as in hard@4")
    run: Words = Field(description="the name of a stored run")
    k: Annotated[int, Field(ge=1, le=DEEPEST, strict=True)] = K
    commit: Words = Field("", description="the build that is gated; kept with the report")
    manifest: Annotated[dict[str, Any], AfterValidator(storable)] = Field(
        {}, description="that of the candidate index; kept with the report"
    )


@router.post(
    "/corpora/{slug:slug}/gates",
    auth=TokenDoor(Scope.GATE),
    response={202: shapes.Job},
    operation_id="ask_to_gate",
    url_name="api_ask_to_gate",
)
def ask(request: HttpRequest, slug: str, asked: GateAsked) -> HttpResponse:
    """Gate a stored run in the background; the job tells the verdict as `exit_code`, and the report."""
    inside = entered(request)
    version = next((each for each in set_versions(inside.corpus) if str(each) == asked.set), None)
    run = inside.corpus.ranked_runs.filter(name=asked.run).first()
    if version is None or run is None:
        raise Http404(missing(inside.corpus, asked, is_set=version is None))
    build = Build(asked.commit, asked.manifest)
    job = ask_to_gate(version=version, run=run, k=asked.k, build=build, asked_by=inside.user, now=timezone.now())
    send(job.pk)
    return answer(told(job), status=202)


def missing(corpus: Corpus, asked: GateAsked, *, is_set: bool) -> str:
    """What is not there, and what is."""
    if is_set:
        known = ", ".join(map(str, set_versions(corpus)[:10])) or "none yet"
        return f"This corpus has no set version {asked.set}. Known: {known}."
    known = ", ".join(corpus.ranked_runs.order_by("-measured_at").values_list("name", flat=True)[:10]) or "none yet"
    return f"This corpus has no run called {asked.run}. Known: {known}."


@router.get(
    "/corpora/{slug:slug}/gates",
    auth=TokenDoor(Scope.READ, Scope.GATE, standings=LEADS),
    response=shapes.Gates,
    operation_id="gates",
    url_name="api_gates",
)
def listed(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest reports of the corpus, a hundred at most."""
    reports = reports_of(entered(request).corpus)[:LISTED]
    rows = [
        {
            "report": each.pk,
            "set": str(each.set_version),
            "run": each.run_name,
            "verdict": each.verdict,
            "measured_at": each.measured_at.isoformat(),
        }
        for each in reports
    ]
    return answer({"gates": rows})


class ReportAsked(BaseModel):
    """In which form."""

    format: Literal["json", "junit", "markdown"] = "json"


@router.get(
    "/corpora/{slug:slug}/gates/{int:report}",
    auth=TokenDoor(Scope.READ, Scope.GATE, standings=LEADS),
    response=shapes.GateReport,
    operation_id="gate_report",
    url_name="api_gate_report",
)
def one(request: HttpRequest, slug: str, *, report: int, asked: Query[ReportAsked]) -> HttpResponse:
    """One report: what `manage.py gate --json` printed, or its JUnit XML or Markdown."""
    found = report_of(get_object_or_404(reports_of(entered(request).corpus).defer(None), pk=report))
    if asked.format == "json":
        return answer(found.as_json())
    write, kind = FORMS[asked.format]
    return HttpResponse(write(found), content_type=f"{kind}; charset=utf-8")
