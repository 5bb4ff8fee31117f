"""A set version as a download: GET fetches the zip, POST has a large one packed."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from curation.access import CorpusRequest, members
from curation.actions import set_exporting
from curation.actions.refusal import Refused
from curation.formats.faults import WriteRefused
from curation.models import Role, SetVersion
from curation.reports.set_content import SetBelied
from curation.tasks import send


@members(Role.LEAD)
@require_http_methods(["GET", "HEAD", "POST"])
def set_export(request: CorpusRequest, *, name: str, number: int, form: str) -> HttpResponseBase:
    """The zip of one layout; where it cannot hold the set, a page that says why."""
    versions = SetVersion.objects.select_related("corpus", "generation")
    version = get_object_or_404(versions, corpus=request.corpus, name=name, number=number)
    found = {download.form: download for download in set_exporting.downloads(version)}
    if form not in found:
        raise Http404("Sets are not written in such a layout.")
    if request.method == "POST":
        return ask(request, version, form)
    if not found[form].is_ready:
        raise Http404("It is not packed yet; ask for it on the set's page.")
    try:
        stream = set_exporting.open_download(version, found[form])
    except Refused as gone:
        raise Http404(str(gone)) from gone
    except (SetBelied, WriteRefused) as refusal:
        told = {"version": version, "layout": found[form].layout, "refusal": refusal, "back": page_of(request)}
        return render(request, "curation/set_export.html", told, status=409)
    return FileResponse(stream, as_attachment=True, filename=f"{name}-{number}-{form}.zip")


def ask(request: CorpusRequest, version: SetVersion, form: str) -> HttpResponse:
    """Have it packed, and back to the set's page."""
    now = timezone.now()
    send(set_exporting.ask_export(version=version, form=form, asked_by=request.user, now=now).pk)
    messages.success(request, f"{version} is being packed as {form}. It can be fetched here when that is done.")
    return HttpResponseRedirect(page_of(request))


def page_of(request: CorpusRequest) -> str:
    """The address of the set's page, which its exports stand below."""
    return request.path.rpartition("export/")[0]
