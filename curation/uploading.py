"""From an uploaded file to rows: looked at, then imported, at once or in a job."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime
from itertools import islice
from typing import Any, cast

from django.conf import settings
from django.utils import timezone

from curation.actions import jobs
from curation.actions.embeddings import encode_corpus, encoder_for, remove_left
from curation.actions.holds import Held
from curation.actions.import_progress import ImportProgress, Tell, untold
from curation.actions.receipts import Intake, Receipt
from curation.actions.refusal import Refused
from curation.actions.uploads import Upload, find_upload, note, set_aside, take_up
from curation.actions.writing import one_transaction, one_write
from curation.formats.faults import Fault, FileRefused, Notice
from curation.formats.opening import Limits, open_part, parts_of
from curation.formats.pairs import lines_of, split_pairs
from curation.formats.tables import Reading
from curation.importers import WITH_DOCUMENTS, importer_of, witnessed
from curation.models import Corpus, Job, User
from curation.reports.embeddings import documents_sha256, texts_to_encode

IMPORT, ENCODE = "import", "encode"
STORED = "stored"
"""In the result of a job whose import stored rows, or found them all here."""
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


def look_at(corpus: Corpus, upload: Upload, *, now: datetime, tell: Tell = untold) -> Upload:
    """Do everything but store, and keep what was found out."""
    intake = replace(_intake(upload, tell), keep_good=True, dry_run=True)
    try:
        receipt = _receipt(corpus, upload, intake, now=now)
    except Refused as refusal:
        return note(replace(upload, fault=str(refusal)))
    return note(replace(upload, preview=receipt.as_json(), fault=""))


def bring(corpus: Corpus, upload: Upload, *, keep_good: bool, now: datetime) -> Upload:
    """Import the file; where nothing could be stored it stays with the reason and its preview, else the receipt."""
    return note(_brought(corpus, upload, replace(_intake(upload), keep_good=keep_good), now=now))


def _intake(upload: Upload, tell: Tell = untold) -> Intake:
    expected = upload.preview["read"] if upload.preview else 0
    return Intake(upload.path, reading_of(upload), progress=ImportProgress(tell, expected))


def _brought(corpus: Corpus, upload: Upload, intake: Intake, *, now: datetime) -> Upload:
    """The upload as the import leaves it, which nobody has noted yet."""
    try:
        receipt = _receipt(corpus, upload, intake, now=now)
    except Refused as refusal:
        return replace(upload, fault=str(refusal))
    if receipt.errors and not receipt.stored + receipt.merged:
        return replace(upload, preview=upload.preview or receipt.as_json(), fault=receipt.errors[-1].reason)
    told = witnessed(corpus) if upload.kind in WITH_DOCUMENTS else ()
    return replace(upload, receipt=replace(receipt, notices=(*receipt.notices, *told)).as_json(), fault="")


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
    """How to read an upload: under the name its owner gives it, as they say, within what the settings allow."""
    chosen = {name: lines_of(upload.options.get(name, "")) for name in ("columns", "where")}
    return Reading(
        name=upload.name,
        columns=split_pairs(chosen["columns"], option="Columns:"),
        where=split_pairs(chosen["where"], option="Rows:"),
        limits=Limits(packed=settings.UPLOAD_BYTES, unpacked=settings.UNPACKED_BYTES),
    )


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


def upload_of(corpus: Corpus, token: str) -> Upload | None:
    """The upload of that corpus, None where there is none (any more).

    Where a job stored its rows, and its worker died before it could note the receipt, that is done now.
    """
    upload = find_upload(corpus=corpus, token=token)
    if upload is None or not upload.waits:
        return upload
    newest = corpus.jobs.filter(unique_key=import_key(upload)).order_by("-pk").first()
    stored = newest is not None and newest.state == Job.State.DONE and newest.result.get(STORED)
    return take_up(upload) if stored else upload


def do_import(held: Held) -> dict[str, Any]:
    """The work of a job of kind "import"; its result names the upload."""
    upload = find_upload(corpus=held.corpus, token=str(held.params["upload"]))
    if upload is None or not (upload.receipt or upload.waits):
        raise Refused("The uploaded file is no longer here; choose it again.")
    result: dict[str, Any] = {"upload": upload.token}
    if held.params["step"] == "look":
        look_at(held.corpus, upload, now=timezone.now(), tell=held.note)
    elif upload.receipt is None:  # else a worker died when it had noted that all was here already
        note(_brought_whole(held, upload, result))
    return result


def _brought_whole(held: Held, upload: Upload, result: dict[str, Any]) -> Upload:
    """The upload as its import leaves it: the rows, the end of the job and what follows stand or fall together.

    So nobody cancels what is stored, and a worker that dies leaves all of it or nothing.
    """
    now, good = timezone.now(), held.params["step"] == "good"
    with one_transaction(lambda: one_write(lambda: held.closing(result))) as guard:
        intake = replace(_intake(upload, held.note), keep_good=good, guard=guard)
        brought = _brought(held.corpus, upload, intake, now=now)
        if brought.receipt:
            result[STORED] = True
            set_aside(brought)
            if upload.kind in WITH_DOCUMENTS:
                ask_encoding(corpus=held.corpus, asked_by=held.job.asked_by, now=now)
    return brought


def do_encode(held: Held) -> dict[str, Any]:
    """The work of a job of kind "encode": again and again, until no document changed meanwhile."""
    corpus = held.corpus
    remove_left(corpus=corpus, now=timezone.now())
    while True:
        space = encode_corpus(
            corpus=corpus,
            encoder="",
            progress=held.counting("documents encoded"),
            fitting=held.counting("steps of fitting the encoder done"),
            guard=held.writing,
        )
        if documents_sha256(texts_to_encode(corpus)) == space.documents_sha256:
            return {"space": space.pk}
