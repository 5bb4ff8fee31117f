"""From an uploaded file to rows: looked at, then imported, at once or in a job."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime
from itertools import islice
from typing import Any, cast

from django.conf import settings
from django.utils import timezone

from curation.actions import jobs
from curation.actions.embeddings import encode_corpus, encoder_for
from curation.actions.holds import Held
from curation.actions.receipts import Intake, Receipt
from curation.actions.refusal import Refused
from curation.actions.uploads import Upload, find_upload, note_fault, note_preview, note_receipt
from curation.actions.writing import Guard
from curation.formats.faults import Fault, FileRefused, Notice
from curation.formats.opening import Limits, open_part, parts_of
from curation.formats.tables import Reading
from curation.importers import WITH_DOCUMENTS, importer_of, witnessed
from curation.models import Corpus, Job, User
from curation.reports.embeddings import documents_sha256, texts_to_encode

IMPORT, ENCODE = "import", "encode"
AT_ONCE = 1 << 20
"""Bytes, unpacked, up to which a file is read while the page waits; a larger one becomes a job."""
BLOCK = 1 << 16
FIRST_ROWS, SHOWN = 8, 120
NOT_SHOWN = {"line", "extra", "metadata", "facts"}
COLUMN_OF = {
    "external_id": "id",
    "need_id": "information_need_id",
    "need_text": "information_need",
    "language": "locale",
    "document_id": "doc_id",
    "gold_document_id": "gold_doc_id",
}


def look_at(corpus: Corpus, upload: Upload, *, now: datetime) -> Upload:
    """Do everything but store, and keep what was found out."""
    intake = Intake(upload.path, reading_of(upload), keep_good=True, dry_run=True)
    try:
        receipt = _receipt(corpus, upload, intake, now=now)
    except Refused as refusal:
        return note_fault(upload, str(refusal))
    return note_preview(upload, receipt.as_json())


def bring(corpus: Corpus, upload: Upload, *, keep_good: bool, now: datetime, guard: Guard | None = None) -> Upload:
    """Import the file; where nothing could be stored it stays with the reason and its preview, else the receipt."""
    intake = Intake(upload.path, reading_of(upload), keep_good=keep_good, guard=guard)
    try:
        receipt = _receipt(corpus, upload, intake, now=now)
    except Refused as refusal:
        return note_fault(upload, str(refusal))
    if receipt.errors and not receipt.stored + receipt.merged:
        looked_at = replace(upload, preview=upload.preview or receipt.as_json())
        return note_fault(looked_at, receipt.errors[-1].reason)
    told = witnessed(corpus) if upload.kind in WITH_DOCUMENTS else ()
    return note_receipt(upload, replace(receipt, notices=(*receipt.notices, *told)).as_json())


def _receipt(corpus: Corpus, upload: Upload, intake: Intake, *, now: datetime) -> Receipt:
    """What the import answers; a file of which nothing may be stored has no rows and one error.

    Raises:
        Refused: nothing is stored.
    """
    try:
        return importer_of(upload.kind).bring(corpus, intake, upload.options, now)
    except FileRefused as refusal:
        return Receipt(0, 0, 0, (refusal.fault,), dry_run=intake.dry_run)


def reading_of(upload: Upload) -> Reading:
    """How to read an upload: under the name its owner gives it, within what the settings allow."""
    return Reading(name=upload.name, limits=Limits(packed=settings.UPLOAD_BYTES, unpacked=settings.UNPACKED_BYTES))


def first_rows(upload: Upload) -> list[dict[str, str]]:
    """The first rows as they were understood, by column; empty where the file cannot be read."""
    rows = importer_of(upload.kind).read(upload.path, reading_of(upload))
    try:
        return [_shown(row) for row in islice(rows, FIRST_ROWS) if not isinstance(row, Fault | Notice)]
    except FileRefused:
        return []


def _shown(row: object) -> dict[str, str]:
    named = ((field.name, getattr(row, field.name)) for field in fields(cast("Any", row)))
    given = {name: value for name, value in named if name not in NOT_SHOWN and value not in {"", None}}
    return {COLUMN_OF.get(name, name): str(value)[:SHOWN] for name, value in given.items()}


def ask_import(*, corpus: Corpus, upload: Upload, step: str, asked_by: User, now: datetime) -> Job:
    """Have a large file looked at ("look") or imported ("all", "good") in the background."""
    return jobs.ask(
        kind=IMPORT,
        unique_key=import_key(upload),
        params={"upload": upload.token, "step": step},
        corpus=corpus,
        asked_by=asked_by,
        now=now,
    )


def is_quick(upload: Upload, *, most: int) -> bool:
    """Whether the file may be read while somebody waits: it has at most `most` bytes, unpacked.

    A few packed bytes can hold hundreds of megabytes. Of one that is broken the import says so at once.
    """
    if upload.size > most:
        return False
    limits = reading_of(upload).limits
    unpacked = 0
    try:
        for part in parts_of(upload.path, name=upload.name, limits=limits):
            with open_part(part, limits) as stream:
                while unpacked <= most and (block := stream.read(BLOCK)):
                    unpacked += len(block)
    except FileRefused:
        return True
    return unpacked <= most


def import_key(upload: Upload) -> str:
    """What a job of this upload is unique by."""
    return f"{IMPORT}:{upload.token}"


def ask_encoding(*, corpus: Corpus, asked_by: User | None, now: datetime) -> Job | None:
    """Have the corpus encoded with its present encoder, None where its vectors were brought along."""
    if not encoder_for(corpus):
        return None
    key = encode_key(corpus)
    return jobs.ask(kind=ENCODE, unique_key=key, params={}, corpus=corpus, asked_by=asked_by, now=now)


def encode_key(corpus: Corpus) -> str:
    """What a job that encodes a corpus is unique by."""
    return f"{ENCODE}:{corpus.pk}"


def do_import(held: Held) -> dict[str, Any]:
    """The work of a job of kind "import"; its result names the upload."""
    now = timezone.now()
    upload = find_upload(corpus=held.corpus, token=str(held.params["upload"]))
    if upload is None or not upload.waits:
        raise Refused("The uploaded file is no longer here; choose it again.")
    step = held.params["step"]
    if step == "look":
        look_at(held.corpus, upload, now=now)
    else:
        brought = bring(held.corpus, upload, keep_good=step == "good", now=now, guard=held.writing)
        if brought.receipt and upload.kind in WITH_DOCUMENTS:
            ask_encoding(corpus=held.corpus, asked_by=held.job.asked_by, now=now)
    return {"upload": upload.token}


def do_encode(held: Held) -> dict[str, Any]:
    """The work of a job of kind "encode": again and again, until no document changed meanwhile."""
    corpus = held.corpus
    while True:
        space = encode_corpus(
            corpus=corpus, encoder="", progress=held.counting("documents encoded"), guard=held.writing
        )
        if documents_sha256(texts_to_encode(corpus)) == space.documents_sha256:
            return {"space": space.pk}
