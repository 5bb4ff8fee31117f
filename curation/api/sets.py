"""Endpoints of set versions: listed, told with their certificate, and fetched as exports."""

from __future__ import annotations

from typing import Literal

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja import Query, Router

from curation.access import LEADS
from curation.actions import set_exporting
from curation.actions.refusal import Refused
from curation.api import shapes
from curation.api.answers import Problem, answer
from curation.api.doors import TokenDoor, entered
from curation.api.jobs import taken_on
from curation.api.pages import PageAsked, page_of
from curation.models import Corpus, Scope, SetVersion
from curation.reports.certificate import version_as_json
from curation.reports.set_versions import set_versions

router = Router(tags=["sets"])
Form = Literal["jsonl", "beir", "trec", "mteb", "ranx", "quepid", "opensearch", "hf"]
A_SET = "/corpora/{slug:slug}/sets/{slug:name}/{int:number}"
ZIP = {
    200: {"description": "A zip", "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get(
    "/corpora/{slug:slug}/sets",
    auth=TokenDoor(Scope.READ, standings=LEADS),
    response=shapes.FrozenSets,
    operation_id="sets",
    url_name="api_sets",
)
def sets(request: HttpRequest, slug: str, asked: Query[PageAsked]) -> HttpResponse:
    """The set versions of the corpus, the newest first, each with its certificate."""
    versions = set_versions(entered(request).corpus)
    found, following = page_of(request, asked, versions, told=version_as_json)
    return answer({"sets": found, "next": following})


@router.get(
    A_SET,
    auth=TokenDoor(Scope.READ, standings=LEADS),
    response={200: shapes.FrozenSet, 404: Problem},
    operation_id="set",
    url_name="api_set",
)
def one(request: HttpRequest, slug: str, *, name: str, number: int) -> HttpResponse:
    """One version with its certificate."""
    return answer(version_as_json(version_of(entered(request).corpus, name=name, number=number)))


@router.get(
    f"{A_SET}/export/{{str:form}}",
    auth=TokenDoor(Scope.SETS),
    response={404: Problem, 422: Problem},
    operation_id="set_export",
    url_name="api_set_export",
    openapi_extra={"responses": ZIP},
)
def fetch(request: HttpRequest, slug: str, *, name: str, number: int, form: Form) -> HttpResponseBase:
    """The zip of one layout; that of a large corpus is packed by a job first (POST)."""
    version, download = found(entered(request).corpus, name=name, number=number, form=form)
    if not download.is_ready:
        raise Http404("It is not packed yet; POST to this address has it packed.")
    try:
        stream = set_exporting.open_download(version, download)
    except Refused as gone:
        raise Http404("It is no longer here; POST to this address has it packed again.") from gone
    return FileResponse(stream, as_attachment=True, filename=f"{name}-{number}-{form}.zip")


@router.post(
    f"{A_SET}/export/{{str:form}}",
    auth=TokenDoor(Scope.SETS),
    response={202: shapes.Job, 404: Problem},
    operation_id="pack_set_export",
    url_name="api_pack_set_export",
)
def pack(request: HttpRequest, slug: str, *, name: str, number: int, form: Form) -> HttpResponse:
    """Have a layout packed in the background."""
    inside = entered(request)
    version, _ = found(inside.corpus, name=name, number=number, form=form)
    job = set_exporting.ask_export(version=version, form=form, asked_by=inside.user, now=timezone.now())
    return taken_on(job)


def version_of(corpus: Corpus, *, name: str, number: int) -> SetVersion:
    """The version of that name and number.

    Raises:
        Http404: the corpus has none.
    """
    version = set_versions(corpus).filter(name=name, number=number).first()
    if version is None:
        raise Http404(f"This corpus has no set version {name}@{number}.")
    return version


def found(corpus: Corpus, *, name: str, number: int, form: str) -> tuple[SetVersion, set_exporting.Download]:
    """The version and its download in one layout."""
    version = version_of(corpus, name=name, number=number)
    return version, next(each for each in set_exporting.downloads(version) if each.form == form)
