"""Exports of a set as downloads: a small one is packed at once, one with a large corpus by a job, which keeps it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings

from curation.actions import jobs
from curation.actions.holds import Held
from curation.actions.refusal import Refused
from curation.formats.documents import DocumentRow
from curation.formats.export.folder import FORMS, ExportForm, write_zip
from curation.formats.export.rows import ExportedSet
from curation.models import Job, SetVersion, User
from curation.reports.set_exports import exported_set

KIND = "set_export"
AT_ONCE = 5_000
"""Documents up to which an export that holds them is packed while the page waits."""


@dataclass(frozen=True, slots=True)
class Download:
    """One layout on a set's page. `job` is the newest that packed it, or does, where that takes a job."""

    form: str
    layout: ExportForm
    is_large: bool
    job: Job | None

    @property
    def is_ready(self) -> bool:
        """Whether it can be fetched now."""
        return not self.is_large or (self.job is not None and self.job.state == Job.State.DONE)

    @property
    def is_being_made(self) -> bool:
        """Whether a job packs it now or will."""
        return self.is_large and self.job is not None and self.job.state in Job.LIVE


def downloads(version: SetVersion) -> list[Download]:
    """Every layout of `version`, in the order in which the command lists them; two SQL queries."""
    documents = version.corpus.documents.filter(gone_at=None).count()
    keys = {unique_key(version, form): form for form in FORMS}
    newest = {keys[job.unique_key]: job for job in Job.objects.filter(unique_key__in=keys).order_by("pk")}
    return [
        Download(form, layout, layout.holds_corpus and documents > AT_ONCE, newest.get(form))
        for form, layout in FORMS.items()
    ]


def ask_export(*, version: SetVersion, form: str, asked_by: User, now: datetime) -> Job:
    """Have a large export packed in the background."""
    return jobs.ask(
        kind=KIND,
        unique_key=unique_key(version, form),
        params={"set_version": version.pk, "form": form},
        corpus=version.corpus,
        asked_by=asked_by,
        now=now,
    )


def unique_key(version: SetVersion, form: str) -> str:
    """What a job that packs this is unique by."""
    return f"{KIND}:{version.pk}:{form}"


def archive_path(version: SetVersion, form: str) -> Path:
    """Where a job keeps its file, under a name of our own making."""
    return Path(settings.DATA_DIR) / "exports" / f"{version.pk}-{form}.zip"


def pack(held: Held) -> dict[str, Any]:
    """The work of a job of this kind: pack aside, and put the file in its place while the job is still ours."""
    version = SetVersion.objects.select_related("corpus", "generation").get(pk=held.params["set_version"])
    form = str(held.params["form"])
    path = archive_path(version, form)
    path.parent.mkdir(parents=True, exist_ok=True)
    clear(path)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f"{path.name}.") as aside:
        packed = Path(aside) / path.name
        with packed.open("wb") as out, exported_set(version) as exported:
            write_zip(out, counting(exported, held), form=form, aside=Path(aside))
        with held.writing():
            packed.replace(path)
    return {"set_version": version.pk, "form": form}


def clear(path: Path) -> None:
    """Remove what a worker that died while it packed the same left beside `path`: no more than one packs it."""
    for left in path.parent.glob(f"{path.name}.*"):
        shutil.rmtree(left, ignore_errors=True)


def counting(exported: ExportedSet, held: Held) -> ExportedSet:
    """The same set, telling its job of each document it gives out; so a cancelled job stops there."""
    total = held.corpus.documents.filter(gone_at=None).count()
    tell = held.counting("documents written")

    def told() -> Iterator[DocumentRow]:
        for done, document in enumerate(exported.documents(), start=1):
            tell(done, total)
            yield document

    return replace(exported, documents=told)


def open_download(version: SetVersion, download: Download) -> BinaryIO:
    """The file a job kept, or one packed now.

    Raises:
        WriteRefused: the layout cannot hold the set.
        Refused: the file was removed meanwhile.
    """
    if download.is_large:
        try:
            return archive_path(version, download.form).open("rb")
        except FileNotFoundError as gone:
            raise Refused("The file is no longer here; ask for it again.") from gone
    with ExitStack() as stack:
        out = stack.enter_context(tempfile.TemporaryFile())
        with exported_set(version) as exported:
            write_zip(out, exported, form=download.form)
        out.seek(0)
        stack.pop_all()  # it stands; the answer closes it when it is sent
        return out
