"""Endpoints of ranked runs: brought in, and listed."""

from __future__ import annotations

from typing import Annotated, Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from curation.access import LEADS
from curation.actions.runs import state_provenance
from curation.actions.uploads import Sent, Upload, drop_upload, keep_upload
from curation.api import shapes
from curation.api.answers import MOST_DETAILS, Detail, Problem, Words, answer, problem
from curation.api.bodies import BYTES, Body, length_of, whole
from curation.api.doors import TokenDoor, entered
from curation.api.jobs import taken_on
from curation.api.pages import PageAsked, page_of
from curation.formats.pairs import split_pairs
from curation.models import Corpus, RankedRun, Scope
from curation.models.measurements import DEEPEST
from curation.uploading import ask_import, bring, is_quick

router = Router(tags=["runs"])
AT_ONCE = 4 * 1024 * 1024
"""Bytes, unpacked, up to which a run is read while the request waits; a larger one becomes a job."""
KIND, NAMED = "run", 10
A_FILE = {
    "requestBody": {
        "required": True,
        "description": "The file itself: TREC's six columns, a table with a header or JSON Lines, also gzipped",
        "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
    }
}


class RunAsked(BaseModel):
    """As the options of `manage.py import_run`."""

    name: Words = Field(min_length=1, description="what boards and gates call the run")
    k: Annotated[int, Field(ge=1, le=DEEPEST)] | None = Field(None, description="documents to keep for each query")
    keep_good: bool = Field(default=False, description="store the good rows and list the others")
    production: bool = Field(default=False, description="answers of the production index: mined against from now on")
    map: list[Words] = Field(default=[], description="FIELD=COLUMN; may be given again", max_length=20)
    where: list[Words] = Field(default=[], description="COLUMN=VALUE; may be given again", max_length=20)

    @property
    def options(self) -> dict[str, str]:
        """The options as an upload keeps them.

        Raises:
            FileRefused: something is no pair, or stands twice.
        """
        pairs = {"columns": self.map, "where": self.where}
        for name, words in pairs.items():
            split_pairs(words, option="map" if name == "columns" else name)
        given = {"k": str(self.k or ""), "production": "yes" if self.production else ""}
        given |= {name: "\n".join(words) for name, words in pairs.items()}
        return {"name": self.name, **{name: value for name, value in given.items() if value}}


@router.get(
    "/corpora/{slug:slug}/runs",
    auth=TokenDoor(Scope.READ, Scope.RUNS, Scope.GATE, standings=LEADS),
    response=shapes.Runs,
    operation_id="runs",
    url_name="api_runs",
)
def listed(request: HttpRequest, slug: str, asked: Query[PageAsked]) -> HttpResponse:
    """The runs of the corpus, the newest first."""
    rows = entered(request).corpus.ranked_runs.order_by("-measured_at", "-pk")
    runs, following = page_of(request, asked, rows, told=in_short)
    return answer({"runs": runs, "next": following})


def in_short(run: RankedRun) -> dict[str, Any]:
    """A run for a list."""
    measured_at = run.measured_at.isoformat()
    return {
        "name": run.name,
        "k": run.k,
        "sha256": run.sha256,
        "provenance": run.provenance,
        "measured_at": measured_at,
    }


def run_of(corpus: Corpus, name: str) -> RankedRun:
    """The stored run of that name.

    Raises:
        Http404: the corpus has none.
    """
    runs = corpus.ranked_runs.select_related("corpus", "index").order_by("-measured_at", "-pk")
    found = runs.filter(name=name).first()
    if found is None:
        known = ", ".join(runs.values_list("name", flat=True)[:NAMED]) or "none yet"
        raise Http404(f"This corpus has no run called {name}. Known: {known}.")
    return found


class Provenance(Body):
    """What makes a run exact: the file that `manage.py export_run SLUG exact` writes beside it."""

    kind: Words = Field(description="exact_float32")
    encoder: Words
    revision: Words = ""
    dims: Annotated[int, Field(ge=1, le=1_000_000, strict=True)]
    native_dims: Annotated[int, Field(ge=1, le=1_000_000, strict=True)]
    space_sha256: Words = Field(description="of the vectors, which the corpus holds at full width")
    answers_sha256: Words = Field(
        "", description="of the answers, as the run's sha256; where given, it must be the same"
    )


@router.put(
    "/corpora/{slug:slug}/runs/{path:run}/provenance",
    auth=TokenDoor(Scope.RUNS),
    response={200: shapes.Run, 422: Problem},
    operation_id="state_provenance",
    url_name="api_state_provenance",
)
def provenance(request: HttpRequest, slug: str, *, run: Words, told: Provenance) -> HttpResponse:
    """State of a run brought in that it is exact search of an earlier day, so that a gate takes it for a baseline."""
    stored = run_of(entered(request).corpus, run)
    return answer(in_short(state_provenance(run=stored, told=told.model_dump(exclude_unset=True))))


@router.post(
    "/corpora/{slug:slug}/runs",
    auth=TokenDoor(Scope.RUNS),
    response={200: shapes.Receipt, 202: shapes.Job, 422: shapes.RefusedRun, 413: Problem},
    operation_id="bring_run",
    url_name="api_bring_run",
    openapi_extra=A_FILE,
)
def brought_in(request: HttpRequest, slug: str, asked: Query[RunAsked]) -> HttpResponse:
    """Bring a run in under a name, in the place of an earlier one of that name; a large file becomes a job (202)."""
    inside, now = entered(request), timezone.now()
    sent = Sent(KIND, length_of(request), whole(request, most=settings.UPLOAD_BYTES))
    upload = keep_upload(corpus=inside.corpus, kind=KIND, sent=sent, options=asked.options, now=now)
    if is_quick(upload, most=AT_ONCE):
        return of_upload(bring(inside.corpus, upload, keep_good=asked.keep_good, now=now))
    step = "good" if asked.keep_good else "all"
    return taken_on(ask_import(corpus=inside.corpus, upload=upload, step=step, asked_by=inside.user, now=now))


def of_upload(upload: Upload) -> HttpResponse:
    """The receipt; where nothing was stored, why, with the rows that were refused."""
    drop_upload(upload)
    if upload.receipt is not None:
        return answer(upload.receipt)
    rows = upload.preview["errors"] if upload.preview else []
    details = [Detail(where=f"line {row['line']} {row['id']}".strip(), reason=row["reason"]) for row in rows]
    return problem(422, upload.fault, details[:MOST_DETAILS], receipt=upload.preview)
