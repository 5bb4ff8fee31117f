"""Uploaded files between upload and import: kept under names of our own, and gone once they are used.

What a file is called where it came from is kept as a word to show; it never names anything on this machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any

from django.conf import settings

from curation.actions.refusal import Refused
from curation.models import Corpus

KEPT = timedelta(days=7)
MOST_NAME = 200
_TOKEN = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Upload:
    """One uploaded file of a corpus. `kind` says what it holds, `options` what was asked with it.

    `preview` is the receipt of a dry run, `receipt` that of the import; a `fault` says why neither could be.
    """

    token: str
    corpus: str
    kind: str
    name: str
    size: int
    at: str
    options: dict[str, str] = field(default_factory=dict)
    preview: dict[str, Any] | None = None
    receipt: dict[str, Any] | None = None
    fault: str = ""

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return _folder() / f"{self.token}.file"

    @property
    def waits(self) -> bool:
        """Whether the file is still there to be imported."""
        return self.receipt is None and self.path.exists()


@dataclass(frozen=True, slots=True)
class Sent:
    """A file as it arrives: what its owner calls it, its size in bytes, and its bytes in blocks."""

    name: str
    size: int
    blocks: Iterable[bytes]


def keep_upload(*, corpus: Corpus, kind: str, sent: Sent, options: dict[str, str], now: datetime) -> Upload:
    """Keep a file until it is imported, at most a week; older ones are removed by the way.

    Raises:
        Refused: it is larger than UPLOAD_BYTES, or empty.
    """
    _remove_old(now)
    most: int = settings.UPLOAD_BYTES
    if sent.size > most:
        raise Refused(
            f"The file has {sent.size:,} bytes and at most {most:,} can be uploaded; the command line takes more."
        )
    if not sent.size:
        raise Refused("The file is empty.")
    name = sent.name[:MOST_NAME]
    upload = Upload(token_hex(16), corpus.slug, kind, name, sent.size, now.isoformat(), options)
    try:
        with upload.path.open("xb") as file:
            for block in sent.blocks:
                file.write(block)
    except BaseException:  # it broke off: nobody will ever ask for the part that came
        upload.path.unlink(missing_ok=True)
        raise
    return _record(upload)


def find_upload(*, corpus: Corpus, token: str) -> Upload | None:
    """The upload of that corpus, None where there is none (any more)."""
    if not _TOKEN.fullmatch(token):
        return None
    try:
        upload = Upload(**json.loads(_record_path(token).read_bytes()))
    except FileNotFoundError:
        return None
    return upload if upload.corpus == corpus.slug else None


def note_preview(upload: Upload, preview: dict[str, Any]) -> Upload:
    """Keep what a dry run said."""
    return _record(replace(upload, preview=preview, fault=""))


def note_receipt(upload: Upload, receipt: dict[str, Any]) -> Upload:
    """Keep the receipt; the file is used up and removed."""
    noted = _record(replace(upload, receipt=receipt, fault=""))
    upload.path.unlink(missing_ok=True)
    return noted


def note_fault(upload: Upload, fault: str) -> Upload:
    """Keep why the import was not done; the file stays."""
    return _record(replace(upload, fault=fault))


def drop_upload(upload: Upload) -> None:
    """Remove the file and what is known of it."""
    upload.path.unlink(missing_ok=True)
    _record_path(upload.token).unlink(missing_ok=True)


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _record_path(token: str) -> Path:
    return _folder() / f"{token}.json"


def _record(upload: Upload) -> Upload:
    path = _record_path(upload.token)
    partial = path.with_suffix(f".{token_hex(4)}")
    partial.write_text(json.dumps(asdict(upload), ensure_ascii=True), encoding="ascii")
    partial.replace(path)
    return upload


def _remove_old(now: datetime) -> None:
    for path in _folder().iterdir():
        if path.stat().st_mtime < (now - KEPT).timestamp():
            path.unlink(missing_ok=True)
