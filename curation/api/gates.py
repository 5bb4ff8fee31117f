"""Endpoints of the gate: asked for, and its reports as the command line prints them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router
from pydantic import AfterValidator, BaseModel, Field

from curation.access import LEADS
from curation.actions.gate_job import Terms, ask_to_gate
from curation.actions.gating import MOST_COMMIT, K
from curation.actions.runs import EXACT
from curation.api import shapes
from curation.api.answers import Plain, Problem, Words, answer, storable
from curation.api.bodies import Body
from curation.api.doors import TokenDoor, entered
from curation.api.jobs import taken_on
from curation.api.pages import PageAsked, page_of
from curation.api.runs import run_of
from curation.models import Corpus, GateReport, Scope, SetVersion
from curation.models.measurements import DEEPEST
from curation.reports.gate_exports import as_junit, as_markdown
from curation.reports.gate_report import report_of, reports_of
from curation.reports.set_versions import set_versions

router = Router(tags=["gate"])
NAMED = 10
FORMS = {"junit": (as_junit, "application/xml"), "markdown": (as_markdown, "text/markdown")}


class GateAsked(Body):
    """As the options of `manage.py gate`."""

    set: Words = Field(description="the frozen set, as in hard@4")
    run: Words = Field(description="the name of a stored run")
    k: Annotated[int, Field(ge=1, le=DEEPEST, strict=True)] = K
    baseline: Words = Field(
        EXACT, description="exact: measured now; or the name of a stored run that carries its provenance"
    )
    commit: Plain = Field("", max_length=MOST_COMMIT, description="the build that is gated; kept with the report")
    manifest: Annotated[dict[str, Any], AfterValidator(storable)] = Field(
        {}, description="that of the candidate index; kept with the report"
    )


@router.post(
    "/corpora/{slug:slug}/gates",
    auth=TokenDoor(Scope.GATE),
    response={202: shapes.Job, 422: Problem},
    operation_id="ask_to_gate",
    url_name="api_ask_to_gate",
)
def ask(request: HttpRequest, slug: str, asked: GateAsked) -> HttpResponse:
    """Gate a stored run in the background; the job tells the verdict as `exit_code`, and the report."""
    inside = entered(request)
    job = ask_to_gate(
        version=version_named(inside.corpus, asked.set),
        terms=Terms(
            run_of(inside.corpus, asked.run),
            asked.k,
            None if asked.baseline == EXACT else run_of(inside.corpus, asked.baseline),
            asked.commit,
            asked.manifest,
        ),
        asked_by=inside.user,
        now=timezone.now(),
    )
    return taken_on(job)


def version_named(corpus: Corpus, spec: str) -> SetVersion:
    """The set version that is written so.

    Raises:
        Http404: the corpus has none.
    """
    versions = set_versions(corpus)
    found = next((each for each in versions if str(each) == spec), None)
    if found is None:
        known = ", ".join(map(str, versions[:NAMED])) or "none yet"
        raise Http404(f"This corpus has no set version {spec}. Known: {known}.")
    return found


@router.get(
    "/corpora/{slug:slug}/gates",
    auth=TokenDoor(Scope.READ, Scope.GATE, standings=LEADS),
    response=shapes.Gates,
    operation_id="gates",
    url_name="api_gates",
)
def listed(request: HttpRequest, slug: str, asked: Query[PageAsked]) -> HttpResponse:
    """The reports of the corpus, the newest first."""
    reports, following = page_of(request, asked, reports_of(entered(request).corpus), told=in_short)
    return answer({"gates": reports, "next": following})


def in_short(report: GateReport) -> dict[str, Any]:
    """A report for a list."""
    return {
        "report": report.pk,
        "set": str(report.set_version),
        "run": report.run_name,
        "verdict": report.verdict,
        "measured_at": report.measured_at.isoformat(),
    }


class ReportAsked(BaseModel):
    """In which form."""

    format: Literal["json", "junit", "markdown"] = "json"


@router.get(
    "/corpora/{slug:slug}/gates/{int:report}",
    auth=TokenDoor(Scope.READ, Scope.GATE, standings=LEADS),
    response={200: shapes.GateReport, 404: Problem, 422: Problem},
    operation_id="gate_report",
    url_name="api_gate_report",
)
def one(request: HttpRequest, slug: str, *, report: int, asked: Query[ReportAsked]) -> HttpResponse:
    """One report: what `manage.py gate --json` printed, or its JUnit XML or Markdown."""
    row = reports_of(entered(request).corpus).defer(None).filter(pk=report).first()
    if row is None:
        raise Http404(f"This corpus has no gate report {report}.")
    found = report_of(row)
    if asked.format == "json":
        return answer(found.as_json())
    write, kind = FORMS[asked.format]
    return HttpResponse(write(found), content_type=f"{kind}; charset=utf-8")
