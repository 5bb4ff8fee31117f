"""Endpoints of ranked runs: brought in, and listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from curation.access import LEADS
from curation.actions.uploads import Sent, Upload, drop_upload, keep_upload
from curation.api import shapes
from curation.api.answers import MOST_DETAILS, Detail, Problem, Words, answer, problem
from curation.api.doors import TokenDoor, TokenRequest, entered
from curation.api.jobs import told
from curation.models import Scope
from curation.models.measurements import DEEPEST
from curation.tasks import send
from curation.uploading import ask_import, bring

router = Router(tags=["runs"])
AT_ONCE = 4 * 1024 * 1024
"""Bytes up to which a run is read while the request waits; a larger one becomes a job."""
BLOCK = 64 * 1024
KIND = "run"
A_FILE = {
    "requestBody": {
        "required": True,
        "description": "The file itself: TREC's six columns, a table with a header or JSON Lines, also gzipped",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class RunAsked(BaseModel):
    """As the options of `manage.py import_run`."""

    name: Words = Field(min_length=1, description="what boards and gates call the run")
    k: Annotated[int, Field(ge=1, le=DEEPEST)] | None = Field(None, description="documents to keep for each query")
    keep_good: bool = Field(default=False, description="store the good rows and list the others")


@router.get(
    "/corpora/{slug:slug}/runs",
    auth=TokenDoor(Scope.READ, Scope.RUNS, Scope.GATE, standings=LEADS),
    response=shapes.Runs,
    operation_id="runs",
    url_name="api_runs",
)
def listed(request: HttpRequest, slug: str) -> HttpResponse:
    """The runs of the corpus, the newest first."""
    rows = entered(request).corpus.ranked_runs.order_by("-measured_at", "-pk")
    runs = rows.values("name", "k", "sha256", "measured_at")
    return answer({"runs": [{**run, "measured_at": run["measured_at"].isoformat()} for run in runs]})


@router.post(
    "/corpora/{slug:slug}/runs",
    auth=TokenDoor(Scope.RUNS),
    response={200: shapes.Receipt, 202: shapes.Job, 422: shapes.RefusedRun, 413: Problem},
    operation_id="bring_run",
    url_name="api_bring_run",
    openapi_extra=A_FILE,
)
def brought_in(request: HttpRequest, slug: str, asked: Query[RunAsked]) -> HttpResponse:
    """Bring a run in under a name, in the place of an earlier one of that name; a large file becomes a job."""
    inside, now = entered(request), timezone.now()
    options = {"name": asked.name, **({"k": str(asked.k)} if asked.k else {})}
    size = int(request.META.get("CONTENT_LENGTH") or 0)
    if size > settings.UPLOAD_BYTES:
        raise RequestDataTooBig
    sent = Sent(KIND, size, blocks(inside))
    upload = keep_upload(corpus=inside.corpus, kind=KIND, sent=sent, options=options, now=now)
    if upload.size > AT_ONCE:
        step = "good" if asked.keep_good else "all"
        job = ask_import(corpus=inside.corpus, upload=upload, step=step, asked_by=inside.user, now=now)
        send(job.pk)
        return answer(told(job), status=202)
    return of_upload(bring(inside.corpus, upload, keep_good=asked.keep_good, now=now))


def blocks(request: TokenRequest) -> Iterator[bytes]:
    """The body, a block in memory at once."""
    while block := request.read(BLOCK):
        yield block


def of_upload(upload: Upload) -> HttpResponse:
    """The receipt; where nothing was stored, why, with the rows that were refused."""
    drop_upload(upload)
    if upload.receipt is not None:
        return answer(upload.receipt)
    rows = upload.preview["errors"] if upload.preview else []
    details = [Detail(where=f"line {row['line']} {row['id']}".strip(), reason=row["reason"]) for row in rows]
    return problem(422, upload.fault, details[:MOST_DETAILS], receipt=upload.preview)
