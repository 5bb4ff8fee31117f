"""Endpoints of indexes: the manifest that travels inside one."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Annotated

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from curation.actions.manifest_job import AT_ONCE, ask_to_verify
from curation.actions.manifests import Expected, verify_manifest, write_manifest
from curation.actions.refusal import Refused
from curation.api import shapes
from curation.api.answers import Problem, Words, answer, problem, storable
from curation.api.bodies import BYTES, JSON, Body, length_of, whole
from curation.api.doors import TokenDoor, entered
from curation.api.jobs import taken_on
from curation.formats.manifest import read_manifest
from curation.formats.manifest_configuration import order_in
from curation.indexes.base import IndexRefused
from curation.models import Corpus, Scope, TargetIndex
from curation.reports.index_names import index_named, spec_of
from curation.reports.manifests import bytes_hashed, home_of
from curation.retrieval.vector_files import read_rows

router = Router(tags=["indexes"])
A_MANIFEST = "/corpora/{slug:slug}/indexes/{str:index}/manifest"
LARGEST_CALIBRATION = 64 * 1024 * 1024
"""Bytes of a calibration sample that are hashed while the request waits; the command line takes more."""
ANY_OBJECT = {
    "requestBody": {
        "required": True,
        "description": "The manifest, version 2, as docs/formats.md describes it",
        "content": {JSON: {"schema": {"type": "object"}}},
    }
}
CALIBRATION = {
    "requestBody": {
        "required": True,
        "description": "The calibration sample as numpy.save writes it, at most 64 MiB",
        "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get(
    A_MANIFEST,
    auth=TokenDoor(Scope.READ, Scope.MANIFEST),
    response={200: dict, 404: Problem, 422: Problem},
    operation_id="manifest",
    url_name="api_manifest",
)
def shown(request: HttpRequest, slug: str, index: Words) -> HttpResponse:
    """The manifest that the index holds, read now; what `manage.py manifest show --json` prints."""
    found = home_of(index_of(entered(request).corpus, index)).read()
    if found is None:
        raise Http404(f"{index} holds no manifest; write one with PUT.")
    return answer(found.as_json())


@router.put(
    A_MANIFEST,
    auth=TokenDoor(Scope.MANIFEST),
    response={200: shapes.ManifestWritten, 404: Problem, 409: Problem, 422: Problem},
    operation_id="write_manifest",
    url_name="api_write_manifest",
    openapi_extra=ANY_OBJECT,
)
def write(request: HttpRequest, slug: str, index: Words) -> HttpResponse:
    """Write a manifest into the index; a changed hash that no gate report names is refused (409).

    A FAISS file above 1 GiB is refused (422), because it is hashed first: the command line takes it.
    """
    target = index_of(entered(request).corpus, index)
    if bytes_hashed(target) > AT_ONCE:
        return hashed_by_command(target, "write", "MANIFEST.json")
    given = read_manifest(request.body, name="The body")
    storable(given.as_json())
    try:
        change = write_manifest(index=target, given=given, calibration_rows=None, now=timezone.now())
    except Refused as refusal:
        return problem(409, str(refusal))
    return answer(change.as_json() | {"manifest": target.manifest})


class Configuration(Body):
    """The part of a search service's configuration that the manifest is held against, as far as it is given."""

    truncate_to: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] | None = None
    transform_order: list[Words] | None = Field(None, max_length=20)


@router.post(
    f"{A_MANIFEST}/verify",
    auth=TokenDoor(Scope.MANIFEST),
    response={200: shapes.ManifestVerified, 202: shapes.Job, 404: Problem, 422: Problem},
    operation_id="verify_manifest",
    url_name="api_verify_manifest",
)
def verify(request: HttpRequest, slug: str, *, index: Words, configuration: Configuration) -> HttpResponse:
    """Hold the manifest against its index and a configuration, as `manage.py manifest verify --json`.

    A FAISS file above 1 GiB is hashed by a job (202), whose result is the same.
    """
    inside, order = entered(request), configuration.transform_order
    expected = Expected(configuration.truncate_to, None if order is None else order_in(",".join(order)))
    target = index_of(inside.corpus, index)
    if bytes_hashed(target) <= AT_ONCE:
        return verified(target, expected)
    return taken_on(ask_to_verify(index=target, expected=expected, asked_by=inside.user, now=timezone.now()))


class ConfigurationAsked(BaseModel):
    """The same in an address, the steps with commas between them."""

    truncate_to: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    transform_order: Words | None = None


@router.post(
    f"{A_MANIFEST}/verify/sample",
    auth=TokenDoor(Scope.MANIFEST),
    response={200: shapes.ManifestVerified, 404: Problem, 413: Problem, 422: Problem},
    operation_id="verify_manifest_sample",
    url_name="api_verify_manifest_sample",
    openapi_extra=CALIBRATION,
)
def verify_anew(
    request: HttpRequest, slug: str, *, index: Words, configuration: Query[ConfigurationAsked]
) -> HttpResponse:
    """The same with the calibration sample as the body, whose scale and centre are hashed anew (`--sample`).

    Refused for a FAISS file above 1 GiB (422): the command line takes it, and `verify` has it hashed by a job.
    """
    target, order = index_of(entered(request).corpus, index), configuration.transform_order
    if bytes_hashed(target) > AT_ONCE:
        return hashed_by_command(target, "verify", "--sample FILE.npy")
    if length_of(request) > LARGEST_CALIBRATION:
        most = f"A calibration sample is taken here up to {LARGEST_CALIBRATION >> 20} MiB"
        return problem(413, f"{most}; use {command_of(target, 'verify', '--sample FILE.npy')}.")
    with TemporaryDirectory() as folder:
        calibration = Path(folder) / "sample.npy"
        with calibration.open("xb") as file:
            file.writelines(whole(request, most=LARGEST_CALIBRATION))
        rows = read_rows(calibration)
        return verified(target, Expected(configuration.truncate_to, None if order is None else order_in(order), rows))


def hashed_by_command(index: TargetIndex, verb: str, given: str) -> HttpResponse:
    """Why no request waits for the hash of so large a file, and the command that does the same."""
    told = f"The file of {index.name} holds {bytes_hashed(index) / AT_ONCE:.1f} GiB and is hashed whole, for which no"
    return problem(422, f"{told} request waits; use {command_of(index, verb, given)}.")


def command_of(index: TargetIndex, verb: str, given: str) -> str:
    """The command that does what is too much for a request."""
    return f"manage.py manifest {verb} {quote(spec_of(index))} {given}"


def verified(index: TargetIndex, expected: Expected) -> HttpResponse:
    """What holding the manifest of an index against `expected` found."""
    return answer(verify_manifest(index=index, expected=expected, now=timezone.now()).as_json())


def index_of(corpus: Corpus, name: str) -> TargetIndex:
    """The index of that name.

    Raises:
        Http404: the corpus has none.
    """
    try:
        return index_named(corpus, name)
    except IndexRefused as missing:
        raise Http404(str(missing)) from missing
