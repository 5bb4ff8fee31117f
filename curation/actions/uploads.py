"""Uploaded files between upload and import: kept under names of our own, and gone once they are used.

What a file is called where it came from is kept as a word to show; it never names anything on this machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
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
        upload = _read(_record_path(token))
    except FileNotFoundError:
        return None
    return upload if upload.corpus == corpus.slug else None


def note(upload: Upload) -> Upload:
    """Keep what is known of the upload now; once it has its receipt the file is used up and removed."""
    _record(upload)
    _aside_path(upload.token).unlink(missing_ok=True)
    if upload.receipt is not None:
        upload.path.unlink(missing_ok=True)
    return upload


def set_aside(upload: Upload) -> None:
    """Keep what `note` is to keep once the transaction at hand has ended well, for `take_up` should nobody live to."""
    _write(_aside_path(upload.token), upload)


def take_up(upload: Upload) -> Upload:
    """Note what was set aside."""
    try:
        return note(_read(_aside_path(upload.token)))
    except FileNotFoundError:  # somebody else took it up at this moment
        return _read(_record_path(upload.token))


def drop_upload(upload: Upload) -> None:
    """Remove the file and what is known of it."""
    for path in (upload.path, _aside_path(upload.token), _record_path(upload.token)):
        path.unlink(missing_ok=True)


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _record_path(token: str) -> Path:
    return _folder() / f"{token}.json"


def _aside_path(token: str) -> Path:
    return _folder() / f"{token}.aside"


def _record(upload: Upload) -> Upload:
    _write(_record_path(upload.token), upload)
    return upload


def _write(path: Path, upload: Upload) -> None:
    partial = path.with_suffix(f".{token_hex(4)}")
    partial.write_text(json.dumps(asdict(upload), ensure_ascii=True), encoding="ascii")
    partial.replace(path)


def _read(path: Path) -> Upload:
    return Upload(**json.loads(path.read_bytes()))


def _remove_old(now: datetime) -> None:
    for path in _folder().iterdir():
        if path.stat().st_mtime < (now - KEPT).timestamp():
            path.unlink(missing_ok=True)
