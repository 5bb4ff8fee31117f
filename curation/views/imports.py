"""The import screen: choose a file, look at what it would do, then store it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from curation import uploading
from curation.access import CorpusRequest, members
from curation.actions import log_reading
from curation.actions.receipts import Receipt
from curation.actions.refusal import Refused
from curation.actions.uploads import Sent, Upload, drop_upload, keep_upload
from curation.formats.spreadsheet import write_spreadsheet
from curation.forms.imports import ImportForm
from curation.importers import LOG, WITH_DOCUMENTS, importer_of, importers
from curation.models import Job, Role
from curation.tasks import send
from curation.views.jobs import cards

MOST_LISTED = 100
STEPS = {"all", "good", "look"}
SHOWN_STATES = {*Job.LIVE, Job.State.FAILED}


@members(Role.LEAD)
def import_file(request: CorpusRequest) -> HttpResponse:
    """Take a file, and look at it."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return form_page(request, form)
    file: UploadedFile[Any] = form.cleaned_data["file"]
    sent = Sent(file.name or "", file.size or 0, file.chunks())
    kind = form.cleaned_data["kind"]
    try:
        upload = keep_upload(corpus=request.corpus, kind=kind, sent=sent, options=form.options, now=timezone.now())
    except Refused as refusal:
        form.add_error("file", str(refusal))
        return form_page(request, form)
    take_step(request, upload, "look")
    return redirect("import_upload", request.corpus.slug, upload.token)


@members(Role.LEAD)
def import_upload(request: CorpusRequest, token: str) -> HttpResponse:
    """Show what a file would do or has done; store it, look again, or drop it."""
    upload = found(request, token)
    if request.method != "POST":
        return upload_page(request, upload)
    step = request.POST.get("step", "")
    if step == "drop":
        drop_upload(upload)
        messages.success(request, "The file is removed; nothing of it was stored.")
        return redirect("import", request.corpus.slug)
    if step in STEPS and upload.waits:
        take_step(request, upload, step)
    return redirect("import_upload", request.corpus.slug, upload.token)


@members(Role.LEAD)
@require_GET
def import_refused(request: CorpusRequest, token: str) -> HttpResponse:
    """The refused rows with their reasons, as a table for a spreadsheet."""
    receipt = receipt_of(found(request, token))
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="refused-rows.csv"'
    faults = receipt.errors if receipt else ()
    write_spreadsheet(response, [{"line": f.line, "id": f.id, "reason": f.reason} for f in faults])  # type: ignore[arg-type]  # a response writes text
    return response


def found(request: CorpusRequest, token: str) -> Upload:
    """The upload of this corpus.

    Raises:
        Http404: there is none (any more).
    """
    upload = uploading.upload_of(request.corpus, token)
    if upload is None:
        raise Http404("There is no such file here; it may have been kept longer than a week.")
    return upload


def take_step(request: CorpusRequest, upload: Upload, step: str) -> None:
    """Look at a file or import it: at once where it is small, else in a job."""
    now = timezone.now()
    if not uploading.is_quick(upload, most=uploading.AT_ONCE):
        job = uploading.ask_import(corpus=request.corpus, upload=upload, step=step, asked_by=request.user, now=now)
        send(job.pk)
        return
    if step == "look":
        uploading.look_at(request.corpus, upload, now=now)
        return
    brought = uploading.bring(request.corpus, upload, keep_good=step == "good", now=now)
    if brought.receipt and upload.kind in WITH_DOCUMENTS:
        encoding = uploading.ask_encoding(corpus=request.corpus, asked_by=request.user, now=now)
        if encoding:
            send(encoding.pk)
    if brought.receipt and upload.kind == LOG:
        send(*(job.pk for job in log_reading.ask_where_due(now=now)))


def receipt_of(upload: Upload) -> Receipt | None:
    """What is known of a file: the receipt of its import, else that of the dry run."""
    written = upload.receipt or upload.preview
    return Receipt.from_json(written) if written else None


def form_page(request: CorpusRequest, form: ImportForm) -> HttpResponse:
    """The page that takes a file."""
    context = {"form": form, "importers": importers()}
    return render(request, "curation/import.html", context, status=422 if form.errors else 200)


def upload_page(request: CorpusRequest, upload: Upload) -> HttpResponse:
    """The page of one file: progress, preview or receipt; it asks for itself while a job is at work."""
    keys = [uploading.import_key(upload), uploading.encode_key(request.corpus)]
    job = request.corpus.jobs.filter(unique_key__in=keys).order_by("-pk").first()
    receipt = receipt_of(upload)
    rows = uploading.first_rows(upload) if upload.waits else []
    context: dict[str, Any] = {
        "upload": upload,
        "importer": importer_of(upload.kind),
        "cards": cards([job], poll=False) if job and job.state in SHOWN_STATES else [],
        "live": job and job.state in Job.LIVE,
        "columns": list(dict.fromkeys(column for row in rows for column in row)),
        "rows": rows,
        "receipt": receipt,
    }
    if receipt:
        context |= {
            "good": receipt.stored + receipt.merged,
            "told": sum(1 for notice in receipt.notices if notice.line),
            "errors": receipt.errors[:MOST_LISTED],
            "more_errors": max(0, len(receipt.errors) - MOST_LISTED),
            "notices": receipt.notices[:MOST_LISTED],
        }
    return render(request, "curation/import_upload.html", context)
